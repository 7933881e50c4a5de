"""The nearest vectors, exactly: a fast single-precision pass, then a double-precision one.

The first pass goes over every row and is wrong by at most a known error; the second goes over the
rows that this error leaves in doubt. So the order is that of exact arithmetic on stored values.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from .columns import Mask
from .floats import Floats

Metric = Literal["cosine", "dotproduct", "euclidean"]
METRICS: tuple[str, ...] = get_args(Metric)

_GATHER_BELOW = 1 / 8
"""Copying a row out costs several times as much as multiplying it where it stands."""
_CHUNK = 4_096


def norms_of(rows: Floats) -> NDArray[np.float64]:
    norms = np.empty(len(rows))
    for start in range(0, len(rows), _CHUNK):
        chunk = rows[start : start + _CHUNK].astype(np.float64)
        norms[start : start + _CHUNK] = np.sqrt(np.einsum("ij,ij->i", chunk, chunk))
    return norms


def nearest(
    rows: Floats,
    norms: NDArray[np.float64],
    chosen: Mask,
    query: Floats,
    metric: Metric,
    count: int,
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The slots of the `count` best chosen rows and their scores, best first, ties by slot.

    A cosine with a zero vector is 0. A euclidean score is the squared distance: less is nearer.
    """
    slots = np.flatnonzero(chosen)
    if len(slots) > count:
        slots = slots[_contenders(rows, norms, slots, query, metric, count)]
    scores = _exact(rows, slots, query, metric)
    if metric != "euclidean":
        return best_of(slots, scores, count)
    slots, nearness = best_of(slots, -scores, count)
    return slots, -nearness


def best_of(
    slots: NDArray[np.intp], scores: NDArray[np.float64], count: int
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """The `count` highest scores, best first, ties by slot."""
    if len(slots) > count:
        least = np.partition(scores, len(scores) - count)[len(scores) - count]
        slots, scores = slots[scores >= least], scores[scores >= least]
    best = np.lexsort((slots, -scores))[:count]
    return slots[best], scores[best]


def products_with(rows: Floats, slots: NDArray[np.intp], query: Floats) -> NDArray[np.float64]:
    """The dot product of each of these rows with the query, in double precision."""
    return _exact(rows, slots, query, "dotproduct")


def _contenders(
    rows: Floats,
    norms: NDArray[np.float64],
    slots: NDArray[np.intp],
    query: Floats,
    metric: Metric,
    count: int,
) -> Mask:
    """Which slots may be among the `count` best, given how wrong single precision can be."""
    with np.errstate(over="ignore", invalid="ignore"):
        near = _products(rows, slots, query).astype(np.float64)
        sizes = norms[slots]
        wrong = np.float64(2.0**-23) * (rows.shape[1] + 2) * np.linalg.norm(query.astype(float))
        if metric == "cosine":
            near /= sizes
        elif metric == "dotproduct":
            wrong *= sizes.max()
        else:
            near = 2 * near - sizes**2
            wrong *= 2 * sizes.max()
    if not np.isfinite(near).all():
        return np.ones(len(slots), dtype=bool)
    threshold = np.partition(near, len(near) - count)[len(near) - count]
    mask: Mask = near >= threshold - 2 * wrong
    return mask


def _products(rows: Floats, slots: NDArray[np.intp], query: Floats) -> Floats:
    if len(slots) > len(rows) * _GATHER_BELOW:
        products: Floats = rows @ query
        return products if len(slots) == len(rows) else products[slots]
    products = np.empty(len(slots), dtype=np.float32)
    for start in range(0, len(slots), _CHUNK):
        part = slots[start : start + _CHUNK]
        products[start : start + _CHUNK] = rows[part] @ query
    return products


def _exact(
    rows: Floats, slots: NDArray[np.intp], query: Floats, metric: Metric
) -> NDArray[np.float64]:
    scores = np.empty(len(slots))
    wanted = query.astype(np.float64)
    for start in range(0, len(slots), _CHUNK):
        part = rows[slots[start : start + _CHUNK]].astype(np.float64)
        scores[start : start + _CHUNK] = _score(part, wanted, metric)
    return scores


def _score(
    rows: NDArray[np.float64], query: NDArray[np.float64], metric: Metric
) -> NDArray[np.float64]:
    if metric == "euclidean":
        apart = rows - query
        distances: NDArray[np.float64] = np.einsum("ij,ij->i", apart, apart)
        return distances
    products: NDArray[np.float64] = rows @ query
    if metric == "cosine":
        sizes = np.sqrt(np.einsum("ij,ij->i", rows, rows)) * np.linalg.norm(query)
        products = np.divide(products, sizes, out=np.zeros_like(products), where=sizes > 0)
    return products

"""The encoder's forward pass over several texts at once, each with the vector it has alone.

A matrix product rounds a row differently with the number of rows beside it, so a text encoded in
one product with others would differ in its last bits from the same text alone. Here every product
is one text's own, with a shape that depends on that text only; what works element by element or
row by row is done for all texts together. Going layer by layer, a weight is fetched from memory
once for all texts rather than once for each.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .encoder import DIMENSIONS

Matrix = NDArray[np.float32]
Places = NDArray[np.int64]

_CHUNKS = 17
_BRANCH = 256
_BRANCHES = ((2, 0), (3, 1), (5, 2))
"""Width of each branch's window of tokens, and how many of them stand before the token."""
_LEFT, _RIGHT = 2, 2


class Network:
    """Weights as the package loads them, from quantised blocks, and the pass of the same design."""

    def __init__(self, weights: Any) -> None:
        self._w = weights

    def vectors(self, tokens: Sequence[list[int]]) -> Matrix:
        """One unit vector for each text, given as token ids."""
        lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
        ends = np.cumsum(lengths)
        texts = [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)]
        ids = np.fromiter(chain.from_iterable(tokens), np.int64, int(ends[-1]))
        features = self._features(ids, texts, _windows(texts, len(ids)))
        sums = np.add.reduceat(features, ends - lengths, axis=0)
        rows = [slice(row, row + 1) for row in range(len(tokens))]
        return self._projected(sums, lengths.astype(np.float32), rows)

    def _features(self, ids: Places, texts: list[slice], windows: Places) -> Matrix:
        """What each token contributes: its own embedding and three looks at its neighbours."""
        w = self._w
        features = np.empty((len(ids), DIMENSIONS + len(_BRANCHES) * _BRANCH), np.float32)
        embedded = features[:, :DIMENSIONS]
        chunk = ids % _CHUNKS
        np.copyto(embedded, w.table[ids])
        embedded *= w.scale[chunk, None]
        embedded += w.lo[chunk, None]
        x = _each(np.ascontiguousarray(embedded), w.proj_W, texts)
        x += w.proj_b
        _normalise(x, w.ln_g_all, w.ln_b_all, w.eps)
        padded = np.zeros((len(ids) + 1, _BRANCH), np.float32)  # the last row stays zero
        for number, (width, left) in enumerate(_BRANCHES):
            own = x[:, number * _BRANCH : (number + 1) * _BRANCH]
            seen = windows[:, _LEFT - left : _LEFT - left + width]
            padded[:-1] = own
            first = self._layer(padded, seen, w.w1[number], w.b1[number], texts)
            first += own
            padded[:-1] = first
            second = self._layer(padded, seen, w.w2[number], w.b2[number], texts)
            second += first
            at = DIMENSIONS + number * _BRANCH
            features[:, at : at + _BRANCH] = second
        _normalise(features, w.ln_g, w.ln_b, w.eps)
        return features

    def _layer(
        self, padded: Matrix, seen: Places, weight: Matrix, bias: Matrix, texts: list[slice]
    ) -> Matrix:
        found = _each(padded[seen].reshape(len(seen), -1), weight, texts)
        found += bias
        np.maximum(found, 0, out=found)
        return found

    def _projected(self, sums: Matrix, lengths: Matrix, rows: list[slice]) -> Matrix:
        w = self._w
        mean = _each(sums, w.cnn_W, rows)
        mean += lengths[:, None] * w.cnn_b
        mean *= np.reciprocal(np.sqrt(lengths))[:, None]
        inner = np.maximum(_each(mean, w.d0, rows), 0)
        middle = _each(mean, w.p1, rows)
        middle += _each(inner, w.d1, rows)
        np.maximum(middle, 0, out=middle)
        outer = np.maximum(_each(middle, w.d2, rows), 0)
        vectors = _each(middle, w.p3, rows)
        vectors += _each(outer, w.d3, rows)
        np.tanh(vectors, out=vectors)
        squares = np.einsum("ij,ij->i", vectors, vectors)
        vectors *= np.reciprocal(np.sqrt(np.clip(squares, w.eps, None)))[:, None]
        return vectors


def _each(left: Matrix, weight: Matrix, parts: list[slice]) -> Matrix:
    """The product, one part at a time: a part's result cannot depend on the others."""
    product = np.empty((len(left), weight.shape[1]), np.float32)
    for part in parts:
        np.matmul(left[part], weight, out=product[part])
    return product


def _normalise(x: Matrix, gamma: Matrix, beta: Matrix, eps: float) -> None:
    """Layer normalisation of each row, in place."""
    x -= x.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x) / x.shape[-1]
    x *= np.reciprocal(np.sqrt(variance + np.float32(eps)))[:, None]
    x *= gamma
    x += beta


def _windows(texts: list[slice], count: int) -> Places:
    """For each token the places of its neighbours; beyond its own text, the place of the zeros."""
    places = np.arange(count, dtype=np.int64)[:, None] + np.arange(-_LEFT, _RIGHT + 1)
    for text in texts:
        own = places[text]
        own[(own < text.start) | (own >= text.stop)] = count
    return places

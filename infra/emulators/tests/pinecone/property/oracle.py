"""What a filter and a query must answer, written the plain way, to compare the emulator with."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

FIELDS = ("kind", "n", "flag", "tags")

texts = st.sampled_from(["a", "b", "ab", "", "记"])
numbers = st.sampled_from([-1, 0, 1, 2, 0.5, 1e9])
scalars = st.one_of(texts, numbers, st.booleans())
values = st.one_of(scalars, st.lists(texts, max_size=3), st.none())
metadatas = st.dictionaries(st.sampled_from(FIELDS), values, max_size=4)

_conditions = st.one_of(
    scalars,
    st.fixed_dictionaries({"$eq": scalars}),
    st.fixed_dictionaries({"$ne": scalars}),
    st.fixed_dictionaries({"$in": st.lists(scalars, max_size=3)}),
    st.fixed_dictionaries({"$nin": st.lists(scalars, max_size=3)}),
    st.fixed_dictionaries({"$exists": st.booleans()}),
    st.dictionaries(
        st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), numbers, min_size=1, max_size=2
    ),
)
_single = st.dictionaries(st.sampled_from(FIELDS), _conditions, min_size=1, max_size=2)
filters = st.recursive(
    _single,
    lambda inner: st.dictionaries(
        st.sampled_from(["$and", "$or"]), st.lists(inner, min_size=1, max_size=3), min_size=1
    ),
    max_leaves=6,
)


def kept(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata as it comes back: no nulls, numbers as doubles."""
    return {
        field: float(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for field, value in metadata.items()
        if value is not None
    }


def fulfils(metadata: Mapping[str, Any], condition: Mapping[str, Any]) -> bool:
    for key, wanted in condition.items():
        if key == "$and":
            holds = all(fulfils(metadata, each) for each in wanted)
        elif key == "$or":
            holds = any(fulfils(metadata, each) for each in wanted)
        else:
            operators = wanted if isinstance(wanted, dict) else {"$eq": wanted}
            value = metadata.get(key)
            holds = all(_holds(value, name, operand) for name, operand in operators.items())
        if not holds:
            return False
    return True


def _holds(value: Any, operator: str, operand: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match operator:
        case "$eq":
            return _equal(value, operand)
        case "$ne":
            return not _equal(value, operand)
        case "$in":
            return any(_equal(value, each) for each in operand)
        case "$nin":
            return not any(_equal(value, each) for each in operand)
        case "$exists":
            return (value is not None) is operand
        case "$gt":
            return is_number and bool(value > operand)
        case "$gte":
            return is_number and bool(value >= operand)
        case "$lt":
            return is_number and bool(value < operand)
        case "$lte":
            return is_number and bool(value <= operand)
    raise AssertionError(operator)


def _equal(value: Any, operand: Any) -> bool:
    if isinstance(value, list):
        return operand in value
    if isinstance(value, bool) or isinstance(operand, bool):
        return value is operand
    return value is not None and bool(value == operand)


def score(row: Sequence[float], query: Sequence[float], metric: str) -> float:
    """In double precision, on values already rounded to single."""
    a, b = np.asarray(row, dtype=np.float64), np.asarray(query, dtype=np.float64)
    if metric == "euclidean":
        return float(((a - b) ** 2).sum())
    product = float(a @ b)
    if metric == "dotproduct":
        return product
    sizes = math.sqrt(float(a @ a)) * math.sqrt(float(b @ b))
    return product / sizes if sizes else 0.0


def sparse_product(row: Mapping[int, float], query: Mapping[int, float]) -> float:
    return sum(weight * row[n] for n, weight in query.items() if n in row)


def check_sparse_matches(
    found: Sequence[tuple[str, float]],
    rows: Mapping[str, Mapping[int, float]],
    query: Mapping[int, float],
    count: int,
    tolerance: float,
) -> None:
    """As `check_matches`, over the records that share a dimension with the query."""
    expected = {
        name: sparse_product(row, query) for name, row in rows.items() if row.keys() & query
    }
    assert len({name for name, _ in found}) == len(found)
    got = [given for _, given in found]
    best_first = sorted(expected.values(), reverse=True)[:count]
    assert np.allclose(got, best_first, rtol=tolerance, atol=tolerance * 1e3), (got, best_first)
    own = [expected[name] for name, _ in found]
    assert np.allclose(got, own, rtol=tolerance, atol=tolerance * 1e3), (got, own)


def best(
    rows: Mapping[str, Sequence[float]], query: Sequence[float], metric: str, count: int
) -> list[float]:
    """The scores of the nearest rows, best first."""
    scores = sorted(score(row, query, metric) for row in rows.values())
    return scores[:count] if metric == "euclidean" else scores[::-1][:count]


def check_matches(
    found: Sequence[tuple[str, float]],
    rows: Mapping[str, Sequence[float]],
    query: Sequence[float],
    metric: str,
    count: int,
    tolerance: float,
) -> None:
    """Recall 1.0: as good a list as brute force gives, every score that of its own record.

    `tolerance` is relative to the largest number that goes into a score.
    """
    assert len({name for name, _ in found}) == len(found)
    expected = best(rows, query, metric, count)
    got = [given for _, given in found]
    longest = max((float(np.linalg.norm(row)) for row in [*rows.values(), query]), default=1.0)
    largest = 1.0 if metric == "cosine" else longest**2
    assert np.allclose(got, expected, rtol=tolerance, atol=tolerance * largest), (got, expected)
    own = [score(rows[name], query, metric) for name, _ in found]
    assert np.allclose(got, own, rtol=tolerance, atol=tolerance * largest), (got, own)

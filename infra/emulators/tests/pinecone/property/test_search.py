"""Filters, scores and numbers of the Pinecone emulator against plain arithmetic."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.emulators.pinecone.columns import Columns
from infra.emulators.pinecone.filters import parsed
from infra.emulators.pinecone.floats import shortest
from infra.emulators.pinecone.metadata import normalised
from infra.emulators.pinecone.scoring import Metric, nearest, norms_of
from infra.emulators.tests.pinecone.property.oracle import (
    check_matches,
    filters,
    fulfils,
    kept,
    metadatas,
)

metrics = st.sampled_from(["cosine", "dotproduct", "euclidean"])


@given(st.lists(metadatas, min_size=1, max_size=12), filters)
@settings(deadline=None, max_examples=300)
def test_columns_filter_as_a_walk_over_the_metadata_does(
    records: list[dict[str, Any]], condition: dict[str, Any]
) -> None:
    stored = [normalised(record) for record in records]
    columns = Columns(
        len(stored),
        lambda field: [(n, record[field]) for n, record in enumerate(stored) if field in record],
    )
    mask = columns.mask(parsed(condition), len(stored))
    assert mask.tolist() == [fulfils(kept(record), condition) for record in records]


@given(
    st.integers(0, 2**32 - 1),
    metrics,
    st.integers(1, 400),
    st.sampled_from([1, 3, 10, 1_000]),
    st.sampled_from([1.0, 0.3, 0.02]),
    st.sampled_from(["plain", "duplicates", "huge", "tiny", "near"]),
)
@settings(deadline=None, max_examples=150)
def test_the_nearest_rows_are_those_of_brute_force(
    seed: int, metric: Metric, count: int, top: int, share: float, kind: str
) -> None:
    random = np.random.default_rng(seed)
    rows = random.standard_normal((count, 24)).astype(np.float32)
    query = random.standard_normal(24).astype(np.float32)
    if kind == "duplicates":
        rows[:] = rows[random.integers(0, 3, count) % count]
    elif kind == "huge":
        rows *= np.float32(1e18)
        query *= np.float32(1e18)
    elif kind == "tiny":
        rows *= np.float32(1e-30)
    elif kind == "near":  # differences that single precision cannot tell apart
        rows = query + rows * np.float32(1e-4)
    chosen = random.random(count) < share
    slots, scores = nearest(rows, norms_of(rows), chosen, query, metric, top)
    assert all(chosen[slots])
    candidates = {str(slot): rows[slot].tolist() for slot in np.flatnonzero(chosen)}
    found = [(str(slot), score) for slot, score in zip(slots, scores.tolist(), strict=True)]
    check_matches(found, candidates, query.tolist(), metric, top, tolerance=1e-14)


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_shortest_numbers_come_back_equal_and_short(numbers: list[float]) -> None:
    values = np.array(numbers, dtype=np.float32)
    shown = shortest(values)
    assert np.array_equal(shown.astype(np.float32), values)
    for text, value in zip(shown.tolist(), values, strict=True):
        if 1e-14 < abs(value) < 1e22:
            assert len(repr(text)) <= len(repr(float(str(value)))), (text, value)

"""One order over all values: types in a fixed order, then each type's own; numbers as numbers."""

import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector

from infra.emulators.tests.firestore.documents import fill, ids, where

Ladder = list[tuple[str, list[tuple[str, Any]]]]
"""Rungs from the lowest up: a type, and its equal values, each with its document's id.

Ids on one rung stand in their own order, which breaks the tie.
"""


def ladder(db: firestore.Client) -> Ladder:
    return [
        ("null", [("null", None)]),
        ("boolean", [("false", False)]),
        ("boolean", [("true", True)]),
        ("nan", [("nan", math.nan)]),
        ("number", [("minus-infinity", -math.inf)]),
        ("number", [("least-integer", -(2**63))]),
        ("number", [("minus-1.5", -1.5)]),
        ("number", [("minus-1", -1)]),
        ("number", [("zero-a", -0.0), ("zero-b", 0), ("zero-c", 0.0)]),
        ("number", [("tiny", 5e-324)]),
        ("number", [("one-a", 1), ("one-b", 1.0)]),
        ("number", [("two-to-53-a", 2**53), ("two-to-53-b", float(2**53))]),
        ("number", [("two-to-53-and-1", 2**53 + 1)]),
        ("number", [("greatest-integer", 2**63 - 1)]),
        ("number", [("two-to-63", float(2**63))]),
        ("number", [("infinity", math.inf)]),
        ("time", [("time-0", datetime(2020, 1, 1, tzinfo=UTC))]),
        ("time", [("time-1", datetime(2020, 1, 1, microsecond=1, tzinfo=UTC))]),
        ("string", [("string-empty", "")]),
        ("string", [("string-A", "A")]),
        ("string", [("string-a", "a")]),
        ("string", [("string-a0", "a\0")]),
        ("string", [("string-ab", "ab")]),
        ("string", [("string-é", "é")]),
        # By code points, as bytes of UTF-8; as UTF-16 the next two would change places.
        ("string", [("string-fullwidth", "～")]),
        ("string", [("string-astral", "😀")]),
        ("bytes", [("bytes-empty", b"")]),
        ("bytes", [("bytes-0", b"\0")]),
        ("bytes", [("bytes-00", b"\0\0")]),
        ("bytes", [("bytes-ff", b"\xff")]),
        ("reference", [("reference-a", db.document("a/b"))]),
        ("reference", [("reference-a-below", db.document("a/b/c/d"))]),
        # Segment by segment: as one string `a-` would come before `a/`.
        ("reference", [("reference-a-c", db.document("a/c"))]),
        ("reference", [("reference-a-dash", db.document("a-/a"))]),
        ("geo", [("geo-south", firestore.GeoPoint(-1, 9))]),
        ("geo", [("geo-west", firestore.GeoPoint(0, -5))]),
        ("geo", [("geo-east", firestore.GeoPoint(0, 5))]),
        ("array", [("array-empty", [])]),
        ("array", [("array-1", [1])]),
        ("array", [("array-1-null", [1, None])]),
        ("array", [("array-1-2", [1, 2])]),
        ("array", [("array-2", [2])]),
        ("array", [("array-a", ["a"])]),
        ("vector", [("vector-9", Vector([9.0]))]),
        ("vector", [("vector-1-2", Vector([1.0, 2.0]))]),
        ("vector", [("vector-1-3", Vector([1.0, 3.0]))]),
        ("map", [("map-empty", {})]),
        ("map", [("map-a-1", {"a": 1}), ("map-a-1.0", {"a": 1.0})]),
        ("map", [("map-a-1-b-0", {"a": 1, "b": 0})]),
        ("map", [("map-a-2", {"a": 2})]),
        ("map", [("map-a-map", {"a": {"z": 1}})]),
        ("map", [("map-aa", {"aa": 0})]),
        ("map", [("map-b", {"b": 0})]),
    ]


@pytest.fixture
def rungs(db: firestore.Client) -> Ladder:
    rungs = ladder(db)
    values = {f"o/{key}": {"v": value} for _, rung in rungs for key, value in rung}
    fill(db, {**values, "o/without": {"w": 1}})
    return rungs


def test_values_of_all_types_stand_in_one_order(db: firestore.Client, rungs: Ladder) -> None:
    expected = [key for _, rung in rungs for key, _ in rung]

    assert ids(db.collection("o").order_by("v")) == expected


def test_the_descending_order_is_the_ascending_one_backwards(
    db: firestore.Client, rungs: Ladder
) -> None:
    expected = [key for _, rung in rungs for key, _ in rung][::-1]

    assert ids(db.collection("o").order_by("v", direction="DESCENDING")) == expected


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda rung, probe: rung < probe,
    "<=": lambda rung, probe: rung <= probe,
    "==": lambda rung, probe: rung == probe,
    ">=": lambda rung, probe: rung >= probe,
    ">": lambda rung, probe: rung > probe,
}


@pytest.mark.parametrize(
    "probe",
    [
        *("true", "minus-1.5", "zero-a", "zero-b", "one-a", "one-b", "two-to-53-b"),
        *("two-to-53-and-1", "greatest-integer", "two-to-63", "infinity", "time-0", "string-a"),
        *("string-astral", "bytes-0", "reference-a", "geo-west", "array-1", "vector-1-2"),
        *("map-a-1", "map-a-1.0"),
    ],
)
def test_a_comparison_finds_its_own_type_only(
    db: firestore.Client, rungs: Ladder, probe: str
) -> None:
    at, kind, value = _find(rungs, probe)

    found = {op: ids(db.collection("o").where(filter=where("v", op, value))) for op in COMPARISONS}

    assert found == {
        op: [
            key
            for index, (type_, rung) in enumerate(rungs)
            for key, _ in rung
            if type_ == kind and holds(index, at)
        ]
        for op, holds in COMPARISONS.items()
    }


@pytest.mark.parametrize("probe", ["zero-a", "one-b", "string-a", "array-1", "map-a-1", "true"])
def test_not_equal_finds_every_other_value_but_null(
    db: firestore.Client, rungs: Ladder, probe: str
) -> None:
    at, _, value = _find(rungs, probe)

    found = ids(db.collection("o").where(filter=where("v", "!=", value)))

    assert found == [
        key
        for index, (kind, rung) in enumerate(rungs)
        for key, _ in rung
        if index != at and kind != "null"
    ]


@pytest.mark.parametrize(
    ("op", "value", "kinds"),
    [
        pytest.param("==", None, {"null"}, id="is-null"),
        pytest.param("==", math.nan, {"nan"}, id="is-nan"),
    ],
)
def test_null_and_nan_are_found_by_asking_for_them(
    db: firestore.Client, rungs: Ladder, op: str, value: Any, kinds: set[str]
) -> None:
    found = ids(db.collection("o").where(filter=where("v", op, value)))

    assert found == [key for kind, rung in rungs for key, _ in rung if kind in kinds]


@pytest.mark.parametrize(
    ("value", "without"),
    [
        pytest.param(None, {"null"}, id="is-not-null"),
        pytest.param(math.nan, {"null", "nan"}, id="is-not-nan"),
    ],
)
def test_not_null_and_not_nan_find_all_the_rest(
    db: firestore.Client, rungs: Ladder, value: Any, without: set[str]
) -> None:
    found = ids(db.collection("o").where(filter=where("v", "!=", value)))

    assert found == [key for kind, rung in rungs for key, _ in rung if kind not in without]


def test_cursors_cut_the_order_across_types(db: firestore.Client, rungs: Ladder) -> None:
    expected = [key for kind, rung in rungs for key, _ in rung if kind in ("string", "bytes")]
    query = db.collection("o").order_by("v").start_at({"v": ""}).end_at({"v": b"\xff"})

    assert ids(query) == expected


def _find(rungs: Ladder, probe: str) -> tuple[int, str, Any]:
    for index, (kind, rung) in enumerate(rungs):
        for key, value in rung:
            if key == probe:
                return index, kind, value
    raise LookupError(probe)

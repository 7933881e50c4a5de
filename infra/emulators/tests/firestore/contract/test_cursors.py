"""The four cursors, by values and by snapshots."""

import math
from typing import Any

import pytest
from google.cloud import firestore

from infra.emulators.tests.firestore.documents import fill, ids, where
from infra.emulators.tests.firestore.wire import Wire, cursor, order, select

DOWN = firestore.Query.DESCENDING

ROWS: dict[str, dict[str, Any]] = {
    "r/1": {"a": 1, "b": 1},
    "r/2": {"a": 1, "b": 2},
    "r/3": {"a": 2, "b": 1},
    "r/4": {"a": 2.0, "b": 2},
    "r/5": {"a": None, "b": 1},
    "r/6": {"a": "x", "b": 1},
    "r/7": {"a": math.nan, "b": 1},
}
BY_A = ["5", "7", "1", "2", "3", "4", "6"]


@pytest.fixture
def rows(db: firestore.Client) -> firestore.CollectionReference:
    fill(db, {**ROWS, "r/without": {"b": 1}})
    return db.collection("r")


@pytest.mark.parametrize(
    ("value", "first"),
    [
        (None, "5"),
        (math.nan, "7"),
        (-5, "1"),
        (1, "1"),
        (1.5, "3"),
        (2, "3"),
        (2.0, "3"),
        ("", "6"),
    ],
)
def test_start_at_a_value_begins_with_it(
    rows: firestore.CollectionReference, value: Any, first: str
) -> None:
    query = rows.order_by("a").start_at({"a": value})

    assert ids(query) == BY_A[BY_A.index(first) :]


@pytest.mark.parametrize(
    ("value", "first"), [(None, "7"), (math.nan, "1"), (0, "1"), (1, "3"), (2.0, "6"), (99, "6")]
)
def test_start_after_a_value_begins_behind_all_its_equals(
    rows: firestore.CollectionReference, value: Any, first: str
) -> None:
    query = rows.order_by("a").start_after({"a": value})

    assert ids(query) == BY_A[BY_A.index(first) :]


@pytest.mark.parametrize(
    ("value", "last"), [(None, "5"), (math.nan, "7"), (1.0, "2"), (1.5, "2"), (2, "4"), ("x", "6")]
)
def test_end_at_a_value_ends_with_all_its_equals(
    rows: firestore.CollectionReference, value: Any, last: str
) -> None:
    query = rows.order_by("a").end_at({"a": value})

    assert ids(query) == BY_A[: BY_A.index(last) + 1]


@pytest.mark.parametrize(("value", "last"), [(math.nan, "5"), (1, "7"), (2, "2"), ("x", "4")])
def test_end_before_a_value_ends_in_front_of_it(
    rows: firestore.CollectionReference, value: Any, last: str
) -> None:
    query = rows.order_by("a").end_before({"a": value})

    assert ids(query) == BY_A[: BY_A.index(last) + 1]


def test_cursors_follow_a_descending_order(rows: firestore.CollectionReference) -> None:
    query = rows.order_by("a", direction=DOWN)

    assert ids(query.start_at({"a": 1})) == ["2", "1", "7", "5"]
    assert ids(query.start_after({"a": 1})) == ["7", "5"]
    assert ids(query.end_at({"a": 2})) == ["6", "4", "3"]
    assert ids(query.end_before({"a": 2})) == ["6"]


def test_a_cursor_of_two_values_is_a_place_in_two_orders(
    rows: firestore.CollectionReference,
) -> None:
    query = rows.order_by("a").order_by("b", direction=DOWN)

    assert ids(query.start_at({"a": 1, "b": 1})) == ["1", "4", "3", "6"]
    assert ids(query.start_after({"a": 1, "b": 2})) == ["1", "4", "3", "6"]
    assert ids(query.end_before({"a": 2, "b": 1})) == ["5", "7", "2", "1", "4"]


def test_a_cursor_may_stop_short_of_all_orders(rows: firestore.CollectionReference) -> None:
    query = rows.order_by("a").order_by("b")

    assert ids(query.start_at([2])) == ["3", "4", "6"]
    assert ids(query.start_after([1])) == ["3", "4", "6"]
    assert ids(query.end_at([1])) == ["5", "7", "1", "2"]


def test_a_cursor_of_no_values_is_equal_to_everything(rows: firestore.CollectionReference) -> None:
    query = rows.order_by("a")

    assert ids(query.start_at([])) == ids(query.end_at([])) == BY_A
    assert ids(query.start_after([])) == ids(query.end_before([])) == []


def test_both_ends_cut_a_window(rows: firestore.CollectionReference) -> None:
    query = rows.order_by("a").start_at({"a": 1}).end_before({"a": "x"})

    assert ids(query) == ["1", "2", "3", "4"]


def test_a_window_turned_around_is_empty(rows: firestore.CollectionReference) -> None:
    assert ids(rows.order_by("a").start_at({"a": 2}).end_at({"a": 1})) == []


def test_cursors_come_before_offset_and_limit(rows: firestore.CollectionReference) -> None:
    assert ids(rows.order_by("a").start_at({"a": 1}).offset(1).limit(2)) == ["2", "3"]


def test_a_snapshot_is_an_exact_place(db: firestore.Client, rows: Any) -> None:
    query, at = rows.order_by("a"), db.document("r/2").get()

    assert ids(query.start_at(at)) == ["2", "3", "4", "6"]
    assert ids(query.start_after(at)) == ["3", "4", "6"]
    assert ids(query.end_at(at)) == ["5", "7", "1", "2"]
    assert ids(query.end_before(at)) == ["5", "7", "1"]


def test_a_snapshot_is_an_exact_place_downwards(db: firestore.Client, rows: Any) -> None:
    query, at = rows.order_by("a", direction=DOWN), db.document("r/2").get()

    assert ids(query.start_at(at)) == ["2", "1", "7", "5"]
    assert ids(query.start_after(at)) == ["1", "7", "5"]
    assert ids(query.end_at(at)) == ["6", "4", "3", "2"]
    assert ids(query.end_before(at)) == ["6", "4", "3"]


def test_a_snapshot_without_an_order_is_a_place_among_names(
    db: firestore.Client, rows: Any
) -> None:
    assert ids(rows.start_after(db.document("r/5").get())) == ["6", "7", "without"]


def test_a_snapshot_with_an_inequality(db: firestore.Client, rows: Any) -> None:
    query = rows.where(filter=where("b", ">=", 1))

    assert ids(query.start_after(db.document("r/6").get())) == ["7", "without", "2", "4"]


def test_a_deleted_snapshot_is_still_a_place(db: firestore.Client, rows: Any) -> None:
    at = db.document("r/2").get()
    db.document("r/2").delete()

    assert ids(rows.order_by("a").start_after(at)) == ["3", "4", "6"]
    assert ids(rows.order_by("a").start_at(at)) == ["3", "4", "6"]


def test_paging_by_snapshots_sees_every_document_once(db: firestore.Client) -> None:
    fill(db, {f"p/{n:03}": {"k": n % 4} for n in range(25)})
    query = db.collection("p").order_by("k", direction=DOWN).limit(7)

    seen: list[str] = []
    page = list(query.stream())
    while page:
        seen += [snapshot.id for snapshot in page]
        page = list(query.start_after(page[-1]).stream())

    assert seen == sorted((f"{n:03}" for n in range(25)), key=lambda i: (-(int(i) % 4), -int(i)))


def test_a_name_is_a_cursor_where_it_is_ordered_by(wire: Wire, db: firestore.Client) -> None:
    fill(db, ROWS)
    place = {"start_at": cursor(1, db.document("r/1"), before=False)}

    found = wire.ids(select("r", order_by=[order("a"), order("__name__")], **place))

    assert found == ["2", "3", "4", "6"]

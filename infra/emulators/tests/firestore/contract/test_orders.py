"""Order, the orders nobody wrote down, limit, limit-to-last and offset."""

from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And
from grpc import StatusCode

from infra.emulators.tests.firestore.documents import fill, ids, where
from infra.emulators.tests.firestore.wire import refused

DOWN = firestore.Query.DESCENDING

ROWS: dict[str, dict[str, Any]] = {
    "r/1": {"a": 1, "b": 2, "m": {"x": 3}},
    "r/2": {"a": 1, "b": 1, "m": {"x": 1}},
    "r/3": {"a": 2, "b": 2, "m": {"x": 2}},
    "r/4": {"a": 2, "b": 1, "m": {}},
    "r/5": {"a": 3, "m": 7},
    "r/6": {"b": 0},
}


@pytest.fixture
def rows(db: firestore.Client) -> firestore.CollectionReference:
    fill(db, ROWS)
    return db.collection("r")


def test_an_order_leaves_out_who_lacks_the_field(rows: firestore.CollectionReference) -> None:
    assert ids(rows.order_by("a")) == ["1", "2", "3", "4", "5"]


def test_names_break_ties_in_the_direction_of_the_last_order(
    rows: firestore.CollectionReference,
) -> None:
    assert ids(rows.order_by("a", direction=DOWN)) == ["5", "4", "3", "2", "1"]


def test_an_order_by_name_may_go_the_other_way(rows: firestore.CollectionReference) -> None:
    assert ids(rows.order_by("a", direction=DOWN).order_by("__name__")) == ["5", "3", "4", "1", "2"]


def test_orders_apply_one_after_another(rows: firestore.CollectionReference) -> None:
    assert ids(rows.order_by("a").order_by("b")) == ["2", "1", "4", "3"]
    assert ids(rows.order_by("a").order_by("b", direction=DOWN)) == ["1", "2", "3", "4"]
    assert ids(rows.order_by("b", direction=DOWN).order_by("a")) == ["1", "3", "2", "4"]


def test_an_order_reaches_into_maps(rows: firestore.CollectionReference) -> None:
    assert ids(rows.order_by("m.x")) == ["2", "3", "1"]


def test_an_inequality_orders_by_its_field(rows: firestore.CollectionReference) -> None:
    assert ids(rows.where(filter=where("b", ">", 0))) == ["2", "4", "1", "3"]


def test_several_inequalities_order_by_their_fields_alphabetically(
    rows: firestore.CollectionReference,
) -> None:
    query = rows.where(filter=And([where("b", ">", 0), where("a", "<", 3)]))

    assert ids(query) == ["2", "1", "4", "3"]


def test_the_orders_nobody_wrote_take_the_last_direction(
    rows: firestore.CollectionReference,
) -> None:
    query = rows.where(filter=And([where("b", ">", 0), where("a", "<", 3)]))

    assert ids(query.order_by("b", direction=DOWN)) == ["3", "1", "4", "2"]


def test_an_inequality_on_one_field_with_an_order_on_another(
    rows: firestore.CollectionReference,
) -> None:
    assert ids(rows.where(filter=where("a", ">", 1)).order_by("b")) == ["4", "3"]


def test_an_equality_with_an_order_on_another_field(rows: firestore.CollectionReference) -> None:
    query = rows.where(filter=where("a", "==", 1)).order_by("b", direction=DOWN)

    assert ids(query) == ["1", "2"]


def test_an_equality_with_an_order_on_the_same_field(rows: firestore.CollectionReference) -> None:
    query = rows.where(filter=where("a", "==", 1)).order_by("a", direction=DOWN)

    assert ids(query) == ["2", "1"]


def test_an_inequality_may_be_ordered_downwards(rows: firestore.CollectionReference) -> None:
    query = rows.where(filter=where("a", ">=", 2)).order_by("a", direction=DOWN)

    assert ids(query) == ["5", "4", "3"]


def test_an_in_keeps_the_order_of_names(rows: firestore.CollectionReference) -> None:
    assert ids(rows.where(filter=where("a", "in", [3, 1]))) == ["1", "2", "5"]


def test_an_in_with_an_order(rows: firestore.CollectionReference) -> None:
    query = rows.where(filter=where("a", "in", [1, 2])).order_by("b")

    assert ids(query) == ["2", "4", "1", "3"]


def test_documents_stand_in_the_order_of_their_ids_as_bytes(db: firestore.Client) -> None:
    names = ["!", "-", "0", "10", "9", "A", "_", "a", "aa", "é", "～", "😀"]
    fill(db, {f"n/{name}": {"x": 1} for name in reversed(names)})

    assert ids(db.collection("n")) == names
    assert ids(db.collection("n").where(filter=where("x", "==", 1))) == names


def test_names_downwards_need_an_index_of_their_own(rows: firestore.CollectionReference) -> None:
    with refused(StatusCode.FAILED_PRECONDITION):
        ids(rows.order_by("__name__", direction=DOWN))


def test_names_downwards_behind_another_order_need_none(
    rows: firestore.CollectionReference,
) -> None:
    query = rows.order_by("a").order_by("__name__", direction=DOWN)
    chosen = rows.where(filter=where("a", "in", [1, 3])).order_by("__name__", direction=DOWN)

    assert ids(query) == ["2", "1", "4", "3", "5"]
    assert ids(chosen) == ["5", "2", "1"]


def test_a_limit_takes_the_first(rows: firestore.CollectionReference) -> None:
    assert ids(rows.order_by("b").limit(2)) == ["6", "2"]


def test_a_limit_beyond_the_end_takes_all(rows: firestore.CollectionReference) -> None:
    assert ids(rows.limit(100)) == ["1", "2", "3", "4", "5", "6"]


def test_a_limit_to_last_takes_the_last_in_the_same_order(
    rows: firestore.CollectionReference,
) -> None:
    query = rows.order_by("a").limit_to_last(3)

    assert [snapshot.id for snapshot in query.get()] == ["3", "4", "5"]


def test_a_limit_to_last_joins_filters_and_several_orders(
    rows: firestore.CollectionReference,
) -> None:
    query = rows.where(filter=where("a", "<", 3)).order_by("b", direction=DOWN).order_by("a")

    assert [snapshot.id for snapshot in query.limit_to_last(3).get()] == ["3", "2", "4"]


def test_an_offset_skips(rows: firestore.CollectionReference) -> None:
    assert ids(rows.offset(4)) == ["5", "6"]
    assert ids(rows.order_by("a").offset(1).limit(2)) == ["2", "3"]


def test_an_offset_beyond_the_end_finds_nothing(rows: firestore.CollectionReference) -> None:
    assert ids(rows.offset(100)) == []

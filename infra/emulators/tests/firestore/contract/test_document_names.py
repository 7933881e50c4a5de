"""Queries by `__name__`, collection groups, and documents of every kind below a parent."""

from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import And, Or
from grpc import StatusCode

from infra.emulators.tests.firestore.documents import fill, ids, paths, where
from infra.emulators.tests.firestore.wire import Wire, field, order, refused, select, unary

NAME = "__name__"

TREE: dict[str, dict[str, Any]] = {
    "g/a": {"n": 1},
    "g/a/m/1": {"n": 1, "k": "x"},
    "g/a/m/2": {"n": 2, "k": "y"},
    "g/a/m/2/m/deep": {"n": 0, "k": "x"},
    "g/b": {"n": 2},
    "g/b/m/1": {"n": 3, "k": "x"},
    "g/c": {"n": 3},
    "h/a/m/9": {"n": 1, "k": "y"},
    "m/top": {"n": 9, "k": "x"},
}


@pytest.fixture
def tree(db: firestore.Client) -> firestore.Client:
    fill(db, TREE)
    return db


def test_a_name_is_equal_to_itself(tree: firestore.Client) -> None:
    group = tree.collection("g")

    assert ids(group.where(filter=where(NAME, "==", tree.document("g/b")))) == ["b"]
    assert ids(group.where(filter=where(NAME, "==", tree.document("g/nobody")))) == []


def test_names_can_be_asked_for_by_a_list(tree: firestore.Client) -> None:
    wanted = [tree.document("g/c"), tree.document("g/a"), tree.document("g/nobody")]

    assert ids(tree.collection("g").where(filter=where(NAME, "in", wanted))) == ["a", "c"]


def test_names_can_be_left_out(tree: firestore.Client) -> None:
    group, b, c = tree.collection("g"), tree.document("g/b"), tree.document("g/c")

    assert ids(group.where(filter=where(NAME, "!=", b))) == ["a", "c"]
    assert ids(group.where(filter=where(NAME, "not-in", [b, c]))) == ["a"]


def test_names_have_ranges(tree: firestore.Client) -> None:
    group, a, b, c = tree.collection("g"), *(tree.document(f"g/{i}") for i in "abc")

    assert ids(group.where(filter=where(NAME, ">", a))) == ["b", "c"]
    assert ids(group.where(filter=where(NAME, ">=", b))) == ["b", "c"]
    assert ids(group.where(filter=where(NAME, "<", b))) == ["a"]
    assert ids(group.where(filter=And([where(NAME, ">", a), where(NAME, "<", c)]))) == ["b"]


def test_a_name_joins_other_filters(tree: firestore.Client) -> None:
    group, a = tree.collection("g"), tree.document("g/a")

    assert ids(group.where(filter=And([where(NAME, ">", a), where("n", "==", 3)]))) == ["c"]
    assert ids(group.where(filter=And([where(NAME, ">", a), where("n", ">", 2)]))) == ["c"]
    assert ids(group.where(filter=Or([where(NAME, "==", a), where("n", "==", 3)]))) == ["a", "c"]


def test_a_name_filter_takes_references_only(wire: Wire, tree: firestore.Client) -> None:
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.ids(select("g", where=field(NAME, "EQUAL", "a")))
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.ids(select("g", where=field(NAME, "IN", ["a"])))
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.ids(select("g", where=unary(NAME, "IS_NULL")))
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.ids(select("g", where=field(NAME, "ARRAY_CONTAINS", tree.document("g/a"))))


@pytest.mark.parametrize("both", [And, Or])
def test_a_name_asked_for_cannot_join_an_inequality_on_another_field(
    tree: firestore.Client, both: type[And | Or]
) -> None:
    group, a, more = tree.collection("g"), tree.document("g/a"), where("n", ">", 0)

    with refused(StatusCode.INVALID_ARGUMENT):
        ids(group.where(filter=both([where(NAME, "==", a), more])))
    with refused(StatusCode.INVALID_ARGUMENT):
        ids(group.where(filter=both([where(NAME, "in", [a]), more])))


def test_a_name_asked_for_may_join_where_names_have_an_inequality_too(
    tree: firestore.Client,
) -> None:
    group, a, b, c = tree.collection("g"), *(tree.document(f"g/{i}") for i in "abc")
    more = where("n", ">", 0)

    both = And([where(NAME, "in", [a, b]), where(NAME, ">", a), more])
    either = Or([And([where(NAME, "==", b), more]), where(NAME, ">=", c)])

    assert ids(group.where(filter=both)) == ["b"]
    assert ids(group.where(filter=either)) == ["b", "c"]


def test_a_collection_group_is_every_collection_of_that_id(tree: firestore.Client) -> None:
    assert paths(tree.collection_group("m").stream()) == [
        "g/a/m/1",
        "g/a/m/2",
        "g/a/m/2/m/deep",
        "g/b/m/1",
        "h/a/m/9",
        "m/top",
    ]


def test_a_collection_group_takes_filters(tree: firestore.Client) -> None:
    query = tree.collection_group("m").where(filter=where("k", "==", "x"))

    assert paths(query.stream()) == ["g/a/m/1", "g/a/m/2/m/deep", "g/b/m/1", "m/top"]


def test_a_collection_group_takes_orders_and_limits(tree: firestore.Client) -> None:
    query = tree.collection_group("m").order_by("n", direction="DESCENDING")

    assert paths(query.limit(3).stream()) == ["m/top", "g/b/m/1", "g/a/m/2"]


def test_a_collection_group_takes_cursors(tree: firestore.Client) -> None:
    query = tree.collection_group("m").order_by("n")
    at = tree.document("g/a/m/1").get()

    assert paths(query.start_after(at).stream()) == ["h/a/m/9", "g/a/m/2", "g/b/m/1", "m/top"]


def test_a_collection_group_takes_name_ranges(tree: firestore.Client) -> None:
    query = tree.collection_group("m")
    low, high = tree.document("g/a"), tree.document("g/b")

    within = query.where(filter=And([where(NAME, ">=", low), where(NAME, "<", high)]))

    assert paths(within.stream()) == ["g/a/m/1", "g/a/m/2", "g/a/m/2/m/deep"]


def test_a_collection_group_below_a_document(wire: Wire, tree: firestore.Client) -> None:
    everywhere = {"from_": [{"collection_id": "m", "all_descendants": True}]}

    assert wire.ids(everywhere, parent=wire.name("g/a")) == ["1", "2", "deep"]
    assert wire.ids(select("m"), parent=wire.name("g/a")) == ["1", "2"]


def test_a_collection_group_below_a_document_is_not_the_document_itself(
    wire: Wire, db: firestore.Client
) -> None:
    fill(db, {"m/a": {}, "m/a/m/b": {}, "m/a/m/b/m/c": {}})
    everywhere = {"from_": [{"collection_id": "m", "all_descendants": True}]}

    assert wire.ids(everywhere, parent=wire.name("m/a")) == ["b", "c"]
    assert wire.ids(everywhere, parent=wire.name("m/a/m/b")) == ["c"]


def test_a_query_of_no_collection_finds_the_children_of_every_kind(
    wire: Wire, tree: firestore.Client
) -> None:
    assert wire.ids({"from_": [{}]}) == ["a", "b", "c", "top"]
    assert wire.ids({"from_": [{}]}, parent=wire.name("g/a")) == ["1", "2"]


def test_names_stand_in_the_order_of_their_segments(db: firestore.Client) -> None:
    written = ["a/x", "a/x/m/1", "a/x/m/1/m/1", "a/x-/m/1", "a/y", "a-/x", "b/x"]
    fill(db, {path: {} for path in reversed(written)})

    query = {"from_": [{"all_descendants": True}]}
    wire = Wire(db)
    found = [answer.document.name for answer in wire.query(query)]

    assert found == [wire.name(path) for path in written]


def test_everything_below_a_document_whatever_its_collection(
    wire: Wire, tree: firestore.Client
) -> None:
    below = wire.ids({"from_": [{"all_descendants": True}]}, parent=wire.name("g/a"))

    assert below == ["1", "2", "deep"]


def test_a_recursive_query_finds_what_lies_below_a_collection(tree: firestore.Client) -> None:
    assert paths(tree.collection("g").recursive().stream()) == [
        "g/a",
        "g/a/m/1",
        "g/a/m/2",
        "g/a/m/2/m/deep",
        "g/b",
        "g/b/m/1",
        "g/c",
    ]


def test_a_query_over_all_collections_takes_no_other_field(
    wire: Wire, tree: firestore.Client
) -> None:
    everything = [{"all_descendants": True}]

    with refused(StatusCode.INVALID_ARGUMENT, "kind is required"):
        wire.ids({"from_": everything, "where": field("n", "EQUAL", 1)})
    with refused(StatusCode.INVALID_ARGUMENT, "kind is required"):
        wire.ids({"from_": everything, "order_by": [order("n")]})

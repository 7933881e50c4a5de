"""Requests that make no sense get INVALID_ARGUMENT and a message, never a stack trace or a hang."""

import pytest
from grpc import StatusCode

from infra.emulators.tests.firestore.differences import differs
from infra.emulators.tests.firestore.servers import Server
from infra.emulators.tests.firestore.wire import (
    Message,
    Wire,
    composite,
    cursor,
    field,
    order,
    refused,
    select,
    status_of,
    unary,
    value,
)

BROKEN_PATHS = ["a..b", ".a", "a.", "1a", "a-b", "a b", "名", "`a", "a`b`", "a.``", "[a]", "a/b"]


@pytest.mark.parametrize("path", ["", *BROKEN_PATHS])
def test_a_broken_field_path_is_refused(wire: Wire, path: str) -> None:
    fragment = "property path"

    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.commit(wire.update("x/y", {"a": 1}, mask=[path]))
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.ids(select("x", where=field(path, "EQUAL", 1)))
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.ids(select("x", order_by=[order(path)]))
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.ids(select("x", select={"fields": [{"field_path": path}]}))
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.get("x/y", mask={"field_paths": [path]})


def test_a_reserved_name_in_a_mask_is_refused(wire: Wire) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, "__x__"):
        wire.commit(wire.update("x/y", {"a": 1}, mask=["__x__"]))


@pytest.mark.parametrize(
    "write",
    [
        pytest.param({}, id="nothing-in-it"),
        pytest.param({"delete": "", "current_document": {"exists": True}}, id="delete-of-no-name"),
    ],
)
def test_an_empty_write_is_refused(wire: Wire, write: Message) -> None:
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(write)


def test_only_updates_take_masks_and_transforms(wire: Wire) -> None:
    mask = {"update_mask": {"field_paths": ["a"]}}
    increment = {"field_path": "a", "increment": value(1)}

    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(wire.delete("x/y", **mask))
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(wire.delete("x/y", update_transforms=[increment]))
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(wire.transform("x/y", increment, **mask))


LESS, GREATER = field("a", "LESS_THAN", 9), field("a", "GREATER_THAN", 1)
CONTAINS = field("l", "ARRAY_CONTAINS", 1)
ANY = field("l", "ARRAY_CONTAINS_ANY", [1, 2])
NOT_IN, NOT_EQUAL, IN = field("a", "NOT_IN", [1]), field("a", "NOT_EQUAL", 1), field("b", "IN", [1])
ONLY_ONE_NEGATION = "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL'"
ONE_ARRAY_FILTER = "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction"
NOT_IN_ALONE = "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'"


@pytest.mark.parametrize(
    ("filtered", "fragment"),
    [
        pytest.param(field("a", "IN", []), "'IN' requires", id="in-nothing"),
        pytest.param(field("a", "IN", 1), "'IN' requires", id="in-a-number"),
        pytest.param(field("a", "NOT_IN", []), "'NOT_IN' requires", id="not-in-nothing"),
        pytest.param(field("a", "NOT_IN", "x"), "'NOT_IN' requires", id="not-in-a-string"),
        pytest.param(
            field("a", "ARRAY_CONTAINS_ANY", []), "'ARRAY_CONTAINS_ANY' requires", id="any-nothing"
        ),
        pytest.param(
            field("a", "ARRAY_CONTAINS_ANY", 1), "'ARRAY_CONTAINS_ANY' requires", id="any-a-number"
        ),
        pytest.param(
            composite("AND", CONTAINS, field("l", "ARRAY_CONTAINS", 2)),
            ONE_ARRAY_FILTER,
            id="two-contains",
        ),
        pytest.param(composite("AND", CONTAINS, ANY), ONE_ARRAY_FILTER, id="contains-and-any"),
        pytest.param(composite("AND", NOT_EQUAL, NOT_IN), ONLY_ONE_NEGATION, id="not-equal-not-in"),
        pytest.param(
            composite("AND", NOT_EQUAL, field("b", "NOT_EQUAL", 1)),
            ONLY_ONE_NEGATION,
            id="two-not-equals",
        ),
        pytest.param(
            composite("AND", NOT_IN, field("b", "NOT_IN", [1])), ONLY_ONE_NEGATION, id="two-not-ins"
        ),
        pytest.param(
            composite("AND", NOT_EQUAL, unary("a", "IS_NOT_NULL")),
            ONLY_ONE_NEGATION,
            id="not-equal-and-not-null",
        ),
        pytest.param(
            composite("AND", unary("a", "IS_NOT_NAN"), unary("b", "IS_NOT_NULL")),
            ONLY_ONE_NEGATION,
            id="not-nan-and-not-null",
        ),
        pytest.param(composite("AND", NOT_IN, IN), NOT_IN_ALONE, id="not-in-and-in"),
        pytest.param(composite("AND", NOT_IN, ANY), NOT_IN_ALONE, id="not-in-and-any"),
        pytest.param(composite("OR", NOT_IN, GREATER), NOT_IN_ALONE, id="not-in-or-more"),
        pytest.param({}, "", id="filter-of-no-kind"),
        pytest.param(field("a", 0, 1), "perator", id="no-operator"),
        pytest.param(unary("a", 0), "perator", id="no-unary-operator"),
        pytest.param(composite(0, LESS, GREATER), "perator", id="no-composite-operator"),
        pytest.param(
            {"field_filter": {"field": {"field_path": "a"}, "op": "EQUAL"}}, "", id="no-value"
        ),
    ],
)
def test_a_filter_that_cannot_be_is_refused(wire: Wire, filtered: Message, fragment: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.ids(select("x", where=filtered))


@pytest.mark.parametrize(
    ("query", "fragment"),
    [
        pytest.param({"limit": {"value": -1}}, "limit is negative", id="negative-limit"),
        pytest.param({"offset": -1}, "offset is negative", id="negative-offset"),
        pytest.param({"order_by": [order("a"), order("a", "DESCENDING")]}, "a", id="order-twice"),
        pytest.param(
            {"order_by": [order("__name__"), order("a")]}, "order by", id="order-behind-the-name"
        ),
        pytest.param(
            {"order_by": [order("a")], "start_at": cursor(1, 2)},
            "Cursor has too many values",
            id="cursor-longer-than-the-order",
        ),
        pytest.param(
            {"start_at": cursor(1)}, "Cursor has too many values", id="cursor-without-an-order"
        ),
        pytest.param(
            {"order_by": [order("a")], "end_at": cursor(1, 2)},
            "Cursor has too many values",
            id="end-longer-than-the-order",
        ),
        pytest.param(
            {"where": GREATER, "start_at": cursor(2)},
            "Cursor has too many values",
            id="cursor-in-an-order-nobody-wrote",
        ),
        pytest.param(
            {"order_by": [order("__name__")], "start_at": cursor("x")}, "", id="name-cursor-of-text"
        ),
        pytest.param(
            {"from_": [{"collection_id": "x"}, {"collection_id": "y"}]},
            "more than one collection",
            id="two-collections",
        ),
        pytest.param({"from_": [{"collection_id": "x/y"}]}, "x/y", id="collection-with-a-slash"),
        pytest.param({"from_": [{"collection_id": "__x__"}]}, "reserved", id="reserved-collection"),
    ],
)
def test_a_query_that_cannot_be_is_refused(wire: Wire, query: Message, fragment: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.ids(select("x", **query) if "from_" not in query else query)


@pytest.mark.parametrize("below", ["", "/x", "/x/y/z"])
def test_a_parent_that_holds_no_collections_is_refused(wire: Wire, below: str) -> None:
    parent = f"{wire.documents}{below}" if below else wire.database

    with refused(StatusCode.INVALID_ARGUMENT, "parent"):
        wire.ids(select("x"), parent=parent)


@pytest.mark.parametrize("method", ["run_query", "run_aggregation_query"])
def test_a_request_without_a_query_is_refused(wire: Wire, method: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT):
        list(wire.call(method, {"parent": wire.documents}))


@differs("Google's emulator answers UNKNOWN and no reason")
@pytest.mark.parametrize(
    "garbage", [b"\xff\xff\xff", b"\x0a\x03\xff\xfe\xfd"], ids=["no-fields", "no-text"]
)
def test_bytes_that_are_no_message_are_refused(server: Server, garbage: bytes) -> None:
    method = "google.firestore.v1.Firestore/Commit"

    assert status_of(server.host, method, garbage) == StatusCode.INVALID_ARGUMENT


def test_a_refusal_leaves_the_connection_usable(wire: Wire) -> None:
    for _ in range(5):
        with refused(StatusCode.INVALID_ARGUMENT):
            wire.ids(select("x", limit={"value": -1}))
        assert wire.ids(select("x")) == []

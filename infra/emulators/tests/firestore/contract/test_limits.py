"""How large, how deep, how many: what fits, and what is refused for being one too many."""

from typing import Any

import pytest
from google.cloud import firestore
from grpc import StatusCode

from infra.emulators.tests.firestore.differences import differs
from infra.emulators.tests.firestore.documents import fill
from infra.emulators.tests.firestore.wire import Wire, composite, field, order, refused, select

MIB = 1024 * 1024
SMALL_MESSAGES = "Google's emulator takes no message over 4 MiB and answers RESOURCE_EXHAUSTED"


def _document_of(path: str, size: int) -> dict[str, str]:
    """Fields that bring the document to this size, as Firestore counts it.

    A name is 16 bytes and each segment with one more; a field its name with one more and its
    value; a string its UTF-8 bytes with one more; a document 32 more.
    """
    name = 16 + sum(len(segment.encode()) + 1 for segment in path.split("/"))
    fields = {"a": "x" * 500_000, "b": "y" * 500_000, "c": ""}
    taken = name + 32 + sum(len(key) + 1 + len(text) + 1 for key, text in fields.items())
    return {**fields, "c": "z" * (size - taken)}


def test_a_document_may_be_one_mebibyte(db: firestore.Client) -> None:
    fields = _document_of("s/x", MIB)
    db.document("s/x").set(fields)

    assert db.document("s/x").get().to_dict() == fields


def test_a_document_may_not_be_a_byte_more(db: firestore.Client) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, "maximum"):
        db.document("s/x").set(_document_of("s/x", MIB + 1))

    assert not db.document("s/x").get().exists


def test_a_name_counts_towards_the_size(db: firestore.Client) -> None:
    fields = _document_of("s/x", MIB)

    with refused(StatusCode.INVALID_ARGUMENT):
        db.document("s/xx").set(fields)


def test_a_document_may_not_grow_beyond_the_limit_by_merging(db: firestore.Client) -> None:
    db.document("s/x").set(_document_of("s/x", MIB - 10))

    with refused(StatusCode.INVALID_ARGUMENT):
        db.document("s/x").update({"more": "than ten bytes"})
    with refused(StatusCode.INVALID_ARGUMENT):
        db.document("s/x").update({"more": firestore.ArrayUnion(["than ten bytes"])})

    assert set(db.document("s/x").get().to_dict() or {}) == {"a", "b", "c"}


@pytest.mark.parametrize("value", ["x" * 1_048_487, b"x" * 1_048_487])
def test_a_value_may_be_a_mebibyte_less_89_bytes(db: firestore.Client, value: Any) -> None:
    db.document("s/x").set({"v": value})

    assert db.document("s/x").get().get("v") == value


@pytest.mark.parametrize("value", ["x" * 1_048_488, b"x" * 1_048_488, "é" * 524_244])
def test_a_value_may_not_be_a_byte_more(db: firestore.Client, value: Any) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, "longer than 1048487 bytes"):
        db.document("s/x").set({"v": value})


@pytest.mark.parametrize("name", ["x" * 1500, "é" * 750, "..." * 500])
def test_an_id_may_have_1500_bytes(db: firestore.Client, name: str) -> None:
    db.document(f"s/{name}").set({"n": 1})
    db.document(f"{name}/x").set({"n": 1})

    assert [s.id for s in db.collection("s").stream()] == [name]
    assert [s.id for s in db.collection(name).stream()] == ["x"]


@pytest.mark.parametrize("path", ["s/" + "x" * 1501, "s/" + "é" * 751, "x" * 1501 + "/s"])
def test_an_id_may_not_have_1501_bytes(wire: Wire, path: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, "1500 bytes"):
        wire.commit(wire.update(path, {"n": 1}))


@pytest.mark.parametrize("name", ["__", "__x", "x__", "_x_", "...", ".x", "-", " ", "a b"])
def test_an_unusual_id_is_an_id(db: firestore.Client, name: str) -> None:
    db.document(f"s/{name}").set({"n": 1})

    assert [s.id for s in db.collection("s").stream()] == [name]


@pytest.mark.parametrize(
    ("path", "fragment"),
    [
        pytest.param("s/__x__", '"__x__" is invalid because it is reserved', id="reserved-id"),
        pytest.param("__x__/s", '"__x__" is invalid because it is reserved', id="reserved-group"),
        pytest.param(
            "s/____",
            "",
            id="reserved-id-of-nothing-between",
            marks=differs("Google's emulator takes ____, though it matches the documented __.*__"),
        ),
        pytest.param("s/.", '"."', id="one-dot"),
        pytest.param("s/..", '".."', id="two-dots"),
        pytest.param("s//t/x", "", id="empty-part"),
        pytest.param("s/x/", 'trailing "/"', id="trailing-slash"),
        pytest.param("s/x/t", "", id="a-collection"),
        pytest.param("s", "", id="a-top-collection"),
    ],
)
def test_a_path_that_names_no_document_is_refused(wire: Wire, path: str, fragment: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.commit(wire.update(path, {"n": 1}))
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.commit(wire.delete(path))
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.get(path)


@pytest.mark.parametrize("name", ["", "x/y", "projects/p", "projects/p/databases/(default)"])
def test_a_name_outside_any_database_is_refused(wire: Wire, name: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, name):
        wire.commit({"update": {"name": name}})


def test_a_document_may_lie_100_deep(db: firestore.Client) -> None:
    path = "/".join(["c", "d"] * 100)
    db.document(path).set({"n": 1})

    assert db.document(path).get().exists


def _nested(depth: int) -> Any:
    inner: Any = 1
    for _ in range(depth):
        inner = {"m": inner}
    return inner


def test_values_may_lie_20_deep(db: firestore.Client) -> None:
    fields = {"maps": _nested(20), "arrays": [{"a": [{"a": [_nested(15)]}]}]}
    db.document("s/x").set(fields)

    assert db.document("s/x").get().to_dict() == fields


@pytest.mark.parametrize("value", [_nested(21), [_nested(20)]], ids=["maps", "array-of-maps"])
def test_values_may_not_lie_21_deep(db: firestore.Client, value: Any) -> None:
    with refused(StatusCode.INVALID_ARGUMENT):
        db.document("s/x").set({"v": value})

    assert not db.document("s/x").get().exists


def test_a_field_name_may_have_1500_bytes(db: firestore.Client) -> None:
    db.document("s/x").set({"k" * 1500: 1})

    assert db.document("s/x").get().to_dict() == {"k" * 1500: 1}


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"k" * 1501: 1}, id="too-long"),
        pytest.param({"": 1}, id="empty"),
        pytest.param({"__x__": 1}, id="reserved"),
        pytest.param({"m": {"__x__": 1}}, id="reserved-inside-a-map"),
    ],
)
def test_a_field_name_firestore_cannot_hold_is_refused(wire: Wire, fields: dict[str, Any]) -> None:
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(wire.update("s/x", fields))

    assert wire.get("s/x")[0].missing


def _mebibytes(wire: Wire, count: int) -> list[dict[str, Any]]:
    return [wire.update(f"s/{n}", {"v": "x" * 1_000_000}) for n in range(count)]


def test_three_mebibytes_fit_in_a_commit(wire: Wire) -> None:
    assert len(wire.commit(*_mebibytes(wire, 3)).write_results) == 3


@differs(SMALL_MESSAGES)
def test_nine_mebibytes_fit_in_a_commit(wire: Wire) -> None:
    assert len(wire.commit(*_mebibytes(wire, 9)).write_results) == 9


@differs(SMALL_MESSAGES)
def test_a_request_may_not_have_more_than_10_mebibytes(wire: Wire) -> None:
    with refused(StatusCode.INVALID_ARGUMENT):
        wire.commit(*_mebibytes(wire, 12))

    assert wire.get("s/0")[0].missing


def test_an_answer_may_be_larger_than_any_request(db: firestore.Client) -> None:
    for n in range(12):
        fill(db, {f"s/{n:02}": {"v": "x" * 1_000_000}})

    assert sum(len(s.get("v")) for s in db.collection("s").stream()) == 12_000_000


@pytest.mark.parametrize(
    ("filtered", "fragment"),
    [
        pytest.param(
            composite("OR", *(field("a", "EQUAL", n) for n in range(31))),
            "maximum of 30",
            id="31-branches",
        ),
        pytest.param(
            composite("AND", field("a", "IN", list(range(16))), field("b", "IN", [0, 1])),
            "maximum of 30",
            id="16-times-2-branches",
        ),
        pytest.param(field("a", "IN", list(range(31))), "30 comparison values", id="in-31"),
        pytest.param(
            field("a", "ARRAY_CONTAINS_ANY", list(range(31))),
            "30 comparison values",
            id="array-contains-any-31",
        ),
        pytest.param(field("a", "NOT_IN", list(range(11))), "10 comparison values", id="not-in-11"),
        pytest.param(
            composite("AND", *(field("a", "GREATER_THAN", n) for n in range(101))),
            "100",
            id="101-filters",
        ),
        pytest.param(
            composite("AND", *(field(f"f{n}", "GREATER_THAN", n) for n in range(11))),
            "10",
            id="inequalities-on-11-fields",
        ),
    ],
)
def test_a_query_may_not_ask_for_too_much(
    wire: Wire, filtered: dict[str, Any], fragment: str
) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.ids(select("s", where=filtered))


def test_a_query_may_ask_for_much(wire: Wire) -> None:
    ten = composite("AND", *(field(f"f{n}", "GREATER_THAN", n) for n in range(10)))
    hundred = composite("AND", *(field("a", "GREATER_THAN", n) for n in range(99)))

    assert wire.ids(select("s", where=field("a", "NOT_IN", list(range(10))))) == []
    assert wire.ids(select("s", where=field("a", "IN", list(range(30))))) == []
    assert wire.ids(select("s", where=ten)) == []
    assert wire.ids(select("s", where=hundred, order_by=[order("a")])) == []

"""Select: which fields of a document a query brings."""

from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector

from infra.emulators.tests.firestore.documents import fill, where


def _read(query: firestore.Query) -> dict[str, dict[str, object] | None]:
    return {snapshot.id: snapshot.to_dict() for snapshot in query.stream()}


def test_select_brings_the_named_fields(db: firestore.Client) -> None:
    fill(db, {"p/1": {"a": 1, "b": 2, "c": 3}, "p/2": {"b": None}})

    assert _read(db.collection("p").select(["a", "b"])) == {"1": {"a": 1, "b": 2}, "2": {"b": None}}


def test_select_reaches_into_maps(db: firestore.Client) -> None:
    fill(db, {"p/1": {"m": {"x": 1, "y": {"z": 2, "w": 3}}, "x": 9}, "p/2": {"m": 5}})

    assert _read(db.collection("p").select(["m.x", "m.y.z"])) == {
        "1": {"m": {"x": 1, "y": {"z": 2}}},
        "2": {},
    }


def test_select_does_not_reach_into_vectors(db: firestore.Client) -> None:
    fill(db, {"p/1": {"v": Vector([1.0])}})

    assert _read(db.collection("p").select(["v.value"])) == {"1": {}}
    assert _read(db.collection("p").select(["v"])) == {"1": {"v": Vector([1.0])}}


def test_select_takes_quoted_names(db: firestore.Client) -> None:
    fill(db, {"p/1": {"a.b": 1, "a": {"b": 2}, "字": 3}})

    assert _read(db.collection("p").select(["`a.b`", "`字`"])) == {"1": {"a.b": 1, "字": 3}}


def test_select_of_the_name_brings_no_field(db: firestore.Client) -> None:
    fill(db, {"p/1": {"a": 1}, "p/2": {}})

    assert _read(db.collection("p").select(["__name__"])) == {"1": {}, "2": {}}


def test_select_of_nothing_brings_names_only(db: firestore.Client) -> None:
    fill(db, {"p/1": {"a": 1}})

    assert _read(db.collection("p").select([])) == {"1": {}}


def test_select_keeps_the_times(db: firestore.Client) -> None:
    written = db.document("p/1").set({"a": 1, "b": 2})

    (snapshot,) = db.collection("p").select(["a"]).stream()

    assert snapshot.create_time == snapshot.update_time == written.update_time


def test_select_may_leave_out_what_the_query_filters_and_orders_by(db: firestore.Client) -> None:
    fill(db, {"p/1": {"a": 1, "b": 2, "c": 5}, "p/2": {"a": 1, "b": 1, "c": 6}})
    query = db.collection("p").where(filter=where("a", "==", 1)).order_by("b").select(["c"])

    assert [snapshot.to_dict() for snapshot in query.stream()] == [{"c": 6}, {"c": 5}]


def test_select_finds_who_lacks_the_field(db: firestore.Client) -> None:
    fill(db, {"p/1": {"a": 1}, "p/2": {"b": 1}})

    assert _read(db.collection("p").select(["a"])) == {"1": {"a": 1}, "2": {}}

"""Set, merge, update, create, add and delete through the SDK."""

from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.vector import Vector
from grpc import StatusCode

from infra.emulators.tests.firestore.documents import moment
from infra.emulators.tests.firestore.wire import Wire, refused

GONE = firestore.DELETE_FIELD


def test_set_makes_a_document(db: firestore.Client) -> None:
    result = db.document("w/x").set({"a": 1})

    snapshot = db.document("w/x").get()
    assert snapshot.to_dict() == {"a": 1}
    assert snapshot.update_time == result.update_time


def test_set_replaces_the_whole_document(db: firestore.Client) -> None:
    db.document("w/x").set({"a": 1, "b": {"c": 2}})
    db.document("w/x").set({"b": {"d": 3}})

    assert db.document("w/x").get().to_dict() == {"b": {"d": 3}}


def test_set_needs_no_parent(db: firestore.Client) -> None:
    db.document("w/ghost/s/x").set({"a": 1})

    assert not db.document("w/ghost").get().exists
    assert db.document("w/ghost/s/x").get().to_dict() == {"a": 1}


def test_writing_what_is_already_there_changes_no_time(db: firestore.Client) -> None:
    first = db.document("w/x").set({"a": 1, "b": [1, {"c": 2}]})
    again = db.document("w/x").set({"b": [1, {"c": 2}], "a": 1})

    assert again.update_time == first.update_time
    assert db.document("w/x").get().update_time == first.update_time


def test_an_integer_in_place_of_an_equal_double_is_a_change(db: firestore.Client) -> None:
    first = db.document("w/x").set({"a": 1.0})
    again = db.document("w/x").set({"a": 1})

    assert moment(again.update_time) > moment(first.update_time)
    assert isinstance(db.document("w/x").get().get("a"), int)


BEFORE: dict[str, Any] = {"a": 1, "b": {"x": 1, "y": 2}, "c": [1], "d.e": 5}


@pytest.mark.parametrize(
    ("data", "merge", "after"),
    [
        pytest.param({"a": 2}, True, {**BEFORE, "a": 2}, id="one-field"),
        pytest.param({"new": 1}, True, {**BEFORE, "new": 1}, id="new-field"),
        pytest.param({"b": {"x": 9}}, True, {**BEFORE, "b": {"x": 9, "y": 2}}, id="inside-a-map"),
        pytest.param({"b": {"x": GONE}}, True, {**BEFORE, "b": {"y": 2}}, id="delete-in-a-map"),
        pytest.param({"c": [2]}, True, {**BEFORE, "c": [2]}, id="arrays-are-replaced"),
        pytest.param({"b": {}}, True, {**BEFORE, "b": {}}, id="empty-map-replaces"),
        pytest.param({}, True, BEFORE, id="nothing"),
        pytest.param({"a": 2, "c": [2]}, ["a"], {**BEFORE, "a": 2}, id="named-fields-only"),
        pytest.param(
            {"b": {"x": 9, "y": 9}}, ["b.x"], {**BEFORE, "b": {"x": 9, "y": 2}}, id="named-nested"
        ),
        pytest.param({"b": {"z": 9}}, ["b"], {**BEFORE, "b": {"z": 9}}, id="named-map-replaces"),
        pytest.param({"a": GONE}, ["a"], {k: v for k, v in BEFORE.items() if k != "a"}, id="gone"),
        pytest.param({"d.e": 6}, ["`d.e`"], {**BEFORE, "d.e": 6}, id="quoted-name"),
    ],
)
def test_merge_changes_only_what_it_names(
    db: firestore.Client, data: dict[str, Any], merge: Any, after: dict[str, Any]
) -> None:
    db.document("w/x").set(BEFORE)
    db.document("w/x").set(data, merge=merge)

    assert db.document("w/x").get().to_dict() == after


@pytest.mark.parametrize("data", [{"a": {"b": 1}}, {}])
def test_merge_makes_a_document_that_is_missing(db: firestore.Client, data: dict[str, Any]) -> None:
    db.document("w/x").set(data, merge=True)

    snapshot = db.document("w/x").get()
    assert snapshot.exists
    assert snapshot.to_dict() == data


@pytest.mark.parametrize(
    ("changes", "after"),
    [
        pytest.param({"a": 2}, {**BEFORE, "a": 2}, id="one-field"),
        pytest.param({"b": {"x": 9}}, {**BEFORE, "b": {"x": 9}}, id="a-map-is-replaced"),
        pytest.param({"b.x": 9}, {**BEFORE, "b": {"x": 9, "y": 2}}, id="nested-path"),
        pytest.param(
            {"b.z.w": 9}, {**BEFORE, "b": {"x": 1, "y": 2, "z": {"w": 9}}}, id="deep-path"
        ),
        pytest.param({"b.x": GONE}, {**BEFORE, "b": {"y": 2}}, id="nested-delete"),
        pytest.param({"b.x": GONE, "b.y": GONE}, {**BEFORE, "b": {}}, id="an-emptied-map-stays"),
        pytest.param({"n.o": GONE}, BEFORE, id="delete-of-what-is-not-there"),
        pytest.param({"a.x": GONE}, BEFORE, id="delete-below-a-number"),
        pytest.param({"a.x": 1}, {**BEFORE, "a": {"x": 1}}, id="write-below-a-number"),
        pytest.param({"`d.e`": 6}, {**BEFORE, "d.e": 6}, id="quoted-path"),
        pytest.param({"d.e": 6}, {**BEFORE, "d": {"e": 6}}, id="dots-are-paths"),
        pytest.param({"`字`.`0`": 6}, {**BEFORE, "字": {"0": 6}}, id="quoted-segments"),
        pytest.param({"`\\`\\\\`": 6}, {**BEFORE, "`\\": 6}, id="escaped-ticks"),
    ],
)
def test_update_changes_only_the_paths_it_names(
    db: firestore.Client, changes: dict[str, Any], after: dict[str, Any]
) -> None:
    db.document("w/x").set(BEFORE)
    db.document("w/x").update(changes)

    assert db.document("w/x").get().to_dict() == after


def test_update_of_a_missing_document_is_not_found(db: firestore.Client) -> None:
    with refused(StatusCode.NOT_FOUND):
        db.document("w/x").update({"a": 1})

    assert not db.document("w/x").get().exists


def test_create_makes_a_document_once(db: firestore.Client) -> None:
    db.document("w/x").create({"a": 1})

    with refused(StatusCode.ALREADY_EXISTS):
        db.document("w/x").create({"a": 2})

    assert db.document("w/x").get().to_dict() == {"a": 1}


def test_add_invents_an_id(db: firestore.Client) -> None:
    _, reference = db.collection("w").add({"a": 1})

    assert len(reference.id) == 20
    assert reference.get().to_dict() == {"a": 1}


def test_delete_removes_a_document_but_nothing_below_it(db: firestore.Client) -> None:
    db.document("w/x").set({"a": 1})
    db.document("w/x/s/y").set({"a": 2})
    db.document("w/x").delete()

    assert not db.document("w/x").get().exists
    assert db.document("w/x/s/y").get().exists


def test_delete_of_a_missing_document_is_no_error(db: firestore.Client) -> None:
    db.document("w/x").delete()

    assert not db.document("w/x").get().exists


@pytest.mark.parametrize(
    ("changes", "after"),
    [
        pytest.param({"v.a": 1}, {"a": 1}, id="write"),
        pytest.param({"v.value": [2.0]}, {"value": [2.0]}, id="write-of-its-own-entry"),
        pytest.param({"v.a": firestore.Increment(1)}, {"a": 1}, id="transform"),
        pytest.param({"v.value": GONE}, Vector([1.0]), id="delete"),
    ],
)
def test_a_vector_has_no_fields_inside(
    db: firestore.Client, changes: dict[str, Any], after: Any
) -> None:
    db.document("w/x").set({"v": Vector([1.0])})
    db.document("w/x").update(changes)

    assert db.document("w/x").get().to_dict() == {"v": after}


def test_an_update_mask_deletes_what_the_document_does_not_bring(wire: Wire) -> None:
    wire.commit(wire.update("w/x", {"a": 1, "b": {"x": 1, "y": 2}}))
    wire.commit(wire.update("w/x", {"c": 9, "b": {"z": 9}}, mask=["a", "b.x", "b.z"]))

    (answer,) = wire.get("w/x")
    assert set(answer.found.fields) == {"b"}
    assert set(answer.found.fields["b"].map_value.fields) == {"y", "z"}


def test_an_empty_update_mask_changes_nothing(wire: Wire) -> None:
    first = wire.commit(wire.update("w/x", {"a": 1}))
    again = wire.commit(wire.update("w/x", {"a": 2, "b": 2}, mask=[]))

    assert again.write_results[0].update_time == first.write_results[0].update_time
    assert wire.get("w/x")[0].found.fields["a"].integer_value == 1


def test_a_delete_has_no_update_time(wire: Wire) -> None:
    wire.commit(wire.update("w/x", {"a": 1}))
    answer = wire.commit(wire.delete("w/x"))

    assert answer.commit_time
    assert not answer.write_results[0].update_time

"""Preconditions: exists, does not exist, last changed at a time."""

from datetime import timedelta
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1 import types as messages
from grpc import StatusCode

from infra.emulators.tests.firestore.wire import Wire, refused


def test_an_update_can_ask_for_an_update_time(db: firestore.Client) -> None:
    written = db.document("p/x").set({"a": 1})
    option = db.write_option(last_update_time=written.update_time)

    db.document("p/x").update({"a": 2}, option=option)
    with refused(StatusCode.FAILED_PRECONDITION):
        db.document("p/x").update({"a": 3}, option=option)

    assert db.document("p/x").get().to_dict() == {"a": 2}


@pytest.mark.parametrize(
    ("off", "code"),
    [
        pytest.param(timedelta(microseconds=-1), StatusCode.FAILED_PRECONDITION, id="earlier"),
        pytest.param(timedelta(microseconds=1), StatusCode.INVALID_ARGUMENT, id="in-its-future"),
    ],
)
def test_an_update_time_is_asked_for_to_the_microsecond(
    db: firestore.Client, off: timedelta, code: StatusCode
) -> None:
    written = db.document("p/x").set({"a": 1})
    option = db.write_option(last_update_time=written.update_time + off)

    with refused(code):
        db.document("p/x").update({"a": 2}, option=option)


def test_an_update_time_between_two_microseconds_is_refused(wire: Wire) -> None:
    written = wire.commit(wire.update("p/x", {"a": 1}))
    asked = {"current_document": {"update_time": written.commit_time}}
    request = messages.CommitRequest(  # type: ignore[no-untyped-call]
        database=wire.database, writes=[{**wire.update("p/x", {"a": 2}), **asked}]
    )
    messages.CommitRequest.pb(request).writes[0].current_document.update_time.nanos += 1

    with refused(StatusCode.INVALID_ARGUMENT, "microseconds"):
        wire.call("commit", request)


def test_an_update_time_of_a_missing_document_fails(db: firestore.Client) -> None:
    written = db.document("p/x").set({"a": 1})
    db.document("p/x").delete()

    with refused(StatusCode.FAILED_PRECONDITION):
        db.document("p/x").update(
            {"a": 2}, option=db.write_option(last_update_time=written.update_time)
        )


def test_a_delete_can_ask_for_an_update_time(db: firestore.Client) -> None:
    old = db.document("p/x").set({"a": 1})
    new = db.document("p/x").set({"a": 2})

    with refused(StatusCode.FAILED_PRECONDITION):
        db.document("p/x").delete(option=db.write_option(last_update_time=old.update_time))
    assert db.document("p/x").get().exists

    db.document("p/x").delete(option=db.write_option(last_update_time=new.update_time))
    assert not db.document("p/x").get().exists


def test_a_delete_can_ask_for_existence(db: firestore.Client) -> None:
    with refused(StatusCode.NOT_FOUND):
        db.document("p/x").delete(option=db.write_option(exists=True))

    db.document("p/x").set({})
    db.document("p/x").delete(option=db.write_option(exists=True))
    assert not db.document("p/x").get().exists


@pytest.mark.parametrize(
    ("made", "precondition", "code"),
    [
        pytest.param(True, {"exists": False}, StatusCode.ALREADY_EXISTS, id="must-not-exist"),
        pytest.param(False, {"exists": True}, StatusCode.NOT_FOUND, id="must-exist"),
        pytest.param(
            True, {"update_time": {"seconds": 1}}, StatusCode.FAILED_PRECONDITION, id="other-time"
        ),
        pytest.param(
            False,
            {"update_time": {"seconds": 1}},
            StatusCode.FAILED_PRECONDITION,
            id="time-of-a-missing-document",
        ),
    ],
)
@pytest.mark.parametrize("kind", ["set", "merge", "transform", "delete"])
def test_a_precondition_holds_for_every_kind_of_write(
    wire: Wire, kind: str, made: bool, precondition: dict[str, Any], code: StatusCode
) -> None:
    if made:
        wire.commit(wire.update("p/x", {"a": 1}))
    increment = {"field_path": "a", "increment": {"integer_value": 1}}
    write = {
        "set": wire.update("p/x", {"a": 2}),
        "merge": wire.update("p/x", {"a": 2}, mask=["a"]),
        "transform": wire.transform("p/x", increment),
        "delete": wire.delete("p/x"),
    }[kind]

    with refused(code):
        wire.commit({**write, "current_document": precondition})

    (answer,) = wire.get("p/x")
    assert (answer.found.fields["a"].integer_value == 1) if made else answer.missing


def test_a_precondition_that_holds_lets_the_write_through(wire: Wire) -> None:
    wire.commit(wire.create("p/x", {"a": 1}))
    wire.commit(wire.patch("p/x", {"b": 2}))
    wire.commit(wire.delete("p/x", current_document={"exists": True}))
    wire.commit(wire.delete("p/x", current_document={"exists": False}))

    assert wire.get("p/x")[0].missing


def test_an_empty_precondition_asks_for_nothing(wire: Wire) -> None:
    wire.commit({**wire.update("p/x", {"a": 1}), "current_document": {}})

    assert wire.get("p/x")[0].found.name

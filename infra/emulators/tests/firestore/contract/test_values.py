"""Every value type comes back as it was written; what Firestore cannot hold is refused."""

import math
import struct
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.cloud import firestore
from google.cloud.firestore_v1 import types as messages
from google.cloud.firestore_v1.vector import Vector
from grpc import StatusCode

from infra.emulators.tests.firestore.wire import Wire, raw_value, refused

NOON = datetime(2024, 2, 29, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    "written",
    [
        pytest.param(None, id="null"),
        pytest.param(True, id="true"),
        pytest.param(False, id="false"),
        pytest.param(0, id="zero"),
        pytest.param(-(2**63), id="smallest-integer"),
        pytest.param(2**63 - 1, id="largest-integer"),
        pytest.param(2**53 + 1, id="integer-no-double-holds"),
        pytest.param(1.0, id="whole-double"),
        pytest.param(5e-324, id="smallest-double"),
        pytest.param(1.7976931348623157e308, id="largest-double"),
        pytest.param(math.inf, id="infinity"),
        pytest.param(-math.inf, id="minus-infinity"),
        pytest.param("", id="empty-string"),
        pytest.param("记忆 mémoire 🧠", id="unicode"),
        pytest.param("a\0b\nc", id="control-characters"),
        pytest.param(b"", id="no-bytes"),
        pytest.param(bytes(range(256)), id="every-byte"),
        pytest.param(NOON, id="time"),
        pytest.param(datetime(1, 1, 1, tzinfo=UTC), id="first-time"),
        pytest.param(datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC), id="last-time"),
        pytest.param(firestore.GeoPoint(-90.0, 180.0), id="geo-point"),
        pytest.param([], id="empty-array"),
        pytest.param([1, "two", None, 3.0, True, b"6"], id="mixed-array"),
        pytest.param([{"in": [{"deeper": [1]}]}], id="arrays-inside-maps-inside-arrays"),
        pytest.param({}, id="empty-map"),
        pytest.param({"a": {"b": {"c": [{}]}}, "é ü": {"x.y": 1}}, id="nested-maps"),
        pytest.param(Vector([1.0, -2.5]), id="vector"),
    ],
)
def test_a_value_is_read_as_it_was_written(db: firestore.Client, written: Any) -> None:
    db.document("v/x").set({"v": written, "deep": {"v": written}})

    read = db.document("v/x").get().to_dict()

    assert read == {"v": written, "deep": {"v": written}}
    assert type(read["v"]) is type(written) or isinstance(written, datetime)


def test_an_empty_document_exists(db: firestore.Client) -> None:
    db.document("v/x").set({})

    snapshot = db.document("v/x").get()

    assert snapshot.exists
    assert snapshot.to_dict() == {}


def test_nan_comes_back_as_nan(db: firestore.Client) -> None:
    db.document("v/x").set({"v": math.nan})

    read = db.document("v/x").get().get("v")

    assert isinstance(read, float)
    assert math.isnan(read)


def test_minus_zero_keeps_its_sign(db: firestore.Client) -> None:
    db.document("v/x").set({"v": -0.0})

    read = db.document("v/x").get().get("v")

    assert struct.pack(">d", read) == struct.pack(">d", -0.0)


def test_a_reference_comes_back_as_a_reference(db: firestore.Client) -> None:
    db.document("v/x").set({"v": db.document("a/b/c/d")})

    read = db.document("v/x").get().get("v")

    assert isinstance(read, firestore.DocumentReference)
    assert read.path == "a/b/c/d"


def test_a_reference_may_point_into_another_project(wire: Wire) -> None:
    elsewhere = "projects/other/databases/(default)/documents/a/b"
    wire.commit(_write(wire, raw_value(reference_value=elsewhere)))

    (answer,) = wire.get("v/x")

    assert answer.found.fields["v"].reference_value == elsewhere


@pytest.mark.parametrize(
    ("seconds", "nanos", "kept"),
    [
        pytest.param(1, 123_456_789, 123_456_000, id="after-1970"),
        pytest.param(-1, 999_999_999, 999_999_000, id="before-1970"),
        pytest.param(0, 999, 0, id="less-than-a-microsecond"),
    ],
)
def test_a_time_is_cut_to_microseconds(wire: Wire, seconds: int, nanos: int, kept: int) -> None:
    wire.commit(_write(wire, _time(seconds, nanos)))

    (answer,) = wire.get("v/x")

    read = messages.Document.pb(answer.found).fields["v"].timestamp_value
    assert (read.seconds, read.nanos) == (seconds, kept)


def test_ids_and_field_names_may_be_any_unicode(db: firestore.Client) -> None:
    written = {"字段": 1, "a.b": 2, "with `ticks` and \\": 3, "0": 4}
    db.document("集合/文档 é 🧠").set(written)

    assert db.document("集合/文档 é 🧠").get().to_dict() == written
    assert [collection.id for collection in db.collections()] == ["集合"]


def test_a_document_knows_when_it_was_made_and_changed(db: firestore.Client) -> None:
    made = db.document("v/x").set({"v": 1})
    first = db.document("v/x").get()
    changed = db.document("v/x").set({"v": 2})
    second = db.document("v/x").get()

    assert first.create_time == first.update_time == made.update_time
    assert second.create_time == first.create_time
    assert second.update_time == changed.update_time
    assert second.update_time > first.update_time
    assert second.read_time >= second.update_time


def test_a_document_made_again_is_a_new_one(db: firestore.Client) -> None:
    db.document("v/x").set({"v": 1})
    first = db.document("v/x").get()
    db.document("v/x").delete()
    db.document("v/x").set({"v": 1})

    assert db.document("v/x").get().create_time - first.create_time > timedelta(0)


@pytest.mark.parametrize(
    ("bad", "fragment"),
    [
        pytest.param(raw_value(), "", id="no-type"),
        pytest.param({"seconds": -62_135_596_801, "nanos": 0}, "imestamp", id="time-too-early"),
        pytest.param({"seconds": 253_402_300_800, "nanos": 0}, "imestamp", id="time-too-late"),
        pytest.param({"seconds": 1, "nanos": -1}, "imestamp", id="negative-nanos"),
        pytest.param({"seconds": 1, "nanos": 1_000_000_000}, "imestamp", id="too-many-nanos"),
        pytest.param(
            raw_value(geo_point_value={"latitude": 90.5, "longitude": 0}),
            "latitude",
            id="latitude-beyond-the-pole",
        ),
        pytest.param(
            raw_value(geo_point_value={"latitude": 0, "longitude": -180.5}),
            "longitude",
            id="longitude-beyond-the-line",
        ),
        pytest.param(
            raw_value(geo_point_value={"latitude": math.nan, "longitude": 0}),
            "latitude",
            id="latitude-not-a-number",
        ),
        pytest.param(raw_value(reference_value=""), "", id="empty-reference"),
        pytest.param(raw_value(reference_value="a/b"), "projects", id="relative-reference"),
        pytest.param(
            raw_value(reference_value="projects/p/databases/(default)/documents/a"),
            "",
            id="reference-to-a-collection",
        ),
        pytest.param(
            raw_value(array_value={"values": [{"array_value": {"values": []}}]}),
            "array",
            id="array-directly-in-an-array",
        ),
        pytest.param(raw_value(field_reference_value="a"), "", id="field-reference"),
    ],
)
def test_a_value_firestore_cannot_hold_is_refused(wire: Wire, bad: Any, fragment: str) -> None:
    if isinstance(bad, dict):
        bad = _time(**bad)

    with refused(StatusCode.INVALID_ARGUMENT, fragment):
        wire.commit(_write(wire, bad))

    assert wire.get("v/x")[0].missing


def test_a_vector_directly_in_an_array_is_refused(db: firestore.Client) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, "vector"):
        db.document("v/x").set({"v": [Vector([1.0])]})

    assert not db.document("v/x").get().exists


def _write(wire: Wire, value: messages.Value) -> dict[str, Any]:
    return {"update": {"name": wire.name("v/x"), "fields": {"v": value}}}


def _time(seconds: int, nanos: int) -> messages.Value:
    """A time beyond what Python's own can say, as raw numbers."""
    raw = messages.Value.pb(raw_value())
    raw.timestamp_value.seconds = seconds
    raw.timestamp_value.nanos = nanos
    wrapped: messages.Value = messages.Value.wrap(raw)  # type: ignore[no-untyped-call]
    return wrapped

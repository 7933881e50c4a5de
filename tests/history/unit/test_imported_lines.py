"""What an import lets in: only what its own route would have let in, told by the field."""

import base64
import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.domain.group import Group
from shared.domain.knowledge.graph import Entity
from shared.domain.memories.memory import Memory
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import pack_half
from shared.domain.storable import check_storable
from shared.domain.topics.topic import Topic
from shared.domain.transfer.admission import RecordBounds, check_record
from shared.domain.transfer.lines import ExportLine, for_group, read_line, written
from shared.domain.transfer.older_formats import end_summaries, old_memories, profile_file
from shared.errors import InvalidInput
from shared.stores.transfer import as_stored, record_of

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
GROUP = "test:a"
BOUNDS = RecordBounds(NOW, "m", 4)
MEMORY = Memory("m1", GROUP, "The crew rows", 1, NOW, NOW, root_id="m1")
MESSAGE = StoredMessage(
    group_id=GROUP, message_id="1", user_id="u1", content="hello", create_time=NOW
)
TOPIC = Topic("t1", GROUP, "keys", "u1", NOW, NOW)
OWN = Group(GROUP, "test", created_at=NOW)
BAD_TIME = {"$time": "9999-12-31T23:59:59+00:00"}
NAN = {"$bytes": base64.b64encode(pack_half([float("nan"), 1, 1, 1])).decode()}
SHORT = {"$bytes": base64.b64encode(pack_half([1, 1])).decode()}


def line_of(kind: str, own_id: str, record: Any, /, **changes: Any) -> str:
    whole = json.loads(written(ExportLine(kind, own_id, asdict(record))))
    whole["data"].update(changes)
    return json.dumps(whole)


def admitted(text: str) -> ExportLine:
    line = for_group(read_line(text), GROUP)
    record = record_of(line, GROUP)
    check_record(record, BOUNDS)
    return as_stored(line, record)


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("kind", "own_id", "record"),
    [
        ("group", "test:a", OWN),
        ("message", "1", MESSAGE),
        ("topic", "t1", TOPIC),
        ("memory", "m1", MEMORY),
        ("entity", "e1", Entity("e1", GROUP, "Mara", NOW, NOW)),
    ],
)
def test_a_record_of_ours_is_let_in_as_it_is(kind: str, own_id: str, record: Any) -> None:
    text = line_of(kind, own_id, record)

    assert record_of(admitted(text), GROUP) == record


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("timezone", line_of("group", "test:a", OWN, timezone="Nope/Zone")),
        ("audience", line_of("group", "test:a", OWN, audience="everybody")),
        ("opted_out", line_of("group", "test:a", OWN, opted_out=["a/b"])),
        ("cursors", line_of("group", "test:a", OWN, cursors={"x": {"at": BAD_TIME}})),
        ("create_time", line_of("message", "1", MESSAGE, create_time=BAD_TIME)),
        (
            "create_time",
            line_of("message", "1", MESSAGE, create_time={"$time": "2027-01-01T00:00:00+00:00"}),
        ),
        ("create_time", line_of("message", "1", MESSAGE, create_time="2026-01-01T00:00:00Z")),
        ("vector", line_of("message", "1", MESSAGE, vector=NAN)),
        ("vector", line_of("message", "1", MESSAGE, vector=SHORT, vector_model="m")),
        ("vector", line_of("message", "1", MESSAGE, vector={"$bytes": "AAAA"})),
        ("user_id", line_of("message", "1", MESSAGE, user_id="a/b")),
        ("mentions", line_of("message", "1", MESSAGE, mentions=[{"user_id": "u"}] * 201)),
        ("attachments", line_of("message", "1", MESSAGE, attachments=[{"kind": "bomb"}])),
        ("features", line_of("message", "1", MESSAGE, features={"message_type": [1]})),
        ("id", line_of("message", "2", MESSAGE)),
        ("id", line_of("message", ".", MESSAGE)),
        ("id", line_of("message", "__a__", MESSAGE)),
        ("id", line_of("message", "x" * 1600, MESSAGE)),
        ("id", line_of("message", "\ud800", MESSAGE)),
        ("version", line_of("memory", "m1", MEMORY, version=2**63)),
        ("version", line_of("memory", "m1", MEMORY, version=2**62)),
        ("version", line_of("memory", "m1", MEMORY, version=0)),
        ("version", line_of("memory", "m1", MEMORY, version="1")),
        ("strength", line_of("memory", "m1", MEMORY, strength=-3)),
        ("strength", line_of("memory", "m1", MEMORY, strength=1e300)),
        ("strength", line_of("memory", "m1", MEMORY, strength=float("nan"))),
        ("confidence", line_of("memory", "m1", MEMORY, confidence=float("inf"))),
        ("statement", line_of("memory", "m1", MEMORY, statement="x" * 501)),
        ("statement", line_of("memory", "m1", MEMORY, statement=" ")),
        ("kind", line_of("memory", "m1", MEMORY, kind="spell")),
        ("created_at", line_of("memory", "m1", MEMORY, created_at={"$time": "0001-01-01"})),
        ("tags", line_of("memory", "m1", MEMORY, tags=[[1]])),
        ("tags", line_of("memory", "m1", MEMORY, tags=5)),
        ("statement", line_of("memory", "m1", MEMORY, statement="\ud800")),
        ("more", line_of("memory", "m1", MEMORY, more=deep(30))),
        ("data", line_of("memory", "m1", MEMORY, more="x" * 1_500_000)),
        ("vector_count", line_of("topic", "t1", TOPIC, vector_sum={"$bytes": "AACAPw=="})),
        ("keywords", line_of("topic", "t1", TOPIC, keywords={"a": 1e300})),
        ("name", line_of("entity", "e1", Entity("e1", GROUP, "Mara", NOW, NOW), name="  ")),
        ("data", '{"kind":"memory","id":"x","data":' + '{"a":' * 50_000 + "1" + "}" * 50_001),
        ("data", '{"kind":"relation","id":"x","data":{"group_id":"test:other"}}'),
    ],
)
def test_what_no_route_lets_in_is_refused_by_its_field(field: str, text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        admitted(text)

    if "relation" not in text:
        assert field in refused.value.message


def test_what_a_record_has_not_is_left_out_and_what_follows_is_made_anew() -> None:
    entity = Entity("e1", GROUP, "Mara", NOW, NOW)
    line = admitted(line_of("entity", "e1", entity, profile=5, name_keys=["joren"]))

    assert "profile" not in line.data
    assert line.data["name_keys"] == ["mara"]


@pytest.mark.parametrize(
    "payload",
    [
        {"version": "abc"},
        {"version": 10**400},
        {"tags": 5},
        {"strength": 10**400},
        {"strength": -3},
        {"strength": 1e300},
        {"created_at": "0001-01-01T00:00:00+14:00"},
    ],
)
def test_an_old_memory_that_cannot_be_is_refused_by_its_place(payload: dict[str, Any]) -> None:
    text = json.dumps([{"statement": "We row"}, {"statement": "We swim", **payload}])

    with pytest.raises(InvalidInput, match=r"memory 2|1970"):
        old_memories(text, GROUP, NOW)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '[{"statement":"x","version":1e400}]', '[{"statement":"x","strength":NaN}]'],
)
def test_what_is_hardly_json_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        old_memories(text, GROUP, NOW)


@pytest.mark.parametrize(
    "note", [{"end_seq": 10**30}, {"end_seq": "x"}, {"summary": "x" * 1_500_000}]
)
def test_an_old_note_that_cannot_be_is_refused(note: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="note 1"):
        end_summaries(json.dumps([{"summary": "Fed the cat", **note}]), GROUP, NOW)


def test_a_text_of_odd_digits_is_no_time() -> None:
    ((line, note),) = end_summaries(json.dumps({"²²²²²²²²²²": "Fed the cat"}), GROUP, NOW)

    assert (line.data["timestamp_utc"], note) == (NOW, None)


@pytest.mark.parametrize(
    "front",
    [
        "tags: 5",
        "tags: [[a]]",
        "preferences: [a]",
        "preferences: 5",
        "preferences: [{key: a, value: b, confidence: 7}]",
        "traits: {a: b}",
        "updated_at: 2024-13-45",
        "updated_at: 0001-01-01T00:00:00+14:00",
        "name: {a: b}",
        "name: " + "[" * 3_000,
        "name: " + "x" * 70_000,
    ],
)
def test_a_profile_that_cannot_be_is_refused(front: str) -> None:
    text = f"---\nentity_type: user\nentity_id: u1\n{front}\n---\n# Ida"

    with pytest.raises(InvalidInput):
        profile_file(text, GROUP, "group", NOW)


@pytest.mark.parametrize("part", ['name: "\\ud800"', "name: Ida\n---\n" + "x" * 1_500_000])
def test_a_profile_that_cannot_be_stored_is_refused(part: str) -> None:
    text = f"---\nentity_type: user\nentity_id: u1\n{part}\n---\n# Ida"
    line = profile_file(text, GROUP, "group", NOW)

    with pytest.raises(InvalidInput):
        check_storable(line.data, "data")

"""A group out and in again on real stores: nothing is lost, nothing doubled, whatever is killed."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from functions.evolve_group import handle_memory
from functions.historian_job import handle_transfer
from shared.contracts.memories import NewMemory, NewVersion
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.graph import Entity, Relation
from shared.domain.knowledge.profile import Profile, markdown_of
from shared.domain.topics.topic import Summary, Topic
from shared.domain.transfer.lines import ExportLine, for_group, read_line, written
from shared.search.asked import embedded_question
from shared.stores.entities import put_entity
from shared.stores.events import put_event
from shared.stores.profiles import put_profile, put_snapshot
from shared.stores.relations import put_relation
from shared.stores.topics import put_summary, put_topic
from shared.stores.transfer import Transfer
from shared.wiring import Services
from tests.memories.reading import Reading
from tests.services import replaced


async def filled(group: Reading) -> str:
    """A group with something of every kind."""
    made, group_id, now = group.made, group.group_id, group.clock()
    await group.say(("Mara", "who keeps the key?"), ("Joren", "the key hangs in the boathouse"))
    by_hand = handle_memory.deps_for(None, made)
    tea = await handle_memory.add(
        group_id, NewMemory(statement="The crew rows on Tuesdays"), by_hand
    )
    await handle_memory.add(
        group_id, NewMemory(statement="船员喜欢喝姜茶", kind="preference"), by_hand
    )
    tea = await handle_memory.change(tea, NewVersion(statement="The crew rows on Mondays"), by_hand)
    gone = await handle_memory.add(group_id, NewMemory(statement="Nobody swims"), by_hand)
    await handle_memory.remove(gone, by_hand)
    mara = Entity("e-mara" + group_id, group_id, "Mara", now, now, "person", user_id="u-mara")
    house = Entity("e-house" + group_id, group_id, "the boathouse", now, now, "location")
    edge = Relation("r1", group_id, mara.entity_id, house.entity_id, "keeps", now, now)
    user = Profile(
        "user", "u-mara", group_id, "# Mara\n\nRows stroke.", now, name="Mara", version=2
    )
    own = Profile("group", group_id, group_id, "# Crew\n\nEight people.", now)
    event = Event(
        "q1:1", group_id, "Mara mended the oar.", "q1", 1, now, now.isoformat(), "UTC", "", "group",
        "u-mara", "u-mara", (), ("u-mara",), False,
    )  # fmt: skip
    topic = Topic("t1" + group_id, group_id, "keys", "u-mara", now, now, summary_version=1)
    summary = Summary(topic.topic_id, group_id, 1, "The key is there.", "model", now, (), ())
    await made.database.commit(
        [
            *map(put_entity, (mara, house)),
            put_relation(edge),
            *map(put_profile, (user, own)),
            put_snapshot(replace(user, version=1, body="# Mara"), now),
            put_event(event),
            put_topic(topic),
            put_summary(summary),
        ]
    )
    return group_id


async def exported(made: Services, group_id: str, limit: int = 3) -> list[str]:
    lines: list[str] = []
    cursor: str | None = None
    while True:
        page = await made.transfer.page(group_id, cursor, limit)
        lines += [written(one) for one in page.lines]
        cursor = page.cursor
        if cursor is None:
            return lines


def bodies(lines: Sequence[str], size: int) -> list[str]:
    return ["\n".join(lines[at : at + size]) for at in range(0, len(lines), size)]


def without_group(lines: Sequence[str]) -> set[str]:
    return {one for one in lines if json.loads(one)["kind"] != "group"}


class Killed(Exception):
    """The process is gone."""


class Dying(Transfer):
    """Its process dies before or after one of its commits."""

    def __init__(self, database: Any, at: int, *, is_before: bool) -> None:
        super().__init__(database)
        self._left, self._is_before = at, is_before

    async def take(self, group_id: str, lines: Sequence[ExportLine]) -> None:
        self._left -= 1
        if self._left == 0 and self._is_before:
            raise Killed
        await super().take(group_id, lines)
        if self._left == 0:
            raise Killed


async def test_what_comes_in_is_what_went_out(reading: Reading) -> None:
    made = reading.made
    source = await filled(reading)
    target = f"{source}-again"
    lines = await exported(made, source)
    deps = made
    for body in bodies(lines, 5):
        report = await handle_transfer.take(target, body, "ndjson", deps)
        assert report.refused == []

    kinds = [json.loads(one)["kind"] for one in lines]
    assert kinds.index("topic") < kinds.index("summary") < kinds.index("memory")
    expected = {written(for_group(read_line(one), target)) for one in without_group(lines)}
    assert without_group(await exported(made, target)) == expected
    for group_id in (source, target):
        _, held = await made.memories.listed(group_id, status="active", limit=20, offset=0)
        assert {one.statement for one in held} == {"The crew rows on Mondays", "船员喜欢喝姜茶"}
        rows = next(one for one in held if "rows" in one.statement)
        history = await made.memories.history(rows)
        assert [one.memory.statement for one in history] == [
            "The crew rows on Tuesdays",
            "The crew rows on Mondays",
        ]
        walk = await made.graph_search.walk(group_id, "mara")
        assert [one.name for one in walk.entities] == ["Mara", "the boathouse"]
        hits = await made.memory_search.find(group_id, "when do they row?", limit=1)
        assert hits[0].memory.statement == "The crew rows on Mondays"
    found = await made.graph_search.find(target, "the boat shed", limit=1)
    assert found[0].entity.name == "the boathouse"
    assert await made.graph_search.find(target, "Hannah", limit=5) == []
    events = await made.event_search.near(
        target,
        await embedded_question(made.embedder, "the oar", group_id=target, budget_s=30),
        limit=1,
        threshold=0,
    )
    assert [one.event.canonical_text for one in events] == ["Mara mended the oar."]
    one, other = [await made.profiles.get(group, "user", "u-mara") for group in (source, target)]
    assert one is not None
    assert other is not None
    assert markdown_of(one) == markdown_of(other)
    own = await made.profiles.get(target, "group", target)
    assert own is not None
    snapshots = await made.profiles.snapshots(target, "user", "u-mara")
    assert [each.profile.body for each in snapshots] == ["# Mara"]


async def test_an_import_killed_five_times_ends_whole_and_without_doubles(
    reading: Reading,
) -> None:
    made = reading.made
    source = await filled(reading)
    target = f"{source}-killed"
    lines = await exported(made, source, limit=100)
    deps = made
    kills = 0
    for body in bodies(lines, 4):
        if kills < 5:
            dying = Dying(made.database, 1, is_before=kills % 2 == 0)
            with pytest.raises(Killed):
                await handle_transfer.take(target, body, "ndjson", replaced(deps, transfer=dying))
            kills += 1
        await handle_transfer.take(target, body, "ndjson", deps)
    again = await handle_transfer.take(target, "\n".join(lines), "ndjson", deps)

    assert kills == 5
    assert sum(again.kept.values()) == len(lines) - 1
    expected = {written(for_group(read_line(one), target)) for one in without_group(lines)}
    result = await exported(made, target)
    assert without_group(result) == expected
    assert len(result) == len(lines)


async def test_bad_lines_are_refused_by_number_and_the_rest_is_taken(
    reading: Reading,
) -> None:
    made, group_id = reading.made, reading.group_id
    source = await filled(reading)
    good = next(one for one in await exported(made, source) if '"kind":"event"' in one)
    bare, unknown = '{"kind":"memory","id":"x","data":{}}', '{"kind":"key","id":"x","data":{}}'
    page = f"nonsense\n{good}\n{bare}\n{unknown}"
    deps = made
    report = await handle_transfer.take(f"{group_id}-bad", page, "ndjson", deps)

    assert [one.line for one in report.refused] == [1, 3, 4]
    assert report.taken == {"event": 1}


@pytest.mark.parametrize(
    "notes",
    [
        [{"summary": "Booked the ferry", "timestamp": "2025-03-04 18:20:00"}, "Fed the cat"],
        {"2025-03-04 18:20:00": "Booked the ferry", "1741112400": {"summary": "Fed the cat"}},
    ],
)
async def test_old_notes_become_events(reading: Reading, notes: Any) -> None:
    made, group_id = reading.made, reading.group_id
    deps = made
    for _ in range(2):
        await handle_transfer.take(group_id, json.dumps(notes), "end_summaries", deps)
        reading.clock.turn(days=1)

    total, events = await made.events.listed(
        group_id, time_from=None, time_to=None, limit=10, offset=0
    )
    assert total == 2
    assert {one.canonical_text for one in events} == {"Booked the ferry", "Fed the cat"}
    ferry = next(one for one in events if "ferry" in one.canonical_text)
    assert ferry.timestamp_utc.isoformat() == "2025-03-04T18:20:00+00:00"


async def test_an_older_collection_keeps_its_histories_and_files_their_bytes(
    reading: Reading,
) -> None:
    made, group_id = reading.made, reading.group_id
    deps = made
    points = [
        {"memory_id": "a", "statement": "群里讨论动漫", "version": 1, "status": "deprecated"},
        {
            "payload": {
                "memory_id": "b",
                "statement": "群里每周五讨论新番",
                "version": 2,
                "parent_id": "a",
            }
        },
    ]
    await handle_transfer.take(group_id, json.dumps(points), "memories", deps)
    _, (active,) = await made.memories.listed(group_id, status="active", limit=5, offset=0)
    assert [one.memory.version for one in await made.memories.history(active)] == [1, 2]

    profile = Profile("user", "u9", group_id, "# Ida\n\nPaints.", reading.clock(), name="Ida")
    await handle_transfer.take(group_id, markdown_of(profile), "profile", deps)
    found = await made.profiles.get(group_id, "user", "u9")
    assert found is not None
    assert markdown_of(found) == markdown_of(profile)

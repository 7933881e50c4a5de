"""A reading on real stores: what is believed of a scripted reply; each line is read once."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from functions.evolve_group import handle_memory
from functions.historian_job import handle_forget
from shared.contracts.memories import NewMemory, NewVersion
from shared.contracts.prompts import ShortIds
from shared.domain.jobs.job import JobState
from shared.domain.jobs.kinds import MergeProfile
from shared.domain.memories.conflict import ConflictStatus
from shared.domain.memories.memory import HeldBack, MemoryStatus
from shared.domain.memories.reading import CURSOR
from shared.errors import Transient
from shared.jobs.worker import Outcome
from tests.memories.reading import Reading, line, reported

FIVE = [
    ("Mara", "I am allergic to walnuts, so no brownies for me"),
    ("Joren", "can you find a train to Ghent?"),
    ("Mara", "I work at the tram depot now"),
    ("Joren", "thanks, that helps"),
    ("Mara", "good night"),
]


def depot(*sources: str, **more: Any) -> dict[str, Any]:
    return line("Mara works at the tram depot", "u-mara", *sources, **more)


async def test_memories_entities_and_relations_come_of_one_call(reading: Reading) -> None:
    said = await reading.rounds(*FIVE)
    model = reading.model(
        {
            "lines": [line("Mara is allergic to walnuts", "u-mara", said[0]), depot(said[2])],
            "entities": [
                {"name": "Mara", "type": "person", "confidence": 0.9},
                {"name": "tram depot", "type": "location", "confidence": 0.9},
            ],
            "relations": [
                {
                    "source": "Mara",
                    "target": "tram depot",
                    "type": "works_at",
                    "confidence": 0.9,
                    "sources": [said[2]],
                },
                {
                    "source": "Mara",
                    "target": "tram depot",
                    "type": "rides to",
                    "sources": [said[2]],
                },
            ],
        }
    )
    (report,) = await reading.read()

    held = {one.statement: one for one in await reading.memories()}
    allergy = held["Mara is allergic to walnuts"]
    assert (allergy.subject, allergy.sources) == ("u-mara", (said[0],))
    assert (len(model.asked), report.stats.created) == (1, 2)
    assert (report.entities, report.relations) == (2, 2)
    mara, *_ = await reading.made.entities.named(reading.group_id, ["mara"])
    assert (mara.entity_type, mara.user_id, mara.source_users) == ("person", "u-mara", ("u-mara",))
    edges = await reading.made.relations.touching(reading.group_id, mara.entity_id)
    assert {(one.relation_type, one.label) for one in edges} == {
        ("works_at", ""),
        ("related_to", "rides_to"),
    }
    assert all(one.source_id == mara.entity_id and one.sources == (said[2],) for one in edges)


async def test_what_a_member_told_the_bot_of_themselves_goes_into_the_profile(
    reading: Reading,
) -> None:
    said = await reading.rounds(*FIVE)
    (far,) = await reading.say(("Ilse", "I paint boats"))
    ilse = line("Ilse paints boats", "u-ilse", far)
    reading.model({"lines": [line("Mara is allergic to walnuts", "u-mara", said[0]), ilse]})
    (report,) = await reading.read()

    (job_id,) = report.profile_jobs
    job = await reading.made.jobs.get(job_id)
    assert job is not None
    assert isinstance(job.payload, MergeProfile)
    news = job.payload.news
    assert (news.profile_id, news.source_users) == ("user:u-mara", ("u-mara",))
    assert news.new_info == ("Mara is allergic to walnuts",)


async def test_what_rests_on_no_message_of_a_member_is_left_out(reading: Reading) -> None:
    """Invented ids, the bot's own lines, nobody in the group, and too little confidence."""
    said = await reading.rounds(*FIVE)
    (recalled,) = await reading.say(("Bot", "As I remember, Joren owns a canal boat"))
    reading.model(
        {
            "lines": [
                depot("m99999"),
                line("Joren owns a canal boat", "u-joren", recalled),
                line("Ida works at the tram depot", "u-ida", said[2]),
                line("Mara may work at the depot", "u-mara", said[2], confidence=0.3),
                line("14th of march", None, said[0], said[1]),
            ],
            "entities": [{"name": "canal boat", "type": "other", "confidence": 0.9}],
        }
    )
    (report,) = await reading.read()

    assert await reading.statements(None) == set()
    assert report.refused == 6
    assert await reading.made.entities.named(reading.group_id, ["canal boat"]) == []


async def test_a_newer_word_replaces_and_history_tells_it(reading: Reading) -> None:
    first = await reading.rounds(*FIVE)
    reading.model({"lines": [depot(first[2])]})
    await reading.read()
    (old,) = await reading.memories()
    later = await reading.rounds(("Mara", "I left the depot, I work at the library now"))
    shown = ShortIds([old.memory_id]).short(old.memory_id)
    moved = line("Mara works at the library", "Mara", later[0], deny=[later[0]])
    model = reading.model({"lines": [{**moved, "action": "update", "old_id": shown}]})
    await reading.read()

    (new,) = await reading.memories()
    history = [one.memory for one in await reading.made.memories.history(new)]
    assert [one.statement for one in history] == [
        "Mara works at the tram depot",
        "Mara works at the library",
    ]
    assert history[0].status is MemoryStatus.SUPERSEDED
    assert new.parent_id == old.memory_id
    assert model.asked[0]["existing_memories"]["rows"][0][0] == shown


async def test_what_another_says_against_a_memory_is_shown_with_it_until_somebody_agrees(
    reading: Reading,
) -> None:
    first = await reading.say(("Ada", "the talk is on Tuesday"), ("Cem", "Tuesday it is"))
    tuesday = line("The talk is on Tuesday", None, first[0], agree=[first[1]])
    reading.model({"lines": [tuesday]})
    await reading.read()
    (known,) = await reading.memories()

    def thursday(message_id: str) -> dict[str, Any]:
        moved = line("The talk is on Thursday", None, message_id, deny=[message_id])
        return {"lines": [{**moved, "action": "update", "old_id": known.memory_id}]}

    (by_ben,) = await reading.say(("Ben", "no, the talk is on Thursday"))
    reading.model(thursday(by_ben))
    (report,) = await reading.read()
    (disputed,) = await reading.memories()
    total, (conflict,) = await reading.made.conflicts.listed(
        reading.group_id, ConflictStatus.OPEN, 10, 0
    )
    (by_dora,) = await reading.say(("Dora", "yes, the talk is on Thursday"))
    reading.model(thursday(by_dora))
    await reading.read()
    (after,) = await reading.memories()
    open_ones, _ = await reading.made.conflicts.listed(reading.group_id, ConflictStatus.OPEN, 10, 0)

    assert (report.conflicts, total, conflict.source_users) == (1, 1, ("u-ben",))
    assert disputed.statement == "The talk is on Tuesday"
    assert "Ben (the latest): “The talk is on Thursday”" in disputed.conflict
    assert (after.statement, after.conflict) == ("The talk is on Thursday", "")
    assert open_ones == 0


async def test_a_secret_is_masked_and_told(reading: Reading) -> None:
    said = await reading.say(
        ("Ada", "the server password is hunter2"), ("Ben", "right, hunter2 is the password")
    )
    reading.model({"lines": [line("The server password is hunter2", None, *said)]})
    (report,) = await reading.read()

    (held,) = await reading.memories("candidate")
    assert (held.statement, held.held_back) == (
        "The server password is ***",
        HeldBack.FOR_A_HAND,
    )
    assert report.masked == 1


async def test_two_hundred_lines_are_one_call_and_no_line_is_read_twice(reading: Reading) -> None:
    model = reading.model()
    await reading.say(*[("Mara", f"I paint boat number {number} today") for number in range(450)])
    reports = await reading.read()
    await reading.read()

    ids = [row[0] for asked in model.asked for row in asked["new_discussions"]["rows"]]
    assert len(model.asked) == len(reports) == 3
    assert len(ids) == len(set(ids)) == 450


async def test_days_read_again_and_make_nothing_twice(reading: Reading) -> None:
    said = await reading.rounds(*FIVE)
    first = reading.model({"lines": [depot(said[2])]})
    await reading.read()
    reworded = line("Mara has a job at the tram depot", "u-mara", said[2])
    again = reading.model({"lines": [reworded]}, {"lines": [depot(said[2])]})
    reading.clock.turn(hours=1)
    for _ in range(2):
        await reading.read(days=3)

    assert len(first.asked) + len(again.asked) == 3
    assert await reading.statements(None) == {"Mara works at the tram depot"}


async def test_what_the_group_wants_remembered_is_in_the_question(reading: Reading) -> None:
    reading.settings(remember="plans and allergies, no gossip")
    await reading.rounds(*FIVE)
    model = reading.model()
    await reading.read()

    assert model.asked[0]["remember"] == "plans and allergies, no gossip"


async def test_a_cut_reply_is_asked_for_the_rest(reading: Reading) -> None:
    said = await reading.rounds(*FIVE)
    allergy = line("Mara is allergic to walnuts", "u-mara", said[0])
    model = reading.model({"lines": [allergy]}, {"lines": [depot(said[2])]})
    model.cut = {1}
    (report,) = await reading.read()

    assert await reading.statements() == {
        "Mara is allergic to walnuts",
        "Mara works at the tram depot",
    }
    assert model.asked[1]["given"] == ["Mara is allergic to walnuts"]
    assert report.message == "evolved"


async def test_what_may_not_have_been_read_is_said(reading: Reading) -> None:
    said = await reading.rounds(*FIVE)
    model = reading.model({"lines": [depot(said[2])]}, {"lines": []})
    model.cut = {1, 2}
    (report,) = await reading.read()

    assert "cut off twice" in report.message
    assert await reading.statements() == {"Mara works at the tram depot"}


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("server_error", {}),
        ("rate_limit", {}),
        ("latency", {"latency_ms": 5000}),
        ("nonsense", {}),
    ],
)
async def test_a_failing_model_leaves_every_line_for_the_next_try(
    reading: Reading, kind: str, what: dict[str, Any]
) -> None:
    await reading.rounds(*FIVE)
    job = await reading.start("first")
    reading.fault(kind, **what)
    reading.deps = replace(reading.deps, model_budget_s=3)
    with suppress(Transient):
        await reading.run(job)
    group = await reading.made.groups.get(reading.group_id)
    assert CURSOR not in group.cursors
    assert await reading.statements(None) == set()

    reading.heal()
    reading.deps = replace(reading.deps, model_budget_s=30)
    reported(await reading.run(job))
    assert CURSOR in (await reading.made.groups.get(reading.group_id)).cursors
    assert (await reading.run(job)).outcome is Outcome.NOTHING


async def test_an_answer_that_was_given_is_not_asked_for_again(reading: Reading) -> None:
    """A crash between the answer and the commit."""
    said = await reading.rounds(*FIVE)
    entity = {"name": "tram depot", "type": "location", "confidence": 0.9}
    told = reading.model({"lines": [depot(said[2])], "entities": [entity]})
    job = await reading.start("first")
    entities = reading.deps.entities
    down: Any = _Down()
    reading.deps = replace(reading.deps, entities=down)
    with suppress(Transient):
        await reading.run(job)
    assert await reading.statements(None) == set()
    await reading.rounds(*FIVE)
    reading.deps = replace(reading.deps, entities=entities)
    report = reported(await reading.run(job))

    assert (len(told.asked), report.entities) == (1, 1)
    assert await reading.statements() == {"Mara works at the tram depot"}
    found = await reading.made.jobs.get(job.job_id)
    assert found is not None
    assert found.state is JobState.DONE


async def test_who_wants_nothing_remembered_is_neither_read_nor_spoken_of(reading: Reading) -> None:
    await reading.made.groups.change(
        reading.group_id, lambda group: replace(group, opted_out=("u-mara",)), reading.clock()
    )
    said = await reading.rounds(*FIVE, ("Joren", "Mara is allergic to walnuts"))
    model = reading.model({"lines": [line("Mara is allergic to walnuts", "u-mara", said[-1])]})
    await reading.read()

    assert all("depot" not in str(asked) for asked in model.asked)
    assert await reading.statements(None) == set()


class _Down:
    """A store that does not answer."""

    def __getattr__(self, name: str) -> Any:
        async def fail(*_: Any, **__: Any) -> Any:
            raise Transient("down")

        return fail


async def test_a_forgotten_claim_is_not_told_with_the_memory_any_more(reading: Reading) -> None:
    first = await reading.say(("Ada", "the talk is on Tuesday"), ("Cem", "Tuesday it is"))
    reading.model({"lines": [line("The talk is on Tuesday", None, first[0], agree=[first[1]])]})
    await reading.read()
    (known,) = await reading.memories()
    (by_ben,) = await reading.say(("Ben", "no, the talk is on Thursday"))
    moved = line("The talk is on Thursday", None, by_ben, deny=[by_ben])
    reading.model({"lines": [{**moved, "action": "update", "old_id": known.memory_id}]})
    await reading.read()
    (disputed,) = await reading.memories()

    job = await handle_forget.forget_message(reading.group_id, by_ben, reading.made)
    await reading.made.worker.run(job.job_id, lambda work: handle_forget.run(work, reading.made))

    (after,) = await reading.memories()
    assert "Thursday" in disputed.conflict
    assert (after.statement, after.conflict) == ("The talk is on Tuesday", "")


async def test_the_same_change_by_hand_sixteen_times_is_one_version(reading: Reading) -> None:
    deps = handle_memory.deps_for(None, reading.made)
    made = await handle_memory.add(
        reading.group_id, NewMemory(statement="The bot must answer in rhymes"), deps
    )
    asked = NewVersion(statement="The bot must answer in prose")
    await asyncio.gather(*(handle_memory.change(made, asked, deps) for _ in range(16)))

    versions = await reading.made.memories.history(made)
    assert len(versions) == 2
    assert "although: an order to the bot" in versions[0].memory.change_summary

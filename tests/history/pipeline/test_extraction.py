"""Extraction on real stores: which facts are believed, and that every round is read once."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from shared.contracts.prompts import ShortIds
from shared.domain.jobs.job import JobState
from shared.domain.jobs.kinds import MergeProfile
from shared.domain.knowledge.rounds import CURSOR
from shared.domain.memories.conflict import ConflictStatus
from shared.errors import Transient
from shared.jobs.worker import Outcome
from tests.history.extracting import Extracting, reported


def fact(content: str, subject: str, *sources: str, **more: Any) -> dict[str, Any]:
    return {
        "content": content,
        "type": "fact",
        "subject": subject,
        "confidence": 0.9,
        "sources": list(sources),
        **more,
    }


FIVE = [
    ("Mara", "I am allergic to walnuts, so no brownies for me"),
    ("Joren", "can you find a train to Ghent?"),
    ("Mara", "I work at the tram depot now"),
    ("Joren", "thanks, that helps"),
    ("Mara", "good night"),
]


async def test_facts_entities_and_relations_come_of_five_rounds(extracting: Extracting) -> None:
    said = await extracting.rounds(*FIVE)
    (report,) = await extracting.extract()

    held = {one.statement: one for one in await extracting.memories()}
    allergy = next(one for text, one in held.items() if "walnuts" in text)
    assert (allergy.subject, allergy.sources) == ("u-mara", (said[0],))
    assert (report.rounds_read, report.facts) == (5, len(held))
    mara, *_ = await extracting.made.entities.named(extracting.group_id, ["mara"])
    assert (mara.entity_type, mara.user_id, mara.source_users) == ("person", "u-mara", ("u-mara",))
    edges = await extracting.made.relations.touching(extracting.group_id, mara.entity_id)
    depot = await extracting.made.entities.get_many(
        extracting.group_id, [one.target_id for one in edges]
    )
    assert {one.relation_type for one in edges} >= {"works_at"}
    assert any("tram depot" in one.name for one in depot.values())
    assert all(one.sources and one.source_users == ("u-mara",) for one in edges)


async def test_what_a_member_said_goes_into_the_profile(extracting: Extracting) -> None:
    said = await extracting.rounds(*FIVE)
    (report,) = await extracting.extract()

    (job_id,) = report.profile_jobs
    job = await extracting.made.jobs.get(job_id)
    assert job is not None
    assert isinstance(job.payload, MergeProfile)
    news = job.payload.news
    assert (news.profile_id, news.source_users) == ("user:u-mara", ("u-mara",))
    assert any("walnuts" in one for one in news.new_info)
    assert said[0] in news.sources


async def test_the_subject_must_be_in_the_source(extracting: Extracting) -> None:
    said = await extracting.rounds(*FIVE)
    await extracting.say(("Bot", "Ida owns a canal boat"))
    extracting.model(
        {
            "facts": [
                fact("Ida works at the tram depot now", "u-ida", said[2]),
                fact("Joren is allergic to walnuts", "u-joren", said[0]),
                fact("Mara works at the tram depot", "u-mara", "m99999"),
                fact("Mara works at the tram depot", "u-mara"),
                fact("Mara thanks the bot for the note", "u-mara", "m00002"),
                fact("Mara collects stamps of Peru", "u-mara", said[2]),
                fact("Mara may work at the depot", "u-mara", said[2], confidence=0.3),
            ]
        }
    )
    (report,) = await extracting.extract()

    assert await extracting.statements(None) == set()
    assert (report.facts, report.refused) == (0, 7)


async def test_what_the_bot_recalled_is_not_learnt_again(extracting: Extracting) -> None:
    """Word for word in its line, of somebody who is there: and said by nobody but the bot."""
    await extracting.rounds(*FIVE)
    (recalled,) = await extracting.say(("Bot", "As I remember, Joren owns a canal boat"))
    await extracting.say(("Joren", "good night"), ("Bot", "Good night, Joren"))
    extracting.model(
        {
            "facts": [fact("Joren owns a canal boat", "u-joren", recalled)],
            "entities": [{"name": "canal boat", "type": "other", "confidence": 0.9}],
        }
    )
    (report,) = await extracting.extract()

    assert await extracting.statements(None) == set()
    assert (report.facts, report.refused) == (0, 2)
    assert await extracting.made.entities.named(extracting.group_id, ["canal boat"]) == []


async def test_a_question_and_a_quotation_are_no_facts(extracting: Extracting) -> None:
    said = await extracting.rounds(
        ("Mara", "do I really live in Antwerp?"),
        ("Mara", 'the poster said "everyone here adores the accordion so much"'),
        ("Mara", "I play the tuba"),
        ("Joren", "oh"),
        ("Joren", "nice"),
    )
    extracting.model(
        {
            "facts": [
                fact("Mara lives in Antwerp", "u-mara", said[0]),
                fact("Mara adores the accordion", "u-mara", said[1]),
                fact("Mara plays the tuba", "u-mara", said[2]),
            ]
        }
    )
    await extracting.extract()

    assert await extracting.statements() == {"Mara plays the tuba"}


async def test_what_one_says_of_another_is_kept_as_said_by_them(extracting: Extracting) -> None:
    said = await extracting.rounds(("Mara", "Joren never eats celery"), *FIVE[1:])
    extracting.model({"facts": [fact("Joren never eats celery", "Joren", said[0])]})
    await extracting.extract()

    every = await extracting.memories(None)
    assert [(one.statement, one.subject) for one in every] == [
        ("According to Mara, Joren never eats celery", "u-joren")
    ]


async def test_a_newer_fact_replaces_and_history_tells_it(extracting: Extracting) -> None:
    first = await extracting.rounds(*FIVE)
    extracting.model({"facts": [fact("Mara works at the tram depot", "u-mara", first[2])]})
    await extracting.extract()
    (old,) = await extracting.memories()
    later = await extracting.rounds(
        ("Mara", "I left the depot, I work at the library now"), *FIVE[1:]
    )
    shown = ShortIds([old.memory_id]).short(old.memory_id)
    assert shown != old.memory_id
    model = extracting.model(
        {"facts": [fact("Mara works at the library", "Mara", later[0], replaces=shown)]}
    )
    await extracting.extract()

    (new,) = await extracting.memories()
    history = [one.memory for one in await extracting.made.memories.history(new)]
    assert [one.statement for one in history] == [
        "Mara works at the tram depot",
        "Mara works at the library",
    ]
    assert "tram depot" in history[-1].change_summary
    assert history[0].status.value == "superseded"
    assert model.asked[0]["existing_facts"]["rows"][0][0] == shown


async def test_an_uncertain_word_against_a_memory_waits_and_twice_weakens_it(
    extracting: Extracting,
) -> None:
    first = await extracting.rounds(*FIVE)
    extracting.model({"facts": [fact("Mara works at the tram depot", "u-mara", first[2])]})
    await extracting.extract()
    (known,) = await extracting.memories()
    for times in (1, 2):
        said = await extracting.rounds(("Mara", "maybe I work at the harbour office"), *FIVE[1:])
        doubt = fact("Mara works at the harbour office", "u-mara", said[0])
        extracting.model({"facts": [{**doubt, "confidence": 0.62, "replaces": known.memory_id}]})
        await extracting.extract()
        (now,) = await extracting.memories()
        assert now.statement == known.statement
        assert now.strength == pytest.approx(known.strength - (0.1 if times == 2 else 0))
    total, (conflict,) = await extracting.made.conflicts.listed(
        extracting.group_id, ConflictStatus.OPEN, 10, 0
    )
    assert (total, len(conflict.claims), conflict.source_users) == (1, 2, ("u-mara",))


async def test_two_hundred_rounds_are_forty_calls(extracting: Extracting) -> None:
    model = extracting.model()
    for _ in range(4):
        await extracting.rounds(*FIVE * 10)
        await extracting.extract()
    await extracting.extract()

    assert len(model.asked) == 40
    assert all(asked["messages"]["columns"][0] == "id" for asked in model.asked)
    ids = [one for asked in model.asked for one, *_ in asked["messages"]["rows"]]
    own = [one for one in ids if int(one[1:]) % 2]
    assert len(own) == len(set(own)) == 200


async def test_too_few_rounds_are_left_for_later(extracting: Extracting) -> None:
    model = extracting.model()
    await extracting.rounds(*FIVE[:4])
    (report,) = await extracting.extract()
    group = await extracting.made.groups.get(extracting.group_id)
    assert (report.rounds_read, model.asked, group.cursors) == (0, [], {})

    await extracting.rounds(FIVE[4])
    (report,) = await extracting.extract()
    assert (report.rounds_read, len(model.asked)) == (5, 1)


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("server_error", {}),
        ("rate_limit", {}),
        ("latency", {"latency_ms": 5000}),
        ("nonsense", {}),
    ],
)
async def test_a_failing_model_leaves_every_round_for_the_next_try(
    extracting: Extracting, kind: str, what: dict[str, Any]
) -> None:
    await extracting.rounds(*FIVE)
    job = await extracting.start("first")
    extracting.fault(kind, **what)
    extracting.deps = replace(extracting.deps, model_budget_s=1.5)
    with suppress(Transient):
        await extracting.run(job)
    group = await extracting.made.groups.get(extracting.group_id)
    assert CURSOR not in group.cursors
    assert await extracting.statements(None) == set()

    extracting.heal()
    extracting.deps = replace(extracting.deps, model_budget_s=30)
    report = reported(await extracting.run(job))
    assert report.rounds_read == 5
    assert any("walnuts" in one for one in await extracting.statements())
    assert (await extracting.run(job)).outcome is Outcome.NOTHING


async def test_an_answer_that_was_given_is_not_asked_for_again(extracting: Extracting) -> None:
    """A crash between the answer and the commit."""
    said = await extracting.rounds(*FIVE)
    told = extracting.model({"facts": [fact("Mara works at the tram depot", "u-mara", said[2])]})
    job = await extracting.start("first")
    entities = extracting.deps.entities
    down: Any = _Down()
    extracting.deps = replace(extracting.deps, entities=down)
    with suppress(Transient):
        await extracting.run(job)
    assert await extracting.statements(None) == set()
    await extracting.rounds(*FIVE)
    extracting.deps = replace(extracting.deps, entities=entities)
    report = reported(await extracting.run(job))

    assert (len(told.asked), report.rounds_read) == (1, 5)
    assert await extracting.statements() == {"Mara works at the tram depot"}
    found = await extracting.made.jobs.get(job.job_id)
    assert found is not None
    assert found.state is JobState.DONE


async def test_what_was_said_by_a_member_who_left_it_out_is_not_read(
    extracting: Extracting,
) -> None:
    await extracting.made.groups.change(
        extracting.group_id, lambda group: replace(group, opted_out=("u-mara",)), extracting.clock()
    )
    model = extracting.model()
    await extracting.rounds(*FIVE)
    await extracting.extract()

    assert all("walnuts" not in str(one) for one in model.asked)


class _Down:
    """A store that does not answer."""

    def __getattr__(self, name: str) -> Any:
        async def fail(*_: Any, **__: Any) -> Any:
            raise Transient("down")

        return fail

"""Summaries on real stores: versions, what they cost, and what faults leave of them."""

import asyncio
from typing import Any

import pytest

from functions.historian_job import handle_forget
from functions.summarize_topic import handle_summarize
from functions.summarize_topic.handle_close import close_idle
from shared.domain.jobs.job import JobState
from shared.domain.messages.message import Recall
from shared.domain.topics.topic import SearchMode
from tests.services import replaced
from tests.topics.attributing import Attributing
from tests.topics.pipeline.test_attribution_faults import Dies, Killed
from tests.topics.summarizing import TOPIC, Summarizing, chatter


@pytest.fixture
def talk(group: Attributing) -> Summarizing:
    return Summarizing(group)


@pytest.mark.parametrize("language", ["en", "zh", "mixed"])
async def test_a_small_topic_costs_no_call(talk: Summarizing, language: str) -> None:
    await talk.say(*chatter(3, language))

    report = await talk.run()

    [version] = await talk.versions()
    assert (report.version, report.cost.calls) == (1, 0)
    assert version.generation_method == "extractive"
    assert version.message_ids == ("s00001", "s00002", "s00003")
    assert version.people == ("P0", "P1", "P2")
    assert version.quality["total"] > 0.5
    assert (await talk.topic()).title == version.title != "…"


async def test_one_part_is_one_call_and_several_are_merged_by_one_more(talk: Summarizing) -> None:
    talk.deps = replaced(talk.deps, settings=talk.deps.settings.replaced(quality_sample=0.0))
    await talk.say(*chatter(50))
    first = await talk.run()
    await talk.say(*chatter(390))
    second = await talk.run()

    newest, oldest = await talk.versions()
    assert (first.segments, first.cost.calls) == (1, 1)
    assert second.segments > 1
    assert second.cost.calls == second.segments + 1
    assert (newest.version, newest.parent_version, len(newest.message_ids)) == (2, 1, 390)
    assert oldest.generation_method == newest.generation_method == "model"
    assert newest.span["from"] == oldest.span["from"]


async def test_a_topic_of_2000_messages_that_grows_by_50_costs_what_50_cost(
    talk: Summarizing,
) -> None:
    talk.deps = replaced(talk.deps, settings=talk.deps.settings.replaced(quality_sample=0.0))
    await talk.say(*chatter(50))
    alone = (await talk.run()).cost
    await talk.say(*chatter(1_950))
    report, runs = await talk.run(), 1
    while report.is_more:
        report, runs = await talk.run(f"after version {report.version}"), runs + 1
    assert runs == 5
    told = [one for version in await talk.versions() for one in version.message_ids]
    assert sorted(told) == sorted(set(told))
    assert len(told) == 2_000
    await talk.say(*chatter(50))

    grown = await talk.run()

    assert grown.cost.calls == alone.calls == 1
    # What it has more than a topic of fifty is the summary that it starts from.
    assert grown.cost.prompt_tokens < 1.5 * alone.prompt_tokens


async def test_many_tokens_compress_a_talk_long_before_its_fiftieth_message(
    group: Attributing,
) -> None:
    """The short-term memory of a long round: the talk is told in a summary as soon as its tokens
    are many, and the next one is told from there."""
    await group.set(trigger_tokens=300, summary_every_messages=1_000)
    talk = Summarizing(group)

    async def round_of(first: int, words: int) -> int:
        for at in range(3):
            number = first + at
            said = f"the rig of boat {number} " + "needs rope and varnish " * words
            reply = {"reply_message_id": f"m{number - 1}"} if number > 1 else {}
            group.clock.turn(minutes=1)
            await group.say(group.message(number, "Ann", said, at=group.clock(), **reply))
        await group.attribute()
        _, jobs = await group.made.jobs.listed(
            state=None, group_id=group.group_id, limit=50, offset=0
        )
        return sum(job.kind == "summarize" for job in jobs)

    assert await round_of(1, 2) == 0
    assert await round_of(4, 40) == 1
    assert await round_of(7, 2) == 1
    assert await round_of(10, 40) == 2
    _, jobs = await group.made.jobs.listed(state=None, group_id=group.group_id, limit=50, offset=0)
    for job in reversed(jobs):
        await group.made.worker.run(job.job_id, lambda work: handle_summarize.run(work, talk.deps))
        [topic] = await group.made.topics.active(group.group_id, 5)
        assert topic.summarized_count == 12
    [topic] = await group.made.topics.active(group.group_id, 5)
    [summary] = await group.made.topics.summaries(group.group_id, topic.topic_id, 5)
    assert len(summary.message_ids) == 12


async def test_without_anything_new_there_is_no_version(talk: Summarizing) -> None:
    await talk.say(*chatter(8))
    await talk.run()

    report = await talk.run()

    assert (report.version, report.unchanged, report.cost.calls) == (1, True, 0)
    assert len(await talk.versions()) == 1


async def test_two_triggers_at_once_make_one_version(talk: Summarizing) -> None:
    await talk.say(*chatter(8))

    outcomes = await asyncio.gather(talk.run("closed"), talk.run("by hand"), return_exceptions=True)

    assert len(await talk.versions()) == 1
    assert sum(not isinstance(one, BaseException) for one in outcomes) >= 1


async def test_an_edited_message_is_told_as_it_is_now(talk: Summarizing) -> None:
    await talk.say(*chatter(7), ("Ann", "we decided the dock locker opens with 775531"))
    await talk.run()
    [first] = await talk.versions()
    assert "775531" in f"{first.content} {first.decisions}"

    await talk.edit(8, "we decided the dock locker gets a key")
    await talk.say(*chatter(2))
    await talk.run()

    newest = (await talk.versions())[0]
    assert newest.version == 2
    assert "775531" not in f"{newest.content} {newest.decisions}"
    assert newest.parent_version is None


async def test_an_edit_that_comes_late_is_told_as_well(talk: Summarizing) -> None:
    """By the platform's clock it was made before the summary; it was delivered after it."""
    await talk.say(*chatter(7), ("Ann", "we decided the dock locker opens with 775531"))
    at = talk.group.clock()
    talk.group.clock.turn(minutes=10)
    await talk.run()
    await talk.edit(8, "we decided the dock locker gets a key", at=at)
    await talk.say(*chatter(2))
    await talk.run()

    newest = (await talk.versions())[0]
    assert newest.parent_version is None
    assert "775531" not in f"{newest.content} {newest.decisions}"
    assert "key" in f"{newest.content} {newest.decisions}"


async def test_after_a_recall_nothing_of_the_old_versions_is_carried_on(talk: Summarizing) -> None:
    secret = "we decided the locker opens with 775531"
    await talk.say(*chatter(7))
    await talk.run()
    await talk.say(*chatter(2), ("Ann", secret))
    await talk.run()
    made, group_id = talk.group.made, talk.group.group_id
    assert "775531" in " ".join((await talk.versions())[0].decisions)
    deps = made
    recalled = Recall(group_id=group_id, message_id="s00010", recalled_at=talk.group.clock())
    await talk.group.say(recalled)
    _, jobs = await made.jobs.listed(state="pending", group_id=group_id, limit=50, offset=0)
    [job] = [one for one in jobs if one.kind == "forget"]
    await made.worker.run(job.job_id, lambda work: handle_forget.run(work, deps))

    assert [one.version for one in await talk.versions()] == [1]
    await talk.say(*chatter(2))
    report = await talk.run()

    newest = (await talk.versions())[0]
    assert report.version == newest.version == 3, "a version that went does not come back"
    told = f"{newest.title} {newest.content} {newest.decisions} {newest.keywords}"
    assert "775531" not in told
    assert "s00010" not in newest.message_ids
    assert len(newest.message_ids) == 4, "what else the version that went had told"


SEARCH_MODES: tuple[SearchMode, ...] = ("keyword", "vector", "hybrid")
FAULTS = [
    "server_error", "rate_limit", "nonsense", "cut_body", "other_language", "empty", "cut_reply",
    "no_words",
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_model_that_fails_leaves_an_extract_that_is_replaced(
    talk: Summarizing, fault: str
) -> None:
    await talk.say(*chatter(12))
    talk.group.fault(fault, endpoint="chat")
    try:
        report = await talk.run()
        again = await talk.run()
    finally:
        talk.group.heal()

    [stand_in] = await talk.versions()
    assert report.generation_method == stand_in.generation_method == "simple"
    assert again.unchanged
    topic = await talk.topic()
    assert topic.summary_due_at is not None
    assert topic.summary_tries == 2

    assert (await close_idle(talk.group.made)).summaries == 0
    await talk.later(hours=1)
    assert (await close_idle(talk.group.made)).summaries == 1
    assert (await close_idle(talk.group.made)).summaries == 0
    _, waiting = await talk.group.made.jobs.listed(
        state=JobState.PENDING, group_id=talk.group.group_id, limit=10, offset=0
    )
    [job] = [one for one in waiting if one.kind == "summarize"]
    deps = talk.deps
    await talk.group.made.worker.run(job.job_id, lambda work: handle_summarize.run(work, deps))

    newest = (await talk.versions())[0]
    assert (newest.version, newest.generation_method) == (2, "model")
    assert (await talk.topic()).summary_due_at is None


@pytest.mark.parametrize(
    ("fault", "is_asked_for_ever"), [("server_error", True), ("other_language", False)]
)
async def test_a_model_whose_answers_cannot_be_used_is_not_asked_for_ever(
    talk: Summarizing, fault: str, is_asked_for_ever: bool
) -> None:
    """One that is away comes back; one that answers in another language does so again."""
    await talk.say(*chatter(12))
    talk.group.fault(fault, endpoint="chat")
    try:
        for _ in range(5):
            await talk.run()
    finally:
        talk.group.heal()

    topic = await talk.topic()
    newest = (await talk.versions())[0]
    assert (topic.summary_due_at is not None) == is_asked_for_ever
    assert newest.generation_method == ("simple" if is_asked_for_ever else "extractive")


STEPS = [
    ("model", "ask", False),
    ("model", "ask", True),
    ("groups", "commit", False),
    ("groups", "commit", True),
    ("embedder", "embed_one", True),
    ("vectors", "apply", True),
]


@pytest.mark.parametrize(("name", "call", "after"), STEPS)
async def test_killed_anywhere_it_ends_with_the_same_version(
    talk: Summarizing, name: str, call: str, after: bool
) -> None:
    talk.deps = replaced(talk.deps, settings=talk.deps.settings.replaced(quality_sample=0.0))
    await talk.say(*chatter(9))
    whole = talk.deps
    if name == "groups":
        worker = talk.group.made.worker
        real = worker._groups
        worker._groups = Dies(real, call, after=after)  # type: ignore[assignment]
    else:
        dying: dict[str, Any] = {name: Dies(getattr(whole, name), call, after=after)}
        talk.deps = replaced(whole, **dying)
    with pytest.raises(Killed):
        await talk.run("cause")
    talk.deps = whole
    if name == "groups":
        worker._groups = real

    report = await talk.run("cause")

    [version] = await talk.versions()
    assert report.version == version.version == 1
    found = await talk.group.made.vectors.fetch(talk.group.group_id, "summary", [TOPIC])
    assert list(found) == [TOPIC]


async def test_a_summarised_topic_is_found_by_word_by_meaning_and_by_both(
    talk: Summarizing,
) -> None:
    await talk.say(*chatter(8))
    await talk.run()
    search = talk.group.made.topic_search
    group_id = talk.group.group_id

    for mode in SEARCH_MODES:
        found = await search.find(group_id, "paint for the boat", mode=mode, limit=5)
        assert [one.topic.topic_id for one in found] == [TOPIC], mode
        of_nobody = await search.find(
            group_id, "paint for the boat", mode=mode, limit=5, user_id="u-nobody"
        )
        assert of_nobody == []
    assert (
        await search.find("generic:elsewhere", "paint for the boat", mode="hybrid", limit=5) == []
    )

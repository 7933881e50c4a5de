"""Small topics of a group that are told by one call of the model."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from functions.summarize_topic import handle_summarize
from shared.contracts.jobs import summarize_job
from shared.domain.jobs.job import Job, JobState
from shared.domain.jobs.kinds import SummarizeTopic, SummaryReport
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.topics.shared_calls import TOGETHER, is_shared
from shared.domain.topics.topic import Topic
from shared.stores.topics import put_topic
from tests.services import replaced
from tests.topics.attributing import Attributing

MATTERS = (
    *("boat", "garden", "piano", "bicycle", "kitchen"),
    *("library", "chimney", "tractor", "orchard", "lantern"),
)


class Talks:
    """Topics of one group, closed one after the other."""

    def __init__(self, group: Attributing) -> None:
        self.group = group
        settings = group.made.settings.replaced(quality_sample=0.0)
        self.deps = replaced(group.made, settings=settings)

    async def close(self, matter: str, lines: int = 8) -> SummaryReport:
        made, clock, group_id = self.group.made, self.group.clock, self.group.group_id
        await made.groups.change(group_id, lambda found: found, clock())
        topic = Topic(matter, group_id, "…", "u", clock(), clock(), message_count=lines)
        await made.topics.apply([put_topic(topic)])
        said = [
            StoredMessage(
                group_id=group_id,
                message_id=f"{matter}-{n}",
                user_id=f"u{n % 3}",
                user_name=f"P{n % 3}",
                content=f"the {matter} needs new screws of {n} millimetres before the winter",
                create_time=clock() + timedelta(minutes=n),
                state=MessageState.ATTRIBUTED,
                topic_id=matter,
            )
            for n in range(lines)
        ]
        await made.messages.apply({one.message_id: one for one in said}, {})
        return await self.run(summarize_job(group_id, matter, f"closed, {lines}", clock()))

    async def run(self, job: Job) -> SummaryReport:
        made = self.group.made
        await made.jobs.ensure(job)
        ran = await made.worker.run(job.job_id, lambda work: handle_summarize.run(work, self.deps))
        assert isinstance(ran.report, SummaryReport), ran
        return ran.report

    async def waiting(self) -> Sequence[Job]:
        _, found = await self.group.made.jobs.listed(
            state=JobState.PENDING.value, group_id=self.group.group_id, limit=50, offset=0
        )
        return [
            one
            for one in reversed(found)
            if isinstance(one.payload, SummarizeTopic) and is_shared(one.payload.cause)
        ]

    async def method(self, matter: str) -> str:
        shown = await self.group.made.topics.shown_summary(self.group.group_id, matter)
        assert shown is not None
        return shown.generation_method


@pytest.fixture
def talks(group: Attributing) -> Talks:
    return Talks(group)


async def test_each_is_told_by_its_own_lines_at_once_and_then_all_by_one_call(
    talks: Talks,
) -> None:
    closed = [await talks.close(one) for one in MATTERS[:TOGETHER]]

    assert [one.cost.calls for one in closed] == [0] * TOGETHER
    assert {await talks.method(one) for one in MATTERS[:TOGETHER]} == {"extractive"}
    jobs = await talks.waiting()
    calls = [(await talks.run(one)).cost.calls for one in jobs]

    assert calls == [1, *[0] * (TOGETHER - 1)]
    for matter in MATTERS[:TOGETHER]:
        shown = await talks.group.made.topics.shown_summary(talks.group.group_id, matter)
        assert shown is not None
        assert (shown.generation_method, shown.version) == ("model", 2)
        others = set(MATTERS) - {matter}
        assert matter in shown.content
        assert not any(one in shown.content for one in others)
    assert not await talks.waiting()


async def test_small_and_large_topics_do_not_wait(talks: Talks) -> None:
    small, large = await talks.close("boat", lines=5), await talks.close("garden", lines=45)

    assert (small.cost.calls, large.cost.calls) == (0, 1)
    assert not await talks.waiting()


async def test_a_wait_ends_by_itself(talks: Talks) -> None:
    await talks.close("boat")
    [job] = await talks.waiting()
    assert job.due_at == job.created_at + timedelta(hours=168)

    report = await talks.run(job)

    assert (report.cost.calls, await talks.method("boat")) == (1, "model")


async def test_who_asks_by_hand_does_not_wait_and_what_waited_is_told_once(talks: Talks) -> None:
    await talks.close("boat")
    by_hand = summarize_job(talks.group.group_id, "boat", "by hand", talks.group.clock())
    await talks.group.made.groups.change(
        talks.group.group_id, lambda found: found, talks.group.clock()
    )

    unchanged = await talks.run(by_hand)
    [job] = await talks.waiting()
    told = await talks.run(job)

    assert unchanged.unchanged
    assert (told.version, told.cost.calls) == (2, 1)


async def test_what_was_said_of_a_topic_is_not_used_once_something_was_forgotten(
    talks: Talks,
) -> None:
    for one in MATTERS[:2]:
        await talks.close(one)
    first, second = await talks.waiting()
    await talks.run(first)
    await talks.group.made.groups.change(
        talks.group.group_id, lambda found: replace(found, epoch=1), talks.group.clock()
    )

    report = await talks.run(second)

    assert (report.cost.calls, await talks.method(MATTERS[1])) == (1, "model")


async def test_a_model_that_is_away_leaves_extracts_that_are_made_again(talks: Talks) -> None:
    await talks.close("boat")
    [job] = await talks.waiting()
    talks.group.fault("server_error", endpoint="chat")
    try:
        report = await talks.run(job)
    finally:
        talks.group.heal()

    topic = await talks.group.made.topics.get(talks.group.group_id, "boat")
    assert report.generation_method == "simple"
    assert topic.summary_due_at is not None

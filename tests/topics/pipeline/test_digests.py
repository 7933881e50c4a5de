"""Weekly digests on real stores: off by default, made once a week, gone with what is forgotten."""

from dataclasses import replace
from datetime import UTC, timedelta

import pytest

from functions.historian_job import handle_forget
from functions.summarize_topic import handle_digest
from shared.domain.jobs.kinds import DigestReport
from shared.domain.topics.group_digest import GroupDigest, week_at
from shared.stores.topics import put_topic
from tests.topics.attributing import Attributing
from tests.topics.summarizing import TOPIC, Summarizing

LINES = (
    ("Ann", "should we paint the boat blue or red?"),
    ("Bob", "red fades in the sun, and the harbour shop has no red anyway"),
    ("Ann", "we decided to paint the boat blue on Sunday"),
    ("Bob", "who brings the brushes?"),
)


@pytest.fixture
def talk(group: Attributing) -> Summarizing:
    return Summarizing(group)


async def send_due(talk: Summarizing) -> int:
    made = talk.group.made
    return (await handle_digest.send_due(made)).total


async def run_jobs(talk: Summarizing) -> list[DigestReport]:
    made = talk.group.made
    deps = made
    _, jobs = await made.jobs.listed(
        state="pending", group_id=talk.group.group_id, limit=50, offset=0
    )
    reports = []
    for job in jobs:
        if job.kind == "digest":
            ran = await made.worker.run(job.job_id, lambda work: handle_digest.run(work, deps))
            assert isinstance(ran.report, DigestReport), ran
            reports.append(ran.report)
    return reports


async def digests(talk: Summarizing) -> list[GroupDigest]:
    return (await talk.group.made.digests.listed(talk.group.group_id, 20))[1]


async def take_part(talk: Summarizing, *user_ids: str) -> None:
    """As attribution writes it on the topic."""
    topic = replace(await talk.topic(), user_ids=user_ids)
    await talk.group.made.topics.apply([put_topic(topic)])


async def tell(talk: Summarizing) -> GroupDigest:
    """A week with one topic, its summary, and its digest."""
    await talk.say(*LINES)
    await talk.group.set(enable_digests=True)
    await take_part(talk, "u-Ann", "u-Bob")
    await talk.run()
    await talk.later(days=8)
    assert await send_due(talk) == 1
    [report] = await run_jobs(talk)
    assert report.digest_version == 1
    [digest] = await digests(talk)
    return digest


async def test_without_the_setting_there_is_none(talk: Summarizing) -> None:
    await talk.say(*LINES)
    await talk.run()
    await talk.later(days=8)

    assert await send_due(talk) == 0
    assert await digests(talk) == []


async def test_a_week_that_is_over_is_told_once(talk: Summarizing) -> None:
    began = talk.group.clock()

    digest = await tell(talk)

    assert digest.week == week_at(began, UTC).name
    assert "blue" in " ".join(one.text for one in digest.decisions)
    assert "brushes" in " ".join(one.text for one in digest.open_questions)
    assert set(digest.joined) == {"Ann", "Bob"}
    assert digest.topic_ids == (TOPIC,)
    assert digest.message_ids == ("s00001", "s00002", "s00003", "s00004")
    assert await send_due(talk) == 0
    await talk.later(days=7)
    assert await send_due(talk) == 1
    [report] = await run_jobs(talk)
    assert report.digest_version == 0, "nobody said anything"
    assert len(await digests(talk)) == 1


async def test_who_spoke_before_the_week_has_not_joined_in_it(talk: Summarizing) -> None:
    await tell(talk)
    await talk.say(("Ann", "who has the red paint?"), ("Cleo", "we decided against red"))
    await take_part(talk, "u-Ann", "u-Bob", "u-Cleo")
    await talk.run()
    await talk.later(days=7)
    await send_due(talk)
    await run_jobs(talk)

    newest, _ = await digests(talk)
    assert newest.joined == ("Cleo",)
    assert not [one for one in newest.decisions if "blue" in one.text]


async def test_a_group_that_switched_it_off_is_due_no_more(talk: Summarizing) -> None:
    await talk.say(*LINES)
    await talk.group.set(enable_digests=True)
    await talk.run()
    await talk.group.set(enable_digests=False)
    await talk.later(days=8)

    assert await send_due(talk) == 0
    group = await talk.group.made.groups.get(talk.group.group_id)
    assert group.digest_due_at is None


async def test_a_forgotten_message_takes_its_digest_along_and_the_rest_is_told_again(
    talk: Summarizing,
) -> None:
    digest = await tell(talk)
    made, group_id = talk.group.made, talk.group.group_id
    deps = made
    job = await handle_forget.forget_message(group_id, "s00003", deps)
    await made.worker.run(job.job_id, lambda work: handle_forget.run(work, deps))

    assert await digests(talk) == []

    await talk.run()  # the summary without it
    talk.group.clock.at += timedelta(hours=2)
    await run_jobs(talk)
    [again] = await digests(talk)
    assert again.week == digest.week
    assert "blue on Sunday" not in again.content
    assert "s00003" not in again.message_ids

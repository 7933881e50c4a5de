"""Makes the next version of a topic's summary from the last one and what was said since."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from functions.summarize_topic.handle_digest import due_with_news
from functions.summarize_topic.write_summary import Writer
from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.config import Settings, settings_for
from shared.contracts.jobs import summarize_job
from shared.domain.group import Group
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import SummarizeTopic, SummaryReport
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.bursts import bursts
from shared.domain.topics.keywords import keywords_of
from shared.domain.topics.summary import (
    SIMPLE,
    Digest,
    base_of,
    is_nothing_new,
    is_overtaken,
    new_since,
    next_summary,
    speakers,
    topic_after,
)
from shared.domain.topics.topic import Summary, Topic
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import JobInHand
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import Jobs, new_job
from shared.stores.messages import Messages
from shared.stores.topics import Topics, changed_topic, put_summary
from shared.stores.vectors import Vector, VectorPlan, Vectors

MAX_MESSAGES = 400
"""That one run takes; a topic with more that is new goes on in another job."""
VERSIONS_READ = 5
"""The newest, among which the next one finds the version it starts from; else it starts anew."""
OTHER_TOPICS = 20
"""Whose keywords tell what this group talks about anyway."""


@dataclass(frozen=True)
class Deps:
    groups: Groups
    topics: Topics
    messages: Messages
    jobs: Jobs
    vectors: Vectors
    model: Model
    embedder: Embedder
    dispatch: Dispatch
    settings: Settings
    now: Callable[[], datetime]
    model_budget_s: float


@dataclass(frozen=True)
class _Read:
    """What a version is made from. `base` is what it starts from; `newest` is the last there is."""

    group: Group
    topic: Topic
    settings: Settings
    newest: Summary | None
    base: Summary | None
    messages: Sequence[StoredMessage]
    others: Sequence[Mapping[str, float]]
    is_more: bool


async def summarize(work: JobInHand, deps: Deps) -> SummaryReport:
    """One job: the plan is committed once; its effects are repeated on every repetition."""
    topic_id = work.payload(SummarizeTopic).topic_id
    report = (
        work.report(SummaryReport)
        if work.is_committed
        else await _next_version(work, topic_id, deps)
    )
    if report.version and not report.unchanged:
        await _index(work.job.group_id, topic_id, deps)
    if report.is_more:
        await deps.dispatch.job(_going_on(work.job, topic_id, report.version, deps.now()))
    return report


async def _next_version(work: JobInHand, topic_id: str, deps: Deps) -> SummaryReport:
    read = await _read(work.job.group_id, topic_id, deps)
    newest = read.newest
    if is_nothing_new(newest, read.topic, read.messages):
        return SummaryReport(topic_id, newest.version if newest else 0, unchanged=True)
    talk = bursts(read.messages)
    keywords = keywords_of(
        [one.content for one in talk], [list(one) for one in read.others], speakers(talk)
    )
    writer = Writer(
        topic=read.topic,
        base=read.base,
        talk=talk,
        keywords=keywords,
        settings=read.settings,
        model=deps.model,
        budget_s=deps.model_budget_s,
    )
    told = await writer.tell()
    if told.digest.method == SIMPLE and newest is not None and newest.generation_method == SIMPLE:
        # The model is still away: another extract would say what the last one says.
        await _put_off(work, read, deps)
        return SummaryReport(topic_id, newest.version, unchanged=True, cost=told.cost)
    quality, judging = await writer.judge(told.digest, newest.version + 1 if newest else 1)
    now = deps.now()
    summary = next_summary(
        read.topic,
        newest,
        read.base,
        read.messages,
        told.digest,
        quality,
        most_worse=read.settings.quality_drop,
        now=now,
    )
    after = topic_after(read.topic, summary, told.digest, read.topic.message_count, now)
    report = SummaryReport(
        topic_id,
        summary.version,
        unchanged=False,
        generation_method=told.digest.method,
        segments=told.segments,
        is_more=read.is_more,
        cost=told.cost + judging,
    )
    writes = [put_summary(summary), changed_topic(read.topic, after)]
    if read.is_more:
        writes.append(new_job(_going_on(work.job, topic_id, summary.version, now)))
    is_digest_wished = read.settings.enable_digests and read.group.digest_due_at is None
    change = due_with_news(read.group, read.settings, now) if is_digest_wished else None
    await work.commit(Plan(work.job.group_id, read.group.epoch, writes, change, report))
    return report


async def _read(group_id: str, topic_id: str, deps: Deps) -> _Read:
    group, topic, versions, active = await asyncio.gather(
        deps.groups.get(group_id),
        deps.topics.get(group_id, topic_id),
        deps.topics.summaries(group_id, topic_id, limit=VERSIONS_READ),
        deps.topics.active(group_id, OTHER_TOPICS),
    )
    base = base_of(versions)
    changed = await deps.messages.changed_in_topic(
        group_id, topic_id, base.until if base else None, MAX_MESSAGES + 1
    )
    if is_overtaken(base, topic, changed):
        base = None
        changed = await deps.messages.changed_in_topic(group_id, topic_id, None, MAX_MESSAGES + 1)
    return _Read(
        group=group,
        topic=topic,
        settings=settings_for(group, deps.settings),
        newest=versions[0] if versions else None,
        base=base,
        messages=new_since(base, changed[:MAX_MESSAGES]),
        others=[one.keywords for one in active if one.topic_id != topic_id],
        is_more=len(changed) > MAX_MESSAGES,
    )


async def _put_off(work: JobInHand, read: _Read, deps: Deps) -> None:
    newest = read.newest
    assert newest is not None
    later = topic_after(
        read.topic, newest, Digest("", SIMPLE), read.topic.summarized_count, deps.now()
    )
    report = SummaryReport(read.topic.topic_id, newest.version, unchanged=True)
    writes = [changed_topic(read.topic, later)]
    await work.commit(Plan(work.job.group_id, read.group.epoch, writes, report=report))


def _going_on(job: Job, topic_id: str, version: int, now: datetime) -> Job:
    return summarize_job(job.group_id, topic_id, f"after version {version}", now)


async def _index(group_id: str, topic_id: str, deps: Deps) -> None:
    """The vector of the version that is shown, and the topic's: it is the mean of its messages."""
    topic, summary = await asyncio.gather(
        deps.topics.get(group_id, topic_id), deps.topics.shown_summary(group_id, topic_id)
    )
    upserts = []
    if summary is not None:
        values = await deps.embedder.embed_one(
            f"{summary.title}\n{summary.content}",
            group_id=group_id,
            budget_s=deps.model_budget_s / 4,
        )
        if values is not None:
            upserts.append(Vector("summary", topic_id, values, summary.version, summary.created_at))
    if mean := topic.mean_in(deps.embedder.model):
        version = max(1, topic.summary_version)
        upserts.append(Vector("topic", topic_id, mean, version, topic.created_at))
    await deps.vectors.apply(group_id, VectorPlan(upserts))

"""Makes the next version of a topic's summary from the last one and what was said since."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from functions.summarize_topic.handle_digest import due_with_news
from functions.summarize_topic.shared_model_call import (
    KEYWORDS,
    ShareCall,
    kept_told,
    summary_text,
    waiting_jobs,
)
from functions.summarize_topic.write_summary import Writer
from shared.config import Settings, settings_for
from shared.contracts.jobs import summarize_job
from shared.contracts.replies import SegmentSummary
from shared.domain.group import Group
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import ModelCost, SummarizeTopic, SummaryReport
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.bursts import bursts
from shared.domain.topics.keywords import keywords_of
from shared.domain.topics.shared_calls import (
    TOGETHER,
    SharedTalk,
    is_shared,
    may_wait,
    shared_cause,
)
from shared.domain.topics.summary import (
    SIMPLE,
    Digest,
    base_of,
    is_nothing_new,
    is_overtaken,
    is_own_lines,
    new_since,
    next_summary,
    speakers,
    topic_after,
)
from shared.domain.topics.topic import Summary, Topic
from shared.jobs.worker import JobInHand
from shared.search.topic_index import topic_vector
from shared.search.vector_writes import put_as_stored
from shared.stores.groups import Plan
from shared.stores.jobs import new_job
from shared.stores.topics import changed_topic, put_summary
from shared.stores.vectors import Vector, VectorPlan, vector_id
from shared.wiring import Services

MAX_MESSAGES = 400
"""That one run takes; a topic with more that is new goes on in another job."""
VERSIONS_READ = 5
"""The newest, among which the next one finds the version it starts from; else it starts anew."""
OTHER_TOPICS = 20
"""Whose keywords tell what this group talks about anyway."""


@dataclass(frozen=True)
class _TopicRead:
    """What a version is made from. `base` is what it starts from; `newest` is the last there is."""

    group: Group
    topic: Topic
    settings: Settings
    newest: Summary | None
    base: Summary | None
    messages: Sequence[StoredMessage]
    others: Sequence[Mapping[str, float]]
    is_more: bool


async def run(work: JobInHand, made: Services) -> SummaryReport:
    topic_id = work.payload(SummarizeTopic).topic_id

    async def effects(report: SummaryReport) -> None:
        if report.version and not report.unchanged:
            await _index(await work.reread(), topic_id, made)
        if report.is_more:
            await made.dispatch.job(_going_on(work.job, topic_id, report.version, made.now()))
        if report.waits:
            await _call_together(work.job.group_id, made)

    return await work.run(SummaryReport, lambda now: _next_version(now, topic_id, made), effects)


async def _call_together(group_id: str, made: Services) -> None:
    """Once enough topics wait, the longest waiting asks for all of them."""
    waiting = await waiting_jobs(group_id, made.jobs)
    if len(waiting) >= TOGETHER:
        await made.dispatch.job(waiting[0])


async def _next_version(work: JobInHand, topic_id: str, made: Services) -> SummaryReport:
    read = await _read(work.job.group_id, topic_id, made)
    newest, cause, own = read.newest, work.payload(SummarizeTopic).cause, read.settings
    is_still_to_tell = is_shared(cause) and newest is not None and is_own_lines(newest)
    if not is_still_to_tell and is_nothing_new(newest, read.messages):
        return SummaryReport(topic_id, newest.version if newest else 0, unchanged=True)
    if not read.messages:
        return SummaryReport(topic_id, newest.version if newest else 0, unchanged=True)
    waits = not read.is_more and may_wait(
        cause,
        read.topic,
        read.base,
        read.topic.message_count,
        small=own.small_topic_messages,
        below=own.shared_topic_messages,
    )
    talk = bursts(read.messages)
    keywords = keywords_of(
        [burst.content for burst in talk],
        [list(others) for others in read.others],
        speakers(talk),
    )
    writer = Writer(
        topic=read.topic,
        base=read.base,
        talk=talk,
        keywords=keywords,
        settings=read.settings,
        model=made.model,
        budget_s=work.model_budget_s,
    )

    async def shared() -> tuple[SegmentSummary, ModelCost] | None:
        last = read.messages[-1].message_id
        mine = SharedTalk(work.job.job_id, read.topic, tuple(keywords)[:KEYWORDS], talk, last)
        said = await ShareCall(made, work.model_budget_s).told(work, mine, read.group.epoch)
        return (said.reply, said.cost) if said else None

    told = await writer.tell(waits=waits, shared=shared if is_still_to_tell else None)
    if told.digest.method == SIMPLE and newest is not None and newest.generation_method == SIMPLE:
        # The model is still away: another extract would say what the last one says.
        await _put_off(work, read, made)
        return SummaryReport(topic_id, newest.version, unchanged=True, cost=told.cost)
    is_sampled = not is_still_to_tell  # to judge one of several would cost as much as all of them
    version = newest.version + 1 if newest else 1
    quality, judging = await writer.judge(told.digest, version, is_sampled=is_sampled)
    now = made.now()
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
        waits=waits,
        masked=sum(burst.has_secret for burst in talk),
    )
    writes = [put_summary(summary), changed_topic(read.topic, after)]
    if waits:
        later = now + timedelta(hours=own.shared_topic_hours)
        job = summarize_job(work.job.group_id, topic_id, shared_cause(summary.version), now)
        writes.append(new_job(replace(job, due_at=later)))
    if read.is_more:
        writes.append(new_job(_going_on(work.job, topic_id, summary.version, now)))
    is_digest_wished = read.settings.enable_digests and read.group.digest_due_at is None
    change = due_with_news(read.group, read.settings, now) if is_digest_wished else None
    await work.commit(Plan(work.job.group_id, read.group.epoch, writes, change, report))
    return report


async def _read(group_id: str, topic_id: str, made: Services) -> _TopicRead:
    group, topic, versions, active = await asyncio.gather(
        made.groups.get(group_id),
        made.topics.get(group_id, topic_id),
        made.topics.summaries(group_id, topic_id, limit=VERSIONS_READ),
        made.topics.active(group_id, OTHER_TOPICS),
    )
    base = base_of(versions)
    changed, is_more = await made.messages.changed_in_topic(
        group_id, topic_id, base.until if base else None, MAX_MESSAGES
    )
    if is_overtaken(base, changed):
        base = None
        changed, is_more = await made.messages.changed_in_topic(
            group_id, topic_id, None, MAX_MESSAGES
        )
    return _TopicRead(
        group=group,
        topic=topic,
        settings=settings_for(group, made.settings),
        newest=versions[0] if versions else None,
        base=base,
        messages=new_since(base, changed),
        others=[topic.keywords for topic in active if topic.topic_id != topic_id],
        is_more=is_more,
    )


async def _put_off(work: JobInHand, read: _TopicRead, made: Services) -> None:
    newest = read.newest
    assert newest is not None
    later = topic_after(
        read.topic, newest, Digest("", SIMPLE), read.topic.summarized_count, made.now()
    )
    report = SummaryReport(read.topic.topic_id, newest.version, unchanged=True)
    writes = [changed_topic(read.topic, later)]
    await work.commit(Plan(work.job.group_id, read.group.epoch, writes, report=report))


def _going_on(job: Job, topic_id: str, version: int, now: datetime) -> Job:
    return summarize_job(job.group_id, topic_id, f"after version {version}", now)


async def _index(work: JobInHand, topic_id: str, made: Services) -> None:
    """The vector of the version that is shown, and the topic's: it is the mean of its messages."""
    group_id, model = work.job.group_id, made.embedder.model
    group = await made.groups.get(group_id)

    async def read() -> tuple[Topic | None, Summary | None]:
        topics, summary = await asyncio.gather(
            made.topics.get_many(group_id, [topic_id]),
            made.topics.shown_summary(group_id, topic_id),
        )
        return topics.get(topic_id), summary

    async def put(found: tuple[Topic | None, Summary | None]) -> None:
        topic, summary = found
        mean = topic.mean_in(model) if topic else ()
        upserts = []
        if topic and summary:
            values = await _summary_vector(work, summary, mean, group.epoch, made)
            if values:
                at = summary.created_at
                upserts.append(Vector("summary", topic_id, values, summary.version, at))
        if topic and (vector := topic_vector(topic, model)):
            upserts.append(vector)
        there = {"topic": topic, "summary": topic and summary}
        gone = [vector_id(kind, topic_id) for kind, record in there.items() if not record]
        await made.vectors.apply(group_id, VectorPlan(upserts, gone))

    await put_as_stored(read, put)


async def _summary_vector(
    work: JobInHand, summary: Summary, mean: Sequence[float], epoch: int, made: Services
) -> Sequence[float] | None:
    """An extract means what its lines mean, and gets its vector with theirs if they have none yet;
    what was told with others has its vector already: neither costs a call."""
    if is_own_lines(summary):
        return mean
    until = summary.message_ids[-1] if summary.message_ids else ""
    kept = kept_told(work.job, until, epoch)
    if kept is not None and kept.vector and kept.reply.summary == summary.content:
        return kept.vector
    return await made.embedder.embed_one(
        summary_text(summary.title, summary.content),
        group_id=work.job.group_id,
        budget_s=work.model_budget_s / 4,
    )

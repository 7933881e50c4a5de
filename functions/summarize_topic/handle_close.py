"""Closes topics that have been idle: each gets its summary, and a reply opens it again; and has
summaries made that are due by the clock.

Bounded and resumable: a call takes the longest due, and what is done is no longer due.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from shared import log
from shared.config import settings_for
from shared.contracts.jobs import summarize_job
from shared.domain.attribution.topic_updates import closing_cause, is_worth_summarizing, shut
from shared.domain.jobs.job import Job
from shared.domain.topics.topic import Topic
from shared.errors import Conflict, Transient
from shared.search.topic_index import topic_plan
from shared.search.vector_writes import put_as_stored
from shared.stores.jobs import new_job
from shared.stores.topics import TopicRevision, changed_topic
from shared.wiring import Services

TOPICS_A_CALL = 256
"""A page of the schedule: some seconds' work."""
AT_ONCE = 10
"""Closed side by side: more would only wait for the same database."""


@dataclass(frozen=True)
class ClosingReport:
    total: int
    archived: int
    summaries: int
    is_more: bool


async def close_idle(made: Services) -> ClosingReport:
    """The longest idle first, a page a call: the next call finds what is left."""
    now = made.now()
    idle, is_more = await made.topics.closing(now, TOPICS_A_CALL)
    summarizing = await _summarizing({revision.topic.group_id for revision in idle}, made)
    closed = 0
    for start in range(0, len(idle), AT_ONCE):
        shutting = (
            _close(revision, now, is_summarizing=summarizing[revision.topic.group_id], made=made)
            for revision in idle[start : start + AT_ONCE]
        )
        closed += sum(await asyncio.gather(*shutting))
    archived = 0
    old = await made.topics.archiving(now, TOPICS_A_CALL)
    for revision in old:
        archived += await _archive(revision, made)
    due = await made.topics.summary_due(now, TOPICS_A_CALL)
    summarizing = await _summarizing({revision.topic.group_id for revision in due}, made)
    wished = 0
    for revision in due:
        wished += await _wish(
            revision, now, is_summarizing=summarizing[revision.topic.group_id], made=made
        )
    is_more = is_more or TOPICS_A_CALL in (len(old), len(due))
    return ClosingReport(closed, archived, wished, is_more)


async def _wish(
    found: TopicRevision, now: datetime, *, is_summarizing: bool, made: Services
) -> bool:
    """A summary that is due gets its job, once: the wish is no longer due when the job is there."""
    topic = found.topic
    job = None
    if is_summarizing:
        cause = f"due {topic.summary_due_at}, after version {topic.summary_version}"
        wanted = summarize_job(topic.group_id, topic.topic_id, cause, now)
        job = None if await made.jobs.get(wanted.job_id) else wanted
    writes = [changed_topic(topic, replace(topic, summary_due_at=None), found.revision)]
    try:
        await made.topics.apply([*writes, new_job(job)] if job else writes)
    except Conflict:
        return False
    if job:
        await made.dispatch.job(job)
    return job is not None


async def _close(
    found: TopicRevision, now: datetime, *, is_summarizing: bool, made: Services
) -> bool:
    """One topic, unless somebody spoke in it since it was read."""
    topic = found.topic
    job = await _summary_job(topic, now, made) if is_summarizing else None
    writes = [changed_topic(topic, shut(topic, now), found.revision)]
    try:
        await made.topics.apply([*writes, new_job(job)] if job else writes)
    except Conflict:
        return False
    if job:
        await made.dispatch.job(job)  # its summary is indexed together with the topic
    else:
        await _index(topic, made)
    return True


async def _summary_job(topic: Topic, now: datetime, made: Services) -> Job | None:
    """None if there is nothing to summarise, or attribution closed it and asked already."""
    if not is_worth_summarizing(topic):
        return None
    job = summarize_job(topic.group_id, topic.topic_id, closing_cause(topic), now)
    return None if await made.jobs.get(job.job_id) else job


async def _index(topic: Topic, made: Services) -> None:
    """The mean of all that was said. If the index is away, upkeep or the summary puts it."""
    group_id, topic_id = topic.group_id, topic.topic_id

    async def put(found: Mapping[str, Topic]) -> None:
        plan = topic_plan(topic_id, found.get(topic_id), made.settings.embedding_model)
        await made.vectors.apply(group_id, plan)

    try:
        await put_as_stored(lambda: made.topics.get_many(group_id, [topic_id]), put)
    except Transient as error:
        log.warning("topic_not_indexed", group_id=topic.group_id, code=error.code)


async def _archive(found: TopicRevision, made: Services) -> bool:
    archived = replace(found.topic, is_archived=True, archives_at=None)
    try:
        await made.topics.apply([changed_topic(found.topic, archived, found.revision)])
    except Conflict:
        return False
    return True


async def _summarizing(group_ids: set[str], made: Services) -> dict[str, bool]:
    """Which of the groups want summaries."""
    wanted: dict[str, bool] = {}
    for group_id in sorted(group_ids):
        group = await made.groups.find(group_id)
        wanted[group_id] = settings_for(group, made.settings).enable_summaries
    return wanted

"""Forgetting: the message first, at once; what was derived from it in a job, with a receipt."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from shared.contracts.jobs import forget_message_job
from shared.domain.ids import digest
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import ForgetMessage, ForgetReport
from shared.domain.messages.delivery import blanked
from shared.domain.word_index.rows import rows_without
from shared.errors import Misconfigured, NotFound
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import JobInHand
from shared.stores.database import Write, delete
from shared.stores.groups import Groups, Plan, raised_epoch
from shared.stores.jobs import Jobs, new_job
from shared.stores.messages import Messages
from shared.stores.topics import Topics, patch_topic, topic_path
from shared.stores.vectors import VectorPlan, Vectors, vector_id
from shared.stores.word_index import WordIndex

NEIGHBOURS_WITHIN = timedelta(hours=6)
NEIGHBOURS = 100
"""Where the lines beside a forgotten one are looked for, before it and after it."""


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    topics: Topics
    jobs: Jobs
    vectors: Vectors
    word_index: WordIndex
    dispatch: Dispatch
    now: Callable[[], datetime]


async def forget_message(group_id: str, message_id: str, deps: Deps) -> Job:
    """Blank the message and commit the job that removes its traces, in one commit."""
    found = await deps.messages.get_many(group_id, [message_id])
    if message_id not in found:
        raise NotFound(f"there is no message {message_id} in this group")
    message = found[message_id].message
    job = forget_message_job(group_id, message_id, message.topic_id, deps.now())
    known = await deps.jobs.get(job.job_id)
    if known is not None:
        return known
    also = [raised_epoch(group_id), new_job(job)]
    await deps.messages.apply({message_id: blanked(message)}, found, also)
    await deps.dispatch.job(job)
    return job


async def forget(work: JobInHand, deps: Deps) -> ForgetReport:
    """Take the message's vectors away, and its topic if nothing else was in it; and the models'
    answers that wait on jobs of the group, since they may quote it."""
    group_id, asked = work.job.group_id, work.payload(ForgetMessage)
    report = work.report(ForgetReport) if work.is_committed else await _forgotten(asked, work, deps)
    # A topic that this message began has an id derived from it, even if it was never committed.
    began = digest("topic", group_id, asked.message_id)
    vectors = [vector_id("message", asked.message_id)]
    if asked.topic_id is None or asked.topic_id == began:
        left = await deps.topics.get_many(group_id, [began])
        vectors += [] if left else [vector_id("topic", began), vector_id("summary", began)]
    await deps.vectors.apply(group_id, VectorPlan(deletes=vectors))
    await _forget_words(group_id, asked.message_id, asked.topic_id, deps)
    await deps.jobs.blank_replies(group_id)
    return report


async def _forgotten(asked: ForgetMessage, work: JobInHand, deps: Deps) -> ForgetReport:
    group = await deps.groups.get(work.job.group_id)
    writes, gone = await _topic_without(group.group_id, asked.topic_id, deps)
    report = ForgetReport(messages=1, topics=gone, vectors=1 + gone)
    await work.commit(Plan(group.group_id, group.epoch, writes, report=report))
    return report


async def _forget_words(group_id: str, message_id: str, topic_id: str | None, deps: Deps) -> None:
    """Its own row goes, and its neighbours are found by its words no more."""
    await deps.word_index.delete(group_id, [message_id])
    message = await deps.messages.get(group_id, message_id)
    if message is None or not topic_id:
        return
    when = message.create_time
    before = await deps.messages.recent(
        group_id, since=when - NEIGHBOURS_WITHIN, until=when, limit=NEIGHBOURS
    )
    after = await deps.messages.said_between(
        group_id, when, when + NEIGHBOURS_WITHIN, message_id, NEIGHBOURS
    )
    rows = rows_without([*before, *after], topic_id, message_id, when)
    with contextlib.suppress(Misconfigured):  # no index, no rows
        await deps.word_index.upsert(group_id, rows)


async def _topic_without(
    group_id: str, topic_id: str | None, deps: Deps
) -> tuple[list[Write], int]:
    """The topic has one message less; without any it goes."""
    if not topic_id:
        return [], 0
    topic = (await deps.topics.get_many(group_id, [topic_id])).get(topic_id)
    if topic is None:
        return [], 0
    if topic.message_count <= 1:
        return [delete(topic_path(group_id, topic.topic_id))], 1
    fields: dict[str, Any] = {"message_count": topic.message_count - 1}
    if topic.summary_version:
        # What it tells may be of this message: the schedule has it told anew, from the rest.
        fields |= {"is_summary_stale": True, "summary_due_at": deps.now()}
    return [patch_topic(group_id, topic.topic_id, **fields)], 0

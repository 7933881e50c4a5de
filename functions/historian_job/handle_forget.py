"""Forgetting: the message first, at once; what was derived from it in a job, with a receipt."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.contracts.jobs import forget_message_job
from shared.domain.ids import digest
from shared.domain.jobs.job import Job
from shared.domain.messages.delivery import blanked
from shared.errors import NotFound
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import Work
from shared.stores.database import Write, delete, plus, server_time, update
from shared.stores.groups import Groups, Plan, group_path
from shared.stores.jobs import Jobs, new_job
from shared.stores.messages import Messages
from shared.stores.topics import Topics, patch_topic, topic_path
from shared.stores.vectors import VectorPlan, Vectors, vector_id


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    topics: Topics
    jobs: Jobs
    vectors: Vectors
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
    raised = update(group_path(group_id), {"epoch": plus(1), "updated_at": server_time()})
    await deps.messages.apply({message_id: blanked(message)}, found, [raised, new_job(job)])
    await deps.dispatch.job(job)
    return job


async def forget(work: Work, deps: Deps) -> Mapping[str, Any]:
    """Take the message's vectors away, and its topic if nothing else was in it; and the models'
    answers that wait on jobs of the group, since they may quote it."""
    group_id = work.job.group_id
    message_id = str(work.job.payload["message_id"])
    topic_id = work.job.payload.get("topic_id")
    if not work.is_committed:
        group = await deps.groups.get(group_id)
        writes, gone = await _topic_without(group_id, topic_id, deps)
        result = {"messages": 1, "topics": gone, "vectors": 1 + gone}
        await work.commit(Plan(group_id, group.epoch, writes, result=result))
    # A topic that this message began has an id derived from it, even if it was never committed.
    began = digest("topic", group_id, message_id)
    vectors = [vector_id("message", message_id)]
    if topic_id is None or topic_id == began:
        left = await deps.topics.get_many(group_id, [began])
        vectors += [] if left else [vector_id("topic", began), vector_id("summary", began)]
    await deps.vectors.apply(group_id, VectorPlan(deletes=vectors))
    await deps.jobs.blank_replies(group_id)
    job = await deps.jobs.get(work.job.job_id)
    return job.result if job else {}


async def _topic_without(group_id: str, topic_id: Any, deps: Deps) -> tuple[list[Write], int]:
    """The topic has one message less; without any it goes."""
    if not topic_id:
        return [], 0
    topic = (await deps.topics.get_many(group_id, [str(topic_id)])).get(str(topic_id))
    if topic is None:
        return [], 0
    if topic.message_count <= 1:
        return [delete(topic_path(group_id, topic.topic_id))], 1
    return [patch_topic(group_id, topic.topic_id, message_count=topic.message_count - 1)], 0

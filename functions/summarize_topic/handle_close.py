"""Closes topics that have been idle: each gets its summary, and a reply opens it again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.clients.dispatch import Dispatch
from shared.contracts.jobs import summarize_job
from shared.errors import Conflict
from shared.stores.jobs import new_job
from shared.stores.topics import Topics, patch_topic

TOPICS_A_CALL = 200


@dataclass(frozen=True)
class Deps:
    topics: Topics
    dispatch: Dispatch
    now: Callable[[], datetime]
    idle: timedelta


async def close_idle(deps: Deps) -> int:
    """The longest idle first, a page a call: the next call finds what is left."""
    now = deps.now()
    closed = 0
    for topic in await deps.topics.idle(now - deps.idle, TOPICS_A_CALL):
        cause = f"closed with {topic.message_count}"
        job = summarize_job(topic.group_id, topic.topic_id, cause, now)
        shut = patch_topic(topic.group_id, topic.topic_id, is_active=False)
        try:
            await deps.topics.apply([shut, new_job(job)])
        except Conflict:
            # It was closed at this size before, and opened by a reply that was taken back.
            await deps.topics.apply([shut])
        else:
            await deps.dispatch.job(job)
        closed += 1
    return closed

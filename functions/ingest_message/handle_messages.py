"""Stores what was said: read what is known, decide, one commit, one named task. No model waits."""

import asyncio
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared import log
from shared.contracts.jobs import forget_message_job
from shared.domain.group import Group, new_group
from shared.domain.jobs.job import Job
from shared.domain.messages.delivery import (
    Analyse,
    IngestPlan,
    Receipt,
    decide_ingest,
    early_recall,
    is_history,
    with_early_recall,
)
from shared.domain.messages.message import GroupEvent, Message, Recall
from shared.errors import Conflict, Forbidden, Transient
from shared.jobs.dispatch import Dispatch
from shared.stores.database import Write, create
from shared.stores.groups import Groups, group_fields, group_path, raised_epoch
from shared.stores.jobs import new_job
from shared.stores.messages import Messages

MAX_MESSAGES = 100
"""Of one commit, with what else it writes: well below the 500 writes a commit may have."""
MAX_BYTES = 5 * 1024 * 1024
"""Of one commit: half of what Firestore takes."""
MUCH_TEXT = 16 * 1024
"""So many characters take tens of milliseconds to read: others are answered meanwhile."""
TRIES = 8
"""Deliveries of the same message that race each other: the last of eight still gets through."""


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    dispatch: Dispatch
    analyse: Analyse
    now: Callable[[], datetime]


async def ingest(group_id: str, arrivals: Sequence[Message | Recall], deps: Deps) -> list[Receipt]:
    """Deliveries of one group, in order. Delivered twice, or in another order, it ends the same."""
    receipts: list[Receipt] = []
    for chunk in chunks(arrivals):
        receipts += await _ingest_chunk(group_id, chunk, deps)
    return receipts


async def note_event(event: GroupEvent, deps: Deps) -> None:
    """What happened to the group itself: a new name is kept, the rest is only logged."""
    log.info("group_event", group_id=event.group_id, happening=event.happening)
    name = event.group_name
    if name and event.happening in ("renamed", "bot_added"):
        await deps.groups.change(
            event.group_id, lambda group: replace(group, name=name), deps.now()
        )


async def _ingest_chunk(
    group_id: str, arrivals: Sequence[Message | Recall], deps: Deps
) -> Sequence[Receipt]:
    arrivals = [await _resolved(arrival, deps) for arrival in arrivals]
    ids = [one.message_id for one in arrivals if one.message_id]
    ids += [early_recall(one.native_id) for one in arrivals if one.native_id]
    for _ in range(TRIES):
        group, read = await deps.messages.with_group(group_id, ids)
        if group and group.is_deleted:
            raise Forbidden(f"group {group_id} was deleted and takes no messages")
        known = {message_id: found.message for message_id, found in read.items()}
        decide = functools.partial(
            decide_ingest,
            [with_early_recall(arrival, known) for arrival in arrivals],
            known,
            opted_out=group.opted_out if group else (),
            analyse=deps.analyse,
            now=deps.now(),
        )
        plan = await asyncio.to_thread(decide) if _is_much(arrivals) else decide()
        if not plan.messages:
            return plan.receipts
        jobs = [
            forget_message_job(group_id, one, read[one].message.topic_id, deps.now())
            for one in plan.recalled
            if one in read
        ]
        try:
            also = [*_group_writes(group, arrivals, plan, deps.now()), *map(new_job, jobs)]
            await deps.messages.apply(plan.messages, read, also)
        except Conflict:
            # Somebody delivered one of these meanwhile: what is known has changed.
            continue
        await _send(group_id, plan, jobs, deps)
        return plan.receipts
    raise Transient(f"the messages of {group_id} keep changing; try again")


def _is_much(arrivals: Sequence[Message | Recall]) -> bool:
    return sum(len(one.content) for one in arrivals if isinstance(one, Message)) > MUCH_TEXT


async def _resolved(arrival: Message | Recall, deps: Deps) -> Message | Recall:
    """Where a platform's ids repeat, the newest earlier message with that id is meant."""
    if isinstance(arrival, Recall):
        if arrival.native_id is None:
            return arrival
        before = arrival.recalled_at or deps.now()
        found = await deps.messages.newest_by_native_id(arrival.group_id, arrival.native_id, before)
        message_id = found.message_id if found else early_recall(arrival.native_id)
        return replace(arrival, native_id=None, message_id=message_id, recalled_at=before)
    if arrival.reply_native_id is None or arrival.reply_message_id is not None:
        return arrival
    found = await deps.messages.newest_by_native_id(
        arrival.group_id, arrival.reply_native_id, arrival.create_time
    )
    return replace(arrival, reply_message_id=found.message_id) if found else arrival


def _group_writes(
    group: Group | None, arrivals: Sequence[Message | Recall], plan: IngestPlan, now: datetime
) -> list[Write]:
    """A group's first message makes its document; a recall raises its epoch."""
    first = arrivals[0]
    if group is None:
        made = new_group(
            first.group_id,
            now,
            name=(first.group_name or "") if isinstance(first, Message) else "",
            audience=first.audience if isinstance(first, Message) else "group",
        )
        return [create(group_path(made.group_id), group_fields(made))]
    if plan.recalled:
        return [raised_epoch(group.group_id)]
    return []


async def _send(group_id: str, plan: IngestPlan, jobs: Sequence[Job], deps: Deps) -> None:
    if plan.has_pending:
        await deps.dispatch.attribution(group_id, is_history=is_history(plan, deps.now()))
    for job in jobs:
        await deps.dispatch.job(job)


def chunks(arrivals: Sequence[Message | Recall]) -> Iterator[list[Message | Recall]]:
    """Parts small enough for one commit."""
    chunk: list[Message | Recall] = []
    size = 0
    for arrival in arrivals:
        weight = len(arrival.content.encode()) * 2 if isinstance(arrival, Message) else 0
        if chunk and (len(chunk) >= MAX_MESSAGES or size + weight > MAX_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(arrival)
        size += weight
    if chunk:
        yield chunk

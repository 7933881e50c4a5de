"""Gives pending messages their topics: read, embed, decide, vectors, one fenced commit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.clients.dispatch import Dispatch
from shared.clients.embedder import Embedder
from shared.clients.worker import Worker
from shared.domain.attribution import Assignment, grown, propose
from shared.domain.group import Group
from shared.domain.lease import attribution_of
from shared.domain.stored_message import StoredMessage
from shared.errors import Conflict, EpochMoved, Transient
from shared.stores.database import Write
from shared.stores.groups import Groups, Plan
from shared.stores.leases import Held
from shared.stores.messages import Found, Messages, attributed_message, passed_over
from shared.stores.topics import Topics, put_topic
from shared.stores.vectors import Vector, VectorPlan, Vectors

BATCH = 100
TRIES = 3


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    topics: Topics
    vectors: Vectors
    embedder: Embedder
    worker: Worker
    dispatch: Dispatch
    embed_budget_s: float
    keeps_message_vectors: bool


async def attribute(group_id: str, deps: Deps) -> Mapping[str, Any]:
    """The oldest pending messages of a group; more of them cause the next task."""

    lease = attribution_of(group_id)

    async def again() -> None:
        await deps.dispatch.attribution(group_id)
        await deps.worker.send_next(lease)

    async with deps.worker.holding(lease, again) as held:
        if held is None:
            return {"waiting": True}
        for _ in range(TRIES):
            try:
                done, is_more = await _attribute_some(group_id, held, deps)
            except (Conflict, EpochMoved):
                # Edited, recalled or forgotten while we looked: look again.
                continue
            if is_more:
                await deps.dispatch.attribution(group_id)
            return {"attributed": done}
        raise Transient(f"the messages of {group_id} keep changing")


async def _attribute_some(group_id: str, held: Held, deps: Deps) -> tuple[int, bool]:
    group = await deps.groups.find(group_id)
    pending = await deps.messages.pending(group_id, BATCH)
    if group is None or group.is_deleted or not pending:
        return 0, False
    replied = await _replied(group_id, pending, deps)
    vectors, refused = await _embed(group_id, pending, deps)
    readable = [found.message for found in pending if found.message.message_id not in refused]
    assignments = propose(readable, replied)
    topics = await deps.topics.get_many(
        group_id, list(dict.fromkeys(one.topic_id for one in assignments))
    )
    by_id = {found.message.message_id: found for found in pending}
    writes: list[Write] = [
        attributed_message(by_id[one.message.message_id], one.topic_id, one.continues)
        for one in assignments
    ]
    writes += [passed_over(by_id[one], "the embedder refused it") for one in refused]
    created: list[Vector] = []
    for topic_id, members in _by_topic(assignments).items():
        topic = grown(topics.get(topic_id), topic_id, members, vectors)
        writes.append(put_topic(topic))
        if topic_id not in topics and members[0].message_id in vectors:
            values = vectors[members[0].message_id]
            created.append(Vector("topic", topic_id, values, time=topic.created_at))
    # The index first: this work has no job to come back to, and a vector without its record is
    # dropped by every reader. The other way round a crash in between would leave a hole.
    await deps.vectors.apply(group_id, _vector_plan(readable, vectors, created, deps))
    await deps.groups.commit(Plan(group_id, group.epoch, writes, change=_seen), held)
    return len(assignments), len(pending) == BATCH


async def _replied(group_id: str, pending: Sequence[Found], deps: Deps) -> dict[str, StoredMessage]:
    wanted = [one.message.reply_message_id for one in pending if one.message.reply_message_id]
    found = await deps.messages.get_many(group_id, wanted)
    return {message_id: one.message for message_id, one in found.items()}


async def _embed(
    group_id: str, pending: Sequence[Found], deps: Deps
) -> tuple[dict[str, list[float]], list[str]]:
    """One call for all; the ids of those the embedder refuses."""
    spoken = [found.message for found in pending if found.message.content.strip()]
    embedded = await deps.embedder.embed(
        [message.content for message in spoken], group_id=group_id, budget_s=deps.embed_budget_s
    )
    vectors: dict[str, list[float]] = {}
    refused: list[str] = []
    for message, vector in zip(spoken, embedded, strict=True):
        if vector is None:
            refused.append(message.message_id)
        else:
            vectors[message.message_id] = vector
    return vectors, refused


def _by_topic(assignments: Sequence[Assignment]) -> dict[str, list[StoredMessage]]:
    members: dict[str, list[StoredMessage]] = {}
    for one in assignments:
        members.setdefault(one.topic_id, []).append(one.message)
    return members


def _seen(group: Group) -> Group:
    return replace(group, evolve_due=True)


def _vector_plan(
    messages: Sequence[StoredMessage],
    vectors: Mapping[str, list[float]],
    created: Sequence[Vector],
    deps: Deps,
) -> VectorPlan:
    if not deps.keeps_message_vectors:
        return VectorPlan(created)
    own = [
        Vector("message", one.message_id, vectors[one.message_id], time=one.create_time)
        for one in messages
        if one.message_id in vectors
    ]
    return VectorPlan([*created, *own])

"""Fuses what a group said since the last run into its memories: one fenced commit, then vectors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from shared.clients.embedder import Embedder
from shared.clients.model import Model
from shared.clients.worker import Work
from shared.contracts.replies import Evolution
from shared.contracts.shown import rfc3339, shown_change
from shared.domain.evolution import EvolutionPlan, Line, decide_evolution
from shared.domain.group import Cursor, Group
from shared.domain.memory import Memory, MemoryStatus
from shared.domain.stored_message import StoredMessage
from shared.domain.vectors import pack, unpack
from shared.errors import BadReply
from shared.stores.groups import Groups, Plan
from shared.stores.memories import Memories, put_change, put_memory
from shared.stores.messages import Messages
from shared.stores.vectors import Vector, VectorPlan, Vectors, vector_id

MAX_MEMORIES = 50
MAX_MESSAGES = 200
CURSOR = "evolve"


@dataclass(frozen=True)
class Deps:
    groups: Groups
    memories: Memories
    messages: Messages
    vectors: Vectors
    model: Model
    embedder: Embedder
    now: Callable[[], datetime]
    model_budget_s: float
    max_active: int


async def evolve(work: Work, deps: Deps) -> Mapping[str, Any]:
    """One run. After the commit a repetition only puts the vectors again."""
    result = work.job.result if work.is_committed else await _evolved(work, deps)
    await _index(work.job.group_id, result.get("touched", []), deps)
    return result


async def _evolved(work: Work, deps: Deps) -> Mapping[str, Any]:
    group_id = work.job.group_id
    group = await deps.groups.get(group_id)
    memories = await deps.memories.active(group_id, MAX_MEMORIES)
    messages = await _new_messages(group, work.job.payload.get("days"), deps)
    spoken = [one for one in messages if one.is_readable and one.content.strip()]
    plan = EvolutionPlan((), (), len(memories), 0, 0, 0)
    if spoken:
        lines = await _lines(work, memories, spoken, deps)
        plan = decide_evolution(
            memories,
            lines,
            group_id=group_id,
            run_id=work.job.job_id,
            now=deps.now(),
            speakers={one.message_id: one.user_id for one in spoken},
            max_active=deps.max_active,
        )
    written = await _with_vectors(group_id, plan.memories, deps)
    result = {
        "evolution_time": rfc3339(deps.now()),
        "stats": {
            "kept": plan.kept,
            "updated": plan.updated,
            "created": plan.created,
            "deleted": plan.deleted,
        },
        "changes": [shown_change(change) for change in plan.changes],
        "message": "evolved" if spoken else "no new messages",
        "touched": [memory.memory_id for memory in written],
        "is_more": len(messages) == MAX_MESSAGES,
    }
    await work.commit(
        Plan(
            group_id,
            group.epoch,
            [*map(put_memory, written), *map(put_change, plan.changes)],
            change=lambda found: _moved(found, messages),
            result=result,
        )
    )
    return result


async def _new_messages(group: Group, days: Any, deps: Deps) -> Sequence[StoredMessage]:
    """What came since the cursor; with `days`, what was said in that window."""
    if days:
        now = deps.now()
        since = now - timedelta(days=int(days))
        return await deps.messages.recent(
            group.group_id, since=since, until=now, limit=MAX_MESSAGES
        )
    return await deps.messages.since(group.group_id, group.cursors.get(CURSOR), MAX_MESSAGES)


async def _lines(
    work: Work, memories: Sequence[Memory], messages: Sequence[StoredMessage], deps: Deps
) -> list[Line]:
    """The model's decisions; its raw answer is kept on the job before anything is made of it."""
    if work.job.reply is not None:
        reply, _ = Evolution.read(work.job.reply)
        if reply is None:
            raise BadReply("the stored answer cannot be read")
    else:
        answer = await deps.model.ask(
            "memory_evolve",
            Evolution,
            _question(memories, messages, deps.now()),
            group_id=work.job.group_id,
            budget_s=deps.model_budget_s,
        )
        await work.keep_reply(answer.raw)
        reply = answer.reply
    return [
        Line(
            action=line.action,
            old_id=line.old_id or None,
            statement=line.statement or "",
            reason=line.change_reason or "",
            kind=line.kind or "fact",
            subject=line.subject or "",
            tags=tuple(line.tags),
            sources=tuple(line.sources),
        )
        for line in reply.lines
    ]


def _question(
    memories: Sequence[Memory], messages: Sequence[StoredMessage], now: datetime
) -> dict[str, Any]:
    return {
        "today": now.date().isoformat(),
        "existing_memories": [
            {
                "id": memory.memory_id,
                "statement": memory.statement,
                "kind": memory.kind,
                "subject": memory.subject,
                "version": memory.version,
                "last_supported_at": rfc3339(memory.last_supported_at),
            }
            for memory in memories
        ],
        "new_discussions": [
            {
                "id": message.message_id,
                "user_id": message.user_id,
                "user_name": message.user_name or message.user_id,
                "time": rfc3339(message.create_time),
                "content": message.content,
                "role": message.role,
            }
            for message in messages
        ],
    }


async def _with_vectors(group_id: str, memories: Sequence[Memory], deps: Deps) -> list[Memory]:
    """New statements get theirs: later decisions read it from the record."""
    fresh = [one for one in memories if one.status is MemoryStatus.ACTIVE and not one.vector]
    embedded = await deps.embedder.embed(
        [one.statement for one in fresh], group_id=group_id, budget_s=deps.model_budget_s / 4
    )
    vectors = {
        one.memory_id: pack(values)
        for one, values in zip(fresh, embedded, strict=True)
        if values is not None
    }
    return [replace(one, vector=vectors.get(one.memory_id, one.vector)) for one in memories]


def _moved(group: Group, messages: Sequence[StoredMessage]) -> Group:
    """The cursor never goes back, whatever window was asked for."""
    times = [one for one in messages if one.received_at is not None]
    cursors = dict(group.cursors)
    if times:
        last = max(times, key=lambda one: (one.received_at, one.message_id))
        assert last.received_at is not None
        known = cursors.get(CURSOR)
        if known is None or last.received_at > known.at:
            cursors[CURSOR] = Cursor(last.received_at, last.message_id)
    return replace(group, cursors=cursors, evolve_due=len(messages) == MAX_MESSAGES)


async def _index(group_id: str, memory_ids: Sequence[str], deps: Deps) -> None:
    """What is active is in the index, what is not is not."""
    found = await deps.memories.get_many(group_id, list(memory_ids))
    upserts = [
        Vector("memory", one.memory_id, unpack(one.vector), one.version, one.updated_at)
        for one in found.values()
        if one.status is MemoryStatus.ACTIVE and one.vector
    ]
    deletes = [
        vector_id("memory", one.memory_id)
        for one in found.values()
        if one.status is not MemoryStatus.ACTIVE
    ]
    await deps.vectors.apply(group_id, VectorPlan(upserts, deletes))

"""Memories by hand: add, change, delete, restore, weigh, forget. Each change is a version."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.config import settings_for
from shared.contracts.jobs import forget_memory_job
from shared.contracts.memories import NewMemory, NewVersion
from shared.domain.forgetting.forgotten import Forgotten
from shared.domain.group import BeingForgotten, Group
from shared.domain.jobs.job import Job
from shared.domain.memories.backing import bare_words
from shared.domain.memories.core import with_core
from shared.domain.memories.guessed_kind import guessed_kind
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.versions import Step, created, deleted, restored, updated
from shared.errors import Conflict
from shared.forgetting.removal import Removal, forget_now
from shared.jobs.dispatch import Dispatch
from shared.search.memory_index import index
from shared.search.statement_similarity import StatementSimilarity, similarity_for
from shared.stores.groups import Groups, being_forgotten, raised_epoch
from shared.stores.jobs import Jobs, new_job
from shared.stores.memories import FoundMemory, Memories, patched_memory, step_writes
from shared.stores.vectors import Vectors
from shared.wiring import Services

MAX_COMPARED = 500
"""Many times what a group may have active: all of them, in practice."""


@dataclass(frozen=True)
class ByHandDeps:
    groups: Groups
    memories: Memories
    vectors: Vectors
    jobs: Jobs
    removal: Removal
    dispatch: Dispatch
    similarity: StatementSimilarity
    now: Callable[[], datetime]
    unsupported_days: int
    core_threshold: float


def deps_for(group: Group | None, made: Services) -> ByHandDeps:
    """By the group's own settings; the first memory may come before the group's first message."""
    own = settings_for(group, made.settings)
    return made.deps(
        ByHandDeps,
        similarity=similarity_for(own, made.embedder),
        unsupported_days=own.unsupported_days,
        core_threshold=own.core_threshold,
    )


async def add(group_id: str, asked: NewMemory, deps: ByHandDeps) -> Memory:
    """Conflict if the group has a memory in these words already."""
    now = deps.now()
    silent_until = now + timedelta(days=deps.unsupported_days)
    await deps.groups.change(
        group_id, lambda group: replace(group, review_at=group.review_at or silent_until), now
    )
    await _check_new(group_id, asked.statement, deps)
    memory = Memory(
        memory_id="",
        group_id=group_id,
        statement=asked.statement,
        version=1,
        created_at=now,
        updated_at=now,
        kind=asked.kind or guessed_kind(asked.statement),
        subject=asked.subject,
        change_summary=asked.reason,
        strength=asked.strength,
        tags=tuple(asked.tags),
        last_supported_at=now,
        expires_at=asked.expires_at,
    )
    return await _take(created(memory, run_id=_run(now), now=now), {}, deps)


async def change(
    memory: Memory,
    asked: NewVersion,
    deps: ByHandDeps,
    *,
    sources: tuple[str, ...] = (),
    users: tuple[str, ...] = (),
) -> Memory:
    """`sources` are messages it now rests on, and `users` those who wrote them."""
    now = deps.now()
    head = await _head(memory, deps)
    _check_active(head.memory)
    new = replace(
        head.memory,
        statement=asked.statement,
        kind=asked.kind or head.memory.kind,
        tags=tuple(asked.tags) if asked.tags is not None else head.memory.tags,
        change_summary=asked.reason,
        sources=sources,
        source_users=users,
        vector=b"",
        status=MemoryStatus.ACTIVE,
        held_back="",
        expires_at=asked.expires_at
        if "expires_at" in asked.model_fields_set
        else head.memory.expires_at,
    )
    step = updated(head.memory, new, run_id=_run(now), now=now)
    return await _take(step, _revisions(head), deps)


async def remove(memory: Memory, deps: ByHandDeps) -> Memory:
    """Deprecated, with a version that says so; it can be restored."""
    now = deps.now()
    head = await _head(memory, deps)
    _check_active(head.memory)
    step = deleted(head.memory, "deleted by hand", run_id=_run(now), now=now)
    return await _take(step, _revisions(head), deps)


async def restore(memory: Memory, deps: ByHandDeps) -> Memory:
    """What was last true, as a new version on top of the history."""
    now = deps.now()
    versions = await deps.memories.history(memory)
    head = versions[-1]
    if head.memory.status is MemoryStatus.ACTIVE:
        raise Conflict("the memory is active", memory_id=head.memory.memory_id)
    said = [one.memory for one in versions if one.memory.vector] or [head.memory]
    await _check_new(memory.group_id, said[-1].statement, deps)
    step = restored(head.memory, said[-1], run_id=_run(now), now=now)
    return await _take(step, _revisions(head), deps)


async def weigh(memory: Memory, strength: float, deps: ByHandDeps) -> Memory:
    """In place: a weight is no version. A weight given by hand makes a memory core at once, or
    takes that from it: somebody wants it so. Weights that move by themselves wait for upkeep."""
    head = await _head(memory, deps)
    _check_active(head.memory)
    weighed = with_core(replace(head.memory, strength=strength), deps.core_threshold)
    await deps.memories.apply([patched_memory(head, strength=strength, core=weighed.core)])
    return weighed


async def forget(memory: Memory, deps: ByHandDeps) -> Job:
    """Every version and its words, everywhere; plans under way are thrown away. Gone when this
    returns, unless a store is away: then the job does it, and until then nobody is shown it."""
    group_id, root_id = memory.group_id, memory.root_id or memory.memory_id
    job = forget_memory_job(group_id, root_id, deps.now())
    if await deps.jobs.get(job.job_id) is None:
        asked = BeingForgotten(root_ids=(root_id,))
        mark = being_forgotten(group_id, job.job_id, asked)
        await deps.memories.apply([raised_epoch(group_id), mark, new_job(job)])
    forgotten = Forgotten(root_ids=frozenset([root_id]))
    await forget_now(deps.removal, group_id, forgotten, [], job.job_id)
    await deps.dispatch.job(job)
    return await deps.jobs.get(job.job_id) or job


async def _head(memory: Memory, deps: ByHandDeps) -> FoundMemory:
    """The newest version: any id of a memory stands for the memory."""
    return (await deps.memories.history(memory))[-1]


async def _check_new(group_id: str, statement: str, deps: ByHandDeps) -> None:
    for memory in await deps.memories.holding(group_id, deps.now(), MAX_COMPARED):
        if bare_words(memory.statement) == bare_words(statement):
            raise Conflict("the group has this memory already", memory_id=memory.memory_id)


def _check_active(memory: Memory) -> None:
    if memory.status not in (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE):
        raise Conflict(f"the memory is {memory.status.value}; restore it first")


async def _take(step: Step, revisions: dict[str, datetime], deps: ByHandDeps) -> Memory:
    (new,) = await deps.similarity.with_vectors(step.new.group_id, [step.new])
    new = with_core(new, deps.core_threshold)
    step = replace(step, new=new)
    await deps.memories.apply(step_writes(step, revisions))
    touched = [new.memory_id, *([step.old.memory_id] if step.old else [])]
    await index(new.group_id, touched, deps.memories, deps.vectors)
    return new


def _revisions(found: FoundMemory) -> dict[str, datetime]:
    return {found.memory.memory_id: found.revision}


def _run(now: datetime) -> str:
    return f"by hand {now.isoformat()}"

"""Memories by hand: add, change, delete, restore, weigh, forget. Each change is a version."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.config import Settings, settings_for
from shared.contracts.jobs import forget_memory_job
from shared.contracts.memories import NewMemory, NewVersion
from shared.domain.forgetting.forgotten import Forgotten, is_opted_out
from shared.domain.group import BeingForgotten, Group
from shared.domain.jobs.job import Job
from shared.domain.memories.door import DoorRules, Origin, admit
from shared.domain.memories.memory import Memory, MemoryStatus, bare_words, with_core
from shared.domain.memories.versions import Step, created, deleted, restored, updated
from shared.errors import Conflict, InvalidInput
from shared.forgetting.removal import Removal, forget_now
from shared.jobs.dispatch import Dispatch
from shared.language import kind_of_statement
from shared.search.memory_index import index
from shared.search.statement_similarity import StatementVectors, vectors_for
from shared.stores.groups import Groups, being_forgotten, raised_epoch
from shared.stores.jobs import Jobs, new_job
from shared.stores.memories import FoundMemory, Memories, patched_memory, step_writes
from shared.stores.vectors import Vectors
from shared.wiring import Services

MAX_COMPARED = 500
"""Many times what a group may have active: all of them, in practice."""
TRIES = 3
"""More than one change of the same memory in the same moment is rare."""


@dataclass(frozen=True)
class ByHandDeps:
    groups: Groups
    memories: Memories
    vectors: Vectors
    jobs: Jobs
    removal: Removal
    dispatch: Dispatch
    similarity: StatementVectors
    settings: Settings
    now: Callable[[], datetime]


def deps_for(group: Group | None, made: Services) -> ByHandDeps:
    """By the group's own settings; the first memory may come before the group's first message."""
    own = settings_for(group, made.settings)
    return made.deps(
        ByHandDeps,
        similarity=vectors_for(made.embedder),
        settings=own,
    )


async def add(group_id: str, asked: NewMemory, deps: ByHandDeps) -> Memory:
    """Conflict if the group has a memory in these words already."""
    now = deps.now()
    silent_until = now + timedelta(days=deps.settings.unsupported_days)
    group = await deps.groups.change(
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
        kind=asked.kind or kind_of_statement(asked.statement),
        subject=asked.subject,
        change_summary=asked.reason,
        strength=asked.strength,
        tags=tuple(asked.tags),
        last_supported_at=now,
        valid_from=asked.valid_from,
        valid_until=asked.valid_until,
    )
    memory = _let_in(memory, group, deps)
    return await _take(created(memory, run_id=_run(now), now=now), {}, deps)


async def change(
    memory: Memory,
    asked: NewVersion,
    deps: ByHandDeps,
    *,
    sources: tuple[str, ...] = (),
    users: tuple[str, ...] = (),
) -> Memory:
    """`sources` are messages it now rests on, and `users` those who wrote them. What is so already
    makes no version."""
    for tries_left in range(TRIES, -1, -1):
        head = await _head(memory, deps)
        _check_active(head.memory)
        new = _changed(head.memory, asked, deps.now(), sources, users)
        if new == head.memory:
            return new
        group = await deps.groups.get(memory.group_id)
        step = updated(
            head.memory, _let_in(new, group, deps), run_id=_run(deps.now()), now=deps.now()
        )
        try:
            return await _take(step, _revisions(head), deps)
        except Conflict:
            # Changed by somebody else in this moment: perhaps to the same.
            if not tries_left:
                raise
    raise AssertionError


def _changed(
    old: Memory, asked: NewVersion, now: datetime, sources: tuple[str, ...], users: tuple[str, ...]
) -> Memory:
    given = asked.model_fields_set
    wanted = replace(
        old,
        statement=asked.statement,
        kind=asked.kind or old.kind,
        tags=tuple(asked.tags) if asked.tags is not None else old.tags,
        valid_from=asked.valid_from if "valid_from" in given else old.valid_from,
        valid_until=asked.valid_until if "valid_until" in given else old.valid_until,
    )
    if wanted == old and old.status is MemoryStatus.ACTIVE and not old.conflict:
        return old
    return replace(
        wanted,
        change_summary=asked.reason,
        sources=sources,
        source_users=users,
        vector=b"",
        status=MemoryStatus.ACTIVE,
        held_back="",
        conflict="",
        last_supported_at=now,
    )


def _let_in(memory: Memory, group: Group, deps: ByHandDeps) -> Memory:
    """Who has a manage key may store anything but what is about an opted-out member. If `admit`
    would have held it back, the change log says so."""
    own = deps.settings

    def is_out(user_id: str) -> bool:
        return is_opted_out(group.opted_out, user_id, own.hash_key)

    admitted = admit(memory, Origin.HAND, None, (), DoorRules(is_out=is_out))
    if admitted.refusal:
        raise InvalidInput(admitted.refusal)
    if not admitted.overruled:
        return admitted.memory
    told = f"{memory.change_summary} (by hand, although: {admitted.overruled})"
    return replace(admitted.memory, change_summary=told)


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
    said = [version.memory for version in versions if version.memory.vector] or [head.memory]
    await _check_new(memory.group_id, said[-1].statement, deps)
    group = await deps.groups.get(memory.group_id)
    step = restored(head.memory, _let_in(said[-1], group, deps), run_id=_run(now), now=now)
    return await _take(step, _revisions(head), deps)


async def weigh(memory: Memory, strength: float, deps: ByHandDeps) -> Memory:
    """In place: a weight is no version. A weight given by hand makes a memory core at once, or
    takes that from it: somebody wants it so. Weights that move by themselves wait for upkeep."""
    head = await _head(memory, deps)
    _check_active(head.memory)
    weighed = with_core(replace(head.memory, strength=strength), deps.settings.core_threshold)
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
    new = with_core(new, deps.settings.core_threshold)
    step = replace(step, new=new)
    await deps.memories.apply(step_writes(step, revisions))
    touched = [new.memory_id, *([step.old.memory_id] if step.old else [])]
    await index(new.group_id, touched, deps.memories, deps.vectors)
    return new


def _revisions(found: FoundMemory) -> dict[str, datetime]:
    return {found.memory.memory_id: found.revision}


def _run(now: datetime) -> str:
    return f"by hand {now.isoformat()}"

"""Upkeep of groups: archive the weak, keep the cap, purge by retention, mend the index."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from functions.evolve_group.line_upkeep import LineUpkeep, line_upkeep
from functions.evolve_group.page_upkeep import PageUpkeep
from functions.evolve_group.retention import Retention
from shared import log
from shared.config import Settings, settings_for
from shared.domain.group import Group
from shared.domain.memories.memory import Memory, MemoryStatus, with_core
from shared.domain.memories.upkeep import UpkeepReport, to_archive, waited_in_vain
from shared.errors import AnnalsError
from shared.search.memory_index import memory_vector
from shared.search.statement_similarity import StatementVectors, vectors_for
from shared.stores.firestore import Write, update
from shared.stores.groups import Groups, group_path
from shared.stores.memories import FoundMemory, Memories, changed_memory, new_change, patched_memory
from shared.stores.messages import Messages
from shared.stores.missing_shards import Unsharded
from shared.stores.tails import Tails
from shared.stores.vectors import VectorPlan, Vectors, vector_id
from shared.wiring import Services

GROUPS_A_CALL = 200
"""At about a second for a group with much to do, a call ends well within its deadline."""
MESSAGES_A_PAGE = 200
PAGES_A_GROUP = 10
"""What one group may purge in a call, so that it does not keep the others waiting."""
MEMORIES_A_GROUP = 100
"""As many writes as one commit takes easily, vectors and log rows beside them."""
MAX_MEMORIES = 500
"""Many times what a group may have active: all of them, in practice."""
EVERY = timedelta(hours=20)
"""Once a day, and a schedule that comes a little early still counts."""


@dataclass(frozen=True)
class UpkeepDeps:
    groups: Groups
    memories: Memories
    messages: Messages
    tails: Tails
    unsharded: Unsharded
    vectors: Vectors
    lines: LineUpkeep
    pages: PageUpkeep
    retention: Retention
    similarity: StatementVectors
    settings: Settings
    now: Callable[[], datetime]


def deps_for(made: Services) -> UpkeepDeps:
    retention = made.deps(Retention)
    return made.deps(
        UpkeepDeps,
        similarity=vectors_for(made.embedder),
        lines=line_upkeep(made),
        pages=made.deps(PageUpkeep),
        retention=retention,
        unsharded=Unsharded(made.database),
    )


async def maintain(deps: UpkeepDeps) -> UpkeepReport:
    """Bounded, and resumable: what it does not reach is first next time. A group whose upkeep
    fails does not keep the others from theirs."""
    now = deps.now()
    groups = await deps.groups.longest_unmaintained(GROUPS_A_CALL, now - EVERY)
    done = UpkeepReport(groups=len(groups), is_more=len(groups) == GROUPS_A_CALL)
    for group in groups:
        try:
            done = done.plus(await _maintained(group, deps))
        except AnnalsError as error:
            done = done.plus(UpkeepReport(failed=1))
            log.warning("upkeep_failed", group_id=group.group_id, code=error.code)
    return done


async def _maintained(group: Group, deps: UpkeepDeps) -> UpkeepReport:
    """One group's upkeep; a tombstone needs none, and must not stand in the others' way."""
    now, done, has_all = deps.now(), UpkeepReport(), True
    if not group.is_deleted:
        own = settings_for(group, deps.settings)
        named = await deps.unsharded.name_shards(group.group_id)
        if named:
            log.info("shards_named", group_id=group.group_id, records=named)
        archived = await _archive(group, own, deps)
        purged, is_purged = await _purge(group, own, deps)
        expired, is_expired = await deps.retention.purge(group, own)
        core_moved, embedded, is_mended = await _mend(group, own, deps)
        indexed = await _index(group, deps)
        words, is_caught_up = await deps.lines.catch_up(group, own)
        is_paged = group.unpaged_since is None or await deps.pages.catch_up(group.group_id)
        done = UpkeepReport(archived, purged, core_moved, embedded, indexed, words, expired)
        has_all = is_purged and is_expired and is_mended and is_caught_up and is_paged
    if has_all:
        await deps.memories.apply([update(group_path(group.group_id), {"maintained_at": now})])
    return done


async def _archive(group: Group, own: Settings, deps: UpkeepDeps) -> int:
    now = deps.now()
    run_id = f"upkeep {now.isoformat()}"
    active = await deps.memories.with_status(group.group_id, MemoryStatus.ACTIVE, MAX_MEMORIES)
    held_back = await deps.memories.with_status(
        group.group_id, MemoryStatus.CANDIDATE, MAX_MEMORIES
    )
    revisions = {one.memory.memory_id: one.revision for one in (*active, *held_back)}
    steps = [
        *to_archive(
            [one.memory for one in active],
            threshold=own.archive_threshold,
            max_active=own.max_active_memories,
            run_id=run_id,
            now=now,
        ),
        *waited_in_vain(
            [one.memory for one in held_back],
            days=own.unsupported_days,
            run_id=run_id,
            now=now,
        ),
    ][:MEMORIES_A_GROUP]
    if steps:
        writes = [changed_memory(step.new, revisions[step.new.memory_id]) for step in steps]
        await deps.memories.apply([*writes, *(new_change(step.change) for step in steps)])
        gone = [vector_id("memory", step.new.memory_id) for step in steps]
        await deps.vectors.apply(group.group_id, VectorPlan(deletes=gone))
    return len(steps)


async def _purge(group: Group, own: Settings, deps: UpkeepDeps) -> tuple[int, bool]:
    """Messages beyond their retention, with their vectors; tells whether that were all."""
    if not own.retention_days:
        return 0, True
    before = deps.now() - timedelta(days=own.retention_days)
    purged = 0
    await deps.pages.pages.drop_before(group.group_id, before)
    for _ in range(PAGES_A_GROUP):
        old = await deps.messages.older_than(group.group_id, before, MESSAGES_A_PAGE)
        if old:
            ids = [one.message_id for one in old]
            # The vectors first: without its message nobody would know of a vector that was left.
            vectors = [vector_id("message", one) for one in ids]
            await deps.vectors.apply(group.group_id, VectorPlan(deletes=vectors))
            await deps.lines.word_index.delete(group.group_id, ids)
            await deps.messages.delete_many(group.group_id, ids)
            await deps.tails.drop_lines(group.group_id, lambda one: one.create_time < before)
        purged += len(old)
        if len(old) < MESSAGES_A_PAGE:
            return purged, True
    return purged, False


async def _mend(group: Group, own: Settings, deps: UpkeepDeps) -> tuple[int, int, bool]:
    """Which memories are core by now, and vectors of another model or an earlier wording made
    anew: how many of each, and whether that were all."""
    found = [
        one
        for status in (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE)
        for one in await deps.memories.with_status(group.group_id, status, MAX_MEMORIES)
    ]
    stale = [one.memory for one in found if deps.similarity.is_stale(one.memory)]
    embedded = await deps.similarity.with_vectors(group.group_id, stale[:MEMORIES_A_GROUP])
    fresh = {one.memory_id: one for one in embedded if not deps.similarity.is_stale(one)}
    after = [
        with_core(fresh.get(one.memory.memory_id, one.memory), own.core_threshold) for one in found
    ]
    moved = [(old, new) for old, new in zip(found, after, strict=True) if new != old.memory]
    now_moved = moved[:MEMORIES_A_GROUP]
    # The index first: a record that says its vector is new must not leave an old one there.
    anew = [new for _, new in now_moved if new.memory_id in fresh]
    upserts = [memory_vector(one) for one in anew if one.status is MemoryStatus.ACTIVE]
    await deps.vectors.apply(group.group_id, VectorPlan(upserts))
    if now_moved:
        await deps.memories.apply([_mended(old, new) for old, new in now_moved])
    core_moved = sum(new.core is not old.memory.core for old, new in now_moved)
    return core_moved, len(anew), len(stale) <= MEMORIES_A_GROUP and moved == now_moved


def _mended(found: FoundMemory, new: Memory) -> Write:
    return patched_memory(found, core=new.core, vector=new.vector, embedded_as=new.embedded_as)


async def _index(group: Group, deps: UpkeepDeps) -> int:
    """Active memories that never reached the index."""
    active = await deps.memories.active(group.group_id, MAX_MEMORIES)
    ready = [one for one in active if not deps.similarity.is_stale(one)]
    known = await deps.vectors.known(
        group.group_id, [vector_id("memory", one.memory_id) for one in ready]
    )
    missing = [
        memory_vector(one) for one in ready if vector_id("memory", one.memory_id) not in known
    ]
    await deps.vectors.apply(group.group_id, VectorPlan(missing))
    return len(missing)

"""Upkeep of groups: archive the weak, keep the cap, purge by retention, mend the index."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from shared.config import Settings, effective
from shared.domain.group import Group
from shared.domain.memory import MemoryStatus
from shared.domain.upkeep import to_archive
from shared.domain.vectors import unpack
from shared.stores.groups import Groups
from shared.stores.memories import Memories, changed_memory
from shared.stores.messages import Messages
from shared.stores.vectors import Vector, VectorPlan, Vectors, vector_id

GROUPS_A_CALL = 50
MESSAGES_A_GROUP = 200
MAX_MEMORIES = 500
EVERY = timedelta(hours=20)


@dataclass(frozen=True)
class Deps:
    groups: Groups
    memories: Memories
    messages: Messages
    vectors: Vectors
    settings: Settings
    now: Callable[[], datetime]


async def maintain(deps: Deps) -> Mapping[str, Any]:
    """Bounded, and resumable: what it does not reach is first next time."""
    now = deps.now()
    groups = await deps.groups.longest_unmaintained(GROUPS_A_CALL, now - EVERY)
    done = {"groups": 0, "archived": 0, "purged": 0, "indexed": 0}
    for group in groups:
        if not group.is_deleted:
            kept = effective(deps.settings, group.settings)
            done["archived"] += await _archive(group, kept, deps)
            done["purged"] += await _purge(group, kept, deps)
            done["indexed"] += await _mend(group, deps)
            await deps.groups.change(
                group.group_id, lambda found: replace(found, maintained_at=now), now
            )
        done["groups"] += 1
    return {**done, "is_more": len(groups) == GROUPS_A_CALL}


async def _archive(group: Group, kept: Settings, deps: Deps) -> int:
    found = await deps.memories.with_status(group.group_id, MemoryStatus.ACTIVE, MAX_MEMORIES)
    revisions = {one.memory.memory_id: one.revision for one in found}
    weak = to_archive(
        [one.memory for one in found],
        threshold=kept.archive_threshold,
        max_active=kept.max_active_memories,
        now=deps.now(),
    )
    if weak:
        await deps.memories.apply([changed_memory(one, revisions[one.memory_id]) for one in weak])
        gone = [vector_id("memory", one.memory_id) for one in weak]
        await deps.vectors.apply(group.group_id, VectorPlan(deletes=gone))
    return len(weak)


async def _purge(group: Group, kept: Settings, deps: Deps) -> int:
    """Messages beyond their retention, with their vectors, some a call."""
    if not kept.retention_days:
        return 0
    before = deps.now() - timedelta(days=kept.retention_days)
    old = await deps.messages.older_than(group.group_id, before, MESSAGES_A_GROUP)
    if old:
        ids = [one.message_id for one in old]
        await deps.messages.delete_many(group.group_id, ids)
        vectors = [vector_id("message", one) for one in ids]
        await deps.vectors.apply(group.group_id, VectorPlan(deletes=vectors))
    return len(old)


async def _mend(group: Group, deps: Deps) -> int:
    """Active memories that never reached the index."""
    active = [one for one in await deps.memories.active(group.group_id, MAX_MEMORIES) if one.vector]
    known = await deps.vectors.known(
        group.group_id, [vector_id("memory", one.memory_id) for one in active]
    )
    missing = [
        Vector("memory", one.memory_id, unpack(one.vector), one.version, one.updated_at)
        for one in active
        if vector_id("memory", one.memory_id) not in known
    ]
    await deps.vectors.apply(group.group_id, VectorPlan(missing))
    return len(missing)

"""Conflicts by hand: what was said against a memory replaces it, or is dismissed."""

from dataclasses import dataclass

from functions.evolve_group import handle_memory
from shared.contracts.memories import NewVersion, SettledConflict
from shared.domain.memories.conflict import ConflictStatus, MemoryConflict, settled
from shared.errors import Conflict, NotFound
from shared.stores.conflicts import Conflicts, put_conflict
from shared.stores.memories import Memories, patched_memory

KEPT, REPLACED = "kept", "replaced"


@dataclass(frozen=True)
class ConflictDeps:
    conflicts: Conflicts
    memories: Memories
    by_hand: handle_memory.ByHandDeps


async def settle(
    group_id: str, conflict_id: str, asked: SettledConflict, deps: ConflictDeps
) -> MemoryConflict:
    """`replace` makes a new version of the memory in the newest claim's words."""
    conflict = (await deps.conflicts.get_many(group_id, [conflict_id])).get(conflict_id)
    if conflict is None:
        raise NotFound(f"there is no conflict {conflict_id}")
    if conflict.status is ConflictStatus.SETTLED:
        raise Conflict("the conflict is settled already", outcome=conflict.outcome)
    if asked.choice == "replace":
        claim = conflict.claims[-1]
        memory = (await deps.memories.get_many(group_id, [conflict.memory_id]))[conflict.memory_id]
        wanted = NewVersion(statement=claim.statement, reason=asked.reason)
        await handle_memory.change(
            memory, wanted, deps.by_hand, sources=claim.sources, users=claim.source_users
        )
    outcome = REPLACED if asked.choice == "replace" else KEPT
    done = settled(conflict, outcome, deps.by_hand.now())
    found = await deps.memories.found(group_id, conflict.memory_id)
    shown = [patched_memory(found, conflict="")] if found and found.memory.conflict else []
    await deps.memories.apply([put_conflict(done), *shown])
    return done

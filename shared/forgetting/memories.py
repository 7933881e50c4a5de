"""Memories, their changes and their conflicts, without what is forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.forgetting.forgotten import Forgotten
from shared.domain.forgetting.what_is_left import conflict_left, memory_left
from shared.domain.memories.memory import Memory
from shared.forgetting.traces import Provenance
from shared.stores.conflicts import CONFLICTS, put_conflict
from shared.stores.derived import Changes, Derived
from shared.stores.firestore import Snapshot, update
from shared.stores.memories import CHANGES, MEMORIES, new_memory
from shared.stores.vectors import vector_id


@dataclass(frozen=True)
class MemoryRemoval:
    derived: Derived
    provenance: Provenance

    async def memories(self, group_id: str, forgotten: Forgotten) -> Changes:
        named = [
            *await self.provenance.named(group_id, "memories", forgotten, "sources"),
            *await self.provenance.about(group_id, "memories", "subject", forgotten),
        ]
        roots = {memory.root_id or memory.memory_id for memory in map(MEMORIES.read, named)}
        roots |= forgotten.root_ids
        changes = Changes()
        stay: set[str] = set()
        for root_id in sorted(roots):
            found = await self.derived.where(group_id, "memories", "root_id", root_id)
            if await self._memory(group_id, root_id, found, forgotten, changes):
                stay.add(root_id)
        conflicts = [
            *await self.provenance.named(group_id, "conflicts", forgotten, "sources"),
            *await self.provenance.about(group_id, "conflicts", "subject", forgotten),
        ]
        for root_id in roots:
            conflicts += await self.derived.where(group_id, "conflicts", "root_id", root_id)
        for snapshot in {conflict.path: conflict for conflict in conflicts}.values():
            before = CONFLICTS.read(snapshot)
            after = conflict_left(
                before, forgotten, before.root_id in stay or before.root_id not in roots
            )
            if after is None:
                changes.remove("conflicts", snapshot)
            elif after != before:
                changes.rewrite("conflicts", snapshot, put_conflict(after))
            if after != before and before.root_id not in roots:
                await self._without_claim(group_id, before.root_id, changes)
        return changes

    async def _without_claim(self, group_id: str, root_id: str, changes: Changes) -> None:
        """A memory that stays tells no longer what was said against it."""
        for snapshot in await self.derived.where(group_id, "memories", "root_id", root_id):
            if MEMORIES.read(snapshot).conflict:
                changes.write(snapshot, update(snapshot.path, {"conflict": ""}), {})

    async def _memory(
        self,
        group_id: str,
        root_id: str,
        found: Sequence[Snapshot],
        forgotten: Forgotten,
        changes: Changes,
    ) -> bool:
        """Whether something of the memory stays."""
        at = {MEMORIES.read(snapshot).memory_id: snapshot for snapshot in found}
        versions: list[Memory] = sorted(map(MEMORIES.read, found), key=lambda one: one.version)
        named = await self.provenance.said(
            group_id, (each for version in versions for each in version.sources)
        )
        left = memory_left(versions, forgotten, named)
        before = {version.memory_id: version for version in versions}
        for memory_id in left.gone:
            changes.remove(
                "memories",
                at[memory_id],
                vector_id("memory", memory_id),
                f"memory:{memory_id}",
            )
        for memory in left.kept:
            if memory != before[memory.memory_id]:
                changes.rewrite("memories", at[memory.memory_id], new_memory(memory))
            else:
                changes.rests_on(at[memory.memory_id])
        for row in await self.derived.where(group_id, "changes", "root_id", root_id):
            change = CHANGES.read(row)
            if {change.memory_id, change.old_id} & set(left.gone):
                changes.remove("changes", row)
            elif change.reason:
                changes.write(row, update(row.path, {"reason": ""}), {})
        return bool(left.kept)

"""Conflicts of a group: what was said against its memories."""

from collections.abc import Iterable

from shared.domain.ids import safe_id
from shared.domain.memories.conflict import ConflictStatus, MemoryConflict
from shared.stores.firestore import Database, Write, collection, put, server_time
from shared.stores.groups import group_path
from shared.stores.records import Codec

CONFLICTS = Codec(MemoryConflict)


def conflict_path(group_id: str, conflict_id: str) -> str:
    return f"{group_path(group_id)}/conflicts/{safe_id(conflict_id)}"


def put_conflict(conflict: MemoryConflict) -> Write:
    fields = {**CONFLICTS.fields(conflict), "stored_at": server_time()}
    return put(conflict_path(conflict.group_id, conflict.conflict_id), fields)


class Conflicts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_many(self, group_id: str, ids: Iterable[str]) -> dict[str, MemoryConflict]:
        """Those that exist, in one round trip."""
        found = await self._database.get_all(
            [conflict_path(group_id, conflict_id) for conflict_id in ids]
        )
        conflicts = [CONFLICTS.read(snapshot) for snapshot in found if snapshot]
        return {conflict.conflict_id: conflict for conflict in conflicts}

    async def listed(
        self, group_id: str, status: ConflictStatus | None, limit: int, offset: int
    ) -> tuple[int, list[MemoryConflict]]:
        """The newest first."""
        query = collection(f"{group_path(group_id)}/conflicts")
        if status is not None:
            query = query.where("status", "==", status.value)
        total = await self._database.count(query)
        page = query.largest_first("updated_at").offset(offset).limit(limit)
        return total, [CONFLICTS.read(found) for found in await self._database.find(page)]

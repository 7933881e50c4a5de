"""Memories, every version of them, and the log of their changes."""

from datetime import datetime
from typing import Any

from shared.domain.ids import safe_id
from shared.domain.memory import Change, Memory, MemoryStatus
from shared.errors import NotFound
from shared.stores.database import Database, Write, put, server_time, where
from shared.stores.groups import group_path
from shared.stores.records import Codec

MEMORIES = Codec(Memory)
CHANGES = Codec(Change)


def memory_path(group_id: str, memory_id: str) -> str:
    return f"{group_path(group_id)}/memories/{safe_id(memory_id)}"


def put_memory(memory: Memory) -> Write:
    fields = {**MEMORIES.fields(memory), "stored_at": server_time()}
    return put(memory_path(memory.group_id, memory.memory_id), fields)


def put_change(change: Change) -> Write:
    path = f"{group_path(change.group_id)}/changes/{safe_id(change.change_id)}"
    return put(path, CHANGES.fields(change))


class Memories:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, memory_id: str) -> Memory:
        """By its id alone, in whatever group it is."""
        query = (
            self._database.client.collection_group("memories")
            .where(filter=where("memory_id", "==", memory_id))
            .limit(1)
        )
        found = await self._database.find(query)
        if not found:
            raise NotFound(f"there is no memory {memory_id}")
        return MEMORIES.read(found[0])

    async def get_many(self, group_id: str, memory_ids: list[str]) -> dict[str, Memory]:
        found = await self._database.get_all([memory_path(group_id, one) for one in memory_ids])
        memories = [MEMORIES.read(snapshot) for snapshot in found if snapshot]
        return {memory.memory_id: memory for memory in memories}

    async def active(self, group_id: str, limit: int) -> list[Memory]:
        """The strongest first."""
        query = (
            self._memories(group_id)
            .where(filter=where("status", "==", MemoryStatus.ACTIVE.value))
            .order_by("strength", direction="DESCENDING")
            .limit(limit)
        )
        return [MEMORIES.read(found) for found in await self._database.find(query)]

    async def listed(
        self, group_id: str, *, status: str | None, limit: int, offset: int
    ) -> tuple[int, list[Memory]]:
        """The newest first."""
        query: Any = self._memories(group_id)
        if status is not None:
            query = query.where(filter=where("status", "==", status))
        total = await self._database.count(query)
        page = query.order_by("updated_at", direction="DESCENDING").offset(offset).limit(limit)
        return total, [MEMORIES.read(found) for found in await self._database.find(page)]

    async def changes(self, group_id: str, since: datetime, limit: int) -> list[Change]:
        """The newest first."""
        query = (
            self._database.client.collection(f"{group_path(group_id)}/changes")
            .where(filter=where("created_at", ">=", since))
            .order_by("created_at", direction="DESCENDING")
            .limit(limit)
        )
        return [CHANGES.read(found) for found in await self._database.find(query)]

    def _memories(self, group_id: str) -> Any:
        return self._database.client.collection(f"{group_path(group_id)}/memories")

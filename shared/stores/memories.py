"""Memories, every version of them, and the log of their changes."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.domain.ids import safe_id
from shared.domain.memories.memory import Change, Memory, MemoryStatus, is_expired
from shared.domain.memories.versions import Step
from shared.stores.firestore import (
    MAX_SAME_ID,
    Database,
    Query,
    Snapshot,
    Write,
    collection,
    collection_group,
    create,
    delete,
    put,
    server_time,
    update,
)
from shared.stores.groups import group_path
from shared.stores.records import Codec

MEMORIES = Codec(Memory)
CHANGES = Codec(Change)
IDS_A_QUERY = 30
"""Firestore takes no more values in one `array_contains_any`."""
MAX_VERSIONS = 500
"""Of one memory, the newest: bounds what one read brings."""


@dataclass(frozen=True)
class FoundMemory:
    """A memory with the revision it was read at: a write can insist that it is still the same."""

    memory: Memory
    revision: datetime


def memory_path(group_id: str, memory_id: str) -> str:
    return f"{group_path(group_id)}/memories/{safe_id(memory_id)}"


def new_memory(memory: Memory) -> Write:
    return put(memory_path(memory.group_id, memory.memory_id), _fields(memory))


def changed_memory(memory: Memory, revision: datetime) -> Write:
    """Conflict if it was changed since it was read."""
    path = memory_path(memory.group_id, memory.memory_id)
    return update(path, _fields(memory), revision)


def patched_memory(found: FoundMemory, **fields: Any) -> Write:
    """A few fields that make no version: strength, last support."""
    path = memory_path(found.memory.group_id, found.memory.memory_id)
    return update(path, {**fields, "stored_at": server_time()}, found.revision)


def new_change(change: Change) -> Write:
    path = f"{group_path(change.group_id)}/changes/{safe_id(change.change_id)}"
    return create(path, CHANGES.fields(change))


def step_writes(step: Step, revisions: Mapping[str, datetime]) -> list[Write]:
    """One change by hand: the new version, the one it follows, and the log row."""
    writes = [new_memory(step.new), new_change(step.change)]
    if step.old:
        writes.append(changed_memory(step.old, revisions[step.old.memory_id]))
    return writes


def step_erased(step: Step) -> list[Write]:
    """As if a first version had never been."""
    group_id = step.new.group_id
    change = f"{group_path(group_id)}/changes/{safe_id(step.change.change_id)}"
    return [delete(memory_path(group_id, step.new.memory_id)), delete(change)]


class Memories:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_id(self, memory_id: str) -> list[Memory]:
        """In whatever groups it is: in several if one was imported into another."""
        query = collection_group("memories").where("memory_id", "==", memory_id).limit(MAX_SAME_ID)
        return [MEMORIES.read(snapshot) for snapshot in await self._database.find(query)]

    async def get_many(self, group_id: str, memory_ids: Sequence[str]) -> dict[str, Memory]:
        found = await self._database.get_all(
            [memory_path(group_id, memory_id) for memory_id in memory_ids]
        )
        memories = [MEMORIES.read(snapshot) for snapshot in found if snapshot]
        return {memory.memory_id: memory for memory in memories}

    async def found(self, group_id: str, memory_id: str) -> FoundMemory | None:
        snapshot = await self._database.get(memory_path(group_id, memory_id))
        return _found(snapshot) if snapshot else None

    async def with_status(
        self, group_id: str, status: MemoryStatus, limit: int
    ) -> list[FoundMemory]:
        """The strongest first."""
        query = (
            self._memories(group_id)
            .where("status", "==", status.value)
            .largest_first("strength")
            .limit(limit)
        )
        return [_found(found) for found in await self._database.find(query)]

    async def active(self, group_id: str, limit: int) -> list[Memory]:
        found = await self.with_status(group_id, MemoryStatus.ACTIVE, limit)
        return [found_memory.memory for found_memory in found]

    async def holding(self, group_id: str, now: datetime, limit: int) -> list[Memory]:
        """The active ones but those that have expired, which wait for upkeep."""
        return [
            memory for memory in await self.active(group_id, limit) if not is_expired(memory, now)
        ]

    async def history(self, memory: Memory) -> list[FoundMemory]:
        """Every version of the same memory, the first one first; of very many, the newest."""
        query = self._versions(memory).largest_first("version").limit(MAX_VERSIONS)
        return [_found(found) for found in await self._database.find(query)][::-1]

    async def about(self, group_id: str, subject: str) -> list[Memory]:
        """Every version of what is remembered of somebody."""
        query = self._memories(group_id).where("subject", "==", subject)
        return [MEMORIES.read(found) for found in await self._database.find(query)]

    async def resting_on(self, group_id: str, message_ids: Sequence[str]) -> list[Memory]:
        """Versions of whatever status that name one of these messages as a source."""
        parts = [
            list(message_ids[at : at + IDS_A_QUERY])
            for at in range(0, len(message_ids), IDS_A_QUERY)
        ]
        memories = self._memories(group_id)
        found = await asyncio.gather(
            *(
                self._database.find(memories.where("sources", "array_contains_any", part))
                for part in parts
            )
        )
        read = [MEMORIES.read(snapshot) for some in found for snapshot in some]
        return list({memory.memory_id: memory for memory in read}.values())

    async def active_at(self, group_id: str, moment: datetime, limit: int) -> list[Memory]:
        """The versions that held then, the newest first, however many came before and after."""
        made = self._memories(group_id).where("created_at", "<=", moment)
        ended_since = made.where("ended_at", ">", moment)
        still = made.where("status", "==", MemoryStatus.ACTIVE.value)
        found = await asyncio.gather(
            *(
                self._database.find(query.largest_first("created_at").limit(limit))
                for query in (ended_since, still)
            )
        )
        held = [MEMORIES.read(snapshot) for snapshot in (*found[0], *found[1])]
        held = [memory for memory in held if not is_expired(memory, moment)]
        held.sort(key=lambda memory: (memory.created_at, memory.memory_id), reverse=True)
        return held[:limit]

    async def listed(
        self, group_id: str, *, status: str | None, limit: int, offset: int
    ) -> tuple[int, list[Memory]]:
        """The newest first."""
        query = self._memories(group_id)
        if status is not None:
            query = query.where("status", "==", status)
        total = await self._database.count(query)
        page = query.largest_first("updated_at").offset(offset).limit(limit)
        return total, [MEMORIES.read(found) for found in await self._database.find(page)]

    async def count(self, group_id: str, status: MemoryStatus) -> int:
        query = self._memories(group_id).where("status", "==", status.value)
        return await self._database.count(query)

    async def changes(self, group_id: str, since: datetime, limit: int) -> list[Change]:
        """The newest first."""
        query = (
            self._changes(group_id)
            .where("created_at", ">=", since)
            .largest_first("created_at")
            .limit(limit)
        )
        return [CHANGES.read(found) for found in await self._database.find(query)]

    async def changes_of_run(self, group_id: str, run_id: str) -> list[Change]:
        query = self._changes(group_id).where("run_id", "==", run_id)
        return [CHANGES.read(found) for found in await self._database.find(query)]

    async def apply(self, writes: Sequence[Write]) -> None:
        """One commit by hand; Conflict if a version moved since it was read."""
        await self._database.commit(writes)

    def _versions(self, memory: Memory) -> Query:
        root_id = memory.root_id or memory.memory_id
        return self._memories(memory.group_id).where("root_id", "==", root_id)

    def _memories(self, group_id: str) -> Query:
        return collection(f"{group_path(group_id)}/memories")

    def _changes(self, group_id: str) -> Query:
        return collection(f"{group_path(group_id)}/changes")


def _found(snapshot: Snapshot) -> FoundMemory:
    return FoundMemory(MEMORIES.read(snapshot), snapshot.updated_at)


def _fields(memory: Memory) -> dict[str, Any]:
    return {**MEMORIES.fields(memory), "stored_at": server_time()}

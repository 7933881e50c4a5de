"""Context records: what was offered for a reply, with scores, and what became of it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from shared.domain.context.record import ContextRecord
from shared.domain.context.stats import SUMMED
from shared.domain.ids import safe_id
from shared.domain.memories.memory import Memory
from shared.errors import NotFound
from shared.stores.firestore import (
    Database,
    Query,
    Snapshot,
    Write,
    collection,
    collection_group,
    create,
    server_time,
    update,
)
from shared.stores.groups import GROUPS, group_path
from shared.stores.memories import MEMORIES, memory_path
from shared.stores.records import Codec

RECORDS = Codec(ContextRecord)
MOST_COUNTED = 10_000
"""Contexts of the window that are looked through for their groups: no sum tells how many differ."""

Label = Callable[[ContextRecord, list[Memory]], tuple[ContextRecord, Sequence[Memory]] | None]
"""The record and its memories as they are now -> what they become; None: it is labelled already."""


def context_path(group_id: str, context_id: str) -> str:
    return f"{group_path(group_id)}/contexts/{safe_id(context_id)}"


class Contexts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, record: ContextRecord) -> None:
        fields = {**RECORDS.fields(record), "created_at": server_time()}
        await self._database.commit(
            [create(context_path(record.group_id, record.context_id), fields)]
        )

    async def find(self, context_id: str) -> ContextRecord:
        """From any group: who asks must be checked."""
        query = collection_group("contexts").where("context_id", "==", context_id).limit(1)
        found = await self._database.find(query)
        if not found:
            raise NotFound(f"there is no context {context_id}")
        return RECORDS.read(found[0])

    async def listed(
        self,
        group_id: str,
        *,
        limit: int,
        offset: int = 0,
        is_labelled: bool | None = None,
    ) -> tuple[int, list[ContextRecord]]:
        """The newest first, with how many there are in all."""
        query = collection(f"{group_path(group_id)}/contexts")
        if is_labelled is not None:
            query = query.where("is_labelled", "==", is_labelled)
        total = await self._database.count(query)
        page = query.largest_first("created_at").offset(offset).limit(limit)
        return total, [RECORDS.read(found) for found in await self._database.find(page)]

    async def totals(self, since: datetime, variant: str = "") -> dict[str, float]:
        """Of all groups: how many contexts were built, and the sums of their numbers."""
        query = self._built(since, variant)
        paths = [[f"stats.{name}" for name in row] for row in SUMMED]
        found = await asyncio.gather(*(self._database.sums(query, row) for row in paths))
        sums = {path.removeprefix("stats."): value for row in found for path, value in row.items()}
        return {**sums, "contexts": found[0]["count"]}

    async def groups_served(self, since: datetime, variant: str = "") -> set[str]:
        """The groups of the newest of these contexts: all of them, in practice."""
        query = self._built(since, variant).select("group_id").limit(MOST_COUNTED)
        return {snapshot.data["group_id"] for snapshot in await self._database.find(query)}

    def _built(self, since: datetime, variant: str) -> Query:
        return (
            collection_group("contexts")
            .where("variant", "==", variant)
            .where("created_at", ">=", since)
        )

    async def label(
        self, record: ContextRecord, memory_ids: Sequence[str], decide: Label
    ) -> ContextRecord | None:
        """Feedback, once: the record and the strengths of its memories in one transaction."""
        path = context_path(record.group_id, record.context_id)
        group = group_path(record.group_id)
        paths = [
            group,
            path,
            *(memory_path(record.group_id, memory_id) for memory_id in memory_ids),
        ]

        def change(read: list[Snapshot | None]) -> tuple[list[Write], ContextRecord | None]:
            if read[1] is None:
                raise NotFound(f"there is no context {record.context_id}")
            memories = [MEMORIES.read(snapshot) for snapshot in read[2:] if snapshot]
            decided = decide(RECORDS.read(read[1]), memories)
            if decided is None:
                return [], None
            labelled, moved = decided
            if read[0] is None or GROUPS.read(read[0]).epoch != record.epoch:
                # Something was forgotten since: what the bot was shown then must not come back.
                labelled = replace(labelled, llm_response="", user_feedback="")
            fields = {**_labels(labelled), "labelled_at": server_time()}
            return [update(path, fields), *(_weighed(memory) for memory in moved)], labelled

        return await self._database.transact(paths, change)


def blanked_context(found: Snapshot) -> Write:
    """Something that was offered is forgotten: the reply that was built on it, and what was said of
    that, may quote it."""
    blank: dict[str, Any] = {
        "llm_response": "",
        "user_feedback": "",
        "message_ids": [],
        "offered": [],
        "asked": [],
    }
    return update(found.path, blank)


def expiry(now: datetime, days: int) -> datetime | None:
    """When a record may go; 0 keeps it."""
    return now + timedelta(days=days) if days else None


def _labels(record: ContextRecord) -> dict[str, Any]:
    fields = RECORDS.fields(record)
    names = ("is_labelled", "usage", "llm_response", "user_feedback", "success_indicator")
    return {name: fields[name] for name in (*names, "reply_type", "stats")}


def _weighed(memory: Memory) -> Write:
    fields = {"strength": memory.strength, "faded_at": memory.faded_at, "stored_at": server_time()}
    return update(memory_path(memory.group_id, memory.memory_id), fields)

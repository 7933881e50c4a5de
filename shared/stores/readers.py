"""The database as readers see it: without what is being forgotten.

One place for all routes, so that a new one cannot leave it out. What a request may not see stands
on its group's document, which is read once a request, beside the first record asked for.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace

from shared.domain.forgetting.withheld import KINDS, NOTHING, Withheld, shown_fields, withheld
from shared.runtime.readers import READING, Reader
from shared.stores.firestore import Database, Query, Snapshot
from shared.stores.groups import GROUPS

ROOT = "groups"


class DatabaseForReaders(Database):
    """As the database, unless the request in hand only reads. Transactions always see all."""

    async def get_all(self, paths: Sequence[str]) -> list[Snapshot | None]:
        reader = READING.get()
        if reader is None:
            return await super().get_all(paths)
        named = [path for path in paths if _group_of(path) == path]
        also = [
            group_id
            for group_id in _groups_of(paths)
            if group_id not in named and not _is_known(group_id, reader)
        ]
        asked = [*named, *also]
        try:
            _start(reader, asked)
            found = await super().get_all([*paths, *also])
            _note(reader, [*paths, *also], found)
        finally:
            _end(reader, asked)
        return [await self._shown(snapshot, reader) for snapshot in found[: len(paths)]]

    async def find(self, query: Query) -> list[Snapshot]:
        reader = READING.get()
        if reader is None or query.fields:
            # Chosen fields are ids and times: nothing that anybody said.
            return await super().find(query)
        if query.collection_id not in KINDS:
            found = await super().find(query)
            _note(reader, [snapshot.path for snapshot in found], found)
            return found
        group = None if query.is_everywhere else _group_of(query.parent)
        found, _ = await asyncio.gather(super().find(query), self._learn(group, reader))
        shown = [await self._shown(snapshot, reader) for snapshot in found]
        return [snapshot for snapshot in shown if snapshot]

    async def _shown(self, one: Snapshot | None, reader: Reader) -> Snapshot | None:
        if one is None or (group := _group_of(one.path)) in (None, one.path):
            return one
        await self._learn(group, reader)
        hidden = reader.hidden.get(group or "", NOTHING)
        if not hidden.is_anything:
            return one
        data = shown_fields(one.path.split("/")[-2], one.data, hidden)
        return None if data is None else replace(one, data=data)

    async def _learn(self, group: str | None, reader: Reader) -> None:
        """What is withheld in the group, unless it is known or another read of the request is about
        to tell."""
        if group is None or group in reader.hidden:
            return
        if waiting := reader.asked.get(group):
            await waiting.wait()
        if group not in reader.hidden:
            await self.get_all([group])


def _start(reader: Reader, groups: Iterable[str]) -> None:
    for group in groups:
        reader.asked.setdefault(group, asyncio.Event())


def _end(reader: Reader, groups: Iterable[str]) -> None:
    """Also if the read failed: who waits asks again."""
    for group in groups:
        if ended := reader.asked.pop(group, None):
            ended.set()


def _note(reader: Reader, paths: Sequence[str], found: Sequence[Snapshot | None]) -> None:
    for path, snapshot in zip(paths, found, strict=True):
        if _group_of(path) == path:
            reader.hidden[path] = _withheld(snapshot)


def _withheld(one: Snapshot | None) -> Withheld:
    if one is None:
        return NOTHING
    group = GROUPS.read(one)
    return withheld(group.forgetting.values(), is_deleted=group.is_deleted)


def _is_known(group: str, reader: Reader) -> bool:
    return group in reader.hidden or group in reader.asked


def _groups_of(paths: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(group_id for group_id in map(_group_of, paths) if group_id))


def _group_of(path: str) -> str | None:
    """The path of the group that a record stands below, or is."""
    parts = path.split("/", 2)
    return "/".join(parts[:2]) if parts[0] == ROOT and len(parts) > 1 else None

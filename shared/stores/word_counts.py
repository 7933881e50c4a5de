"""How often words are said in a group: one small document, folded by attribution."""

from collections.abc import Collection, Iterable

from shared.domain.word_index.counts import WordCounts
from shared.stores.firestore import Database, Write, put
from shared.stores.groups import group_path


def put_counts(group_id: str, counts: WordCounts) -> Write:
    return put(_path(group_id), {"total": counts.total, "cells": counts.packed})


class CountedWords:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, group_id: str) -> WordCounts:
        found = await self._database.get(_path(group_id))
        return WordCounts(found.data["total"], found.data["cells"]) if found else WordCounts()

    async def add(self, group_id: str, texts: Iterable[Collection[str]]) -> None:
        """For upkeep; a run of attribution at the same moment may win, and then these are lost:
        they are a sample."""
        counts = (await self.get(group_id)).plus(texts)
        await self._database.commit([put_counts(group_id, counts)])


def _path(group_id: str) -> str:
    return f"{group_path(group_id)}/counts/words"

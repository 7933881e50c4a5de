"""The words of messages in Pinecone: a sparse index beside the dense one, exact over all history;
and how often each word is said in a group, a small document.

It serves recall only and can be rebuilt; without it words are asked of Firestore, which knows the
newest that share any of them. So nothing fails because it is missing or down.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared import log
from shared.domain.ids import namespace
from shared.domain.word_index.rows import WordRow
from shared.errors import Misconfigured, Transient
from shared.stores.vectors import Index, has_any, own_errors

ROWS_A_REQUEST = 100
VALUES_A_REQUEST = 40_000
"""About 1 MB of JSON: a request may have 2 MB."""
IDS_A_REQUEST = 1_000
"""The index takes no more ids in one delete."""
MISSING_FOR_S = 60.0
"""How long an index that does not exist is not asked for again: each try is a call more."""


@dataclass(frozen=True)
class WordHit:
    message_id: str
    version: int
    score: float


class WordIndex:
    def __init__(self, index: Index) -> None:
        self._index = index
        self._missing_until = 0.0

    async def close(self) -> None:
        await self._index.close()

    async def upsert(self, group_id: str, rows: Sequence[WordRow]) -> None:
        """Safe to repeat; a row takes the place of the message's former one."""
        with self._known():
            for some in _requests(rows):
                index = await self._index()
                await index.upsert(
                    vectors=[_record(row) for row in some], namespace=namespace(group_id)
                )

    async def tried(self, group_id: str, rows: Sequence[WordRow]) -> bool:
        """Upsert, and whether that went well: nothing waits for this index."""
        try:
            await self.upsert(group_id, rows)
        except Transient as error:
            log.warning("words_not_indexed", group_id=group_id, rows=len(rows), code=error.code)
            return False
        return True

    async def query(
        self, group_id: str, weights: Mapping[int, float], limit: int, until: datetime
    ) -> list[WordHit]:
        """The best match first, of what was said until then."""
        if not weights:
            return []
        with self._known():
            index = await self._index()
            answer = await index.query(
                sparse_vector={"indices": list(weights), "values": list(weights.values())},
                top_k=limit,
                namespace=namespace(group_id),
                filter={"time": {"$lte": int(until.timestamp())}},
                include_metadata=True,
                include_values=False,
            )
        return [
            WordHit(match.metadata["id"], int(match.metadata["version"]), float(match.score))
            for match in answer.matches
            if match.metadata
        ]

    async def delete(self, group_id: str, message_ids: Sequence[str]) -> None:
        """A group without a row has no namespace, and nothing to delete from it; nor has an index
        that does not exist."""
        with own_errors(missing_is_fine=True):
            index = await self._index()
            for start in range(0, len(message_ids), IDS_A_REQUEST):
                some = message_ids[start : start + IDS_A_REQUEST]
                await index.delete(
                    ids=[_row_id(row) for row in some], namespace=namespace(group_id)
                )

    async def known(self, group_id: str, message_ids: Sequence[str]) -> set[str]:
        """Of which of these readers still find a row."""
        wanted = {_row_id(message_id): message_id for message_id in message_ids}
        rows, known = list(wanted), set[str]()
        with own_errors(missing_is_fine=True):
            index = await self._index()
            for start in range(0, len(rows), ROWS_A_REQUEST):
                some = rows[start : start + ROWS_A_REQUEST]
                found = await index.fetch(ids=some, namespace=namespace(group_id))
                known |= {wanted[vector] for vector in found.vectors}
        return known

    async def delete_all(self, group_id: str) -> None:
        with own_errors(missing_is_fine=True):
            index = await self._index()
            await index.delete(delete_all=True, namespace=namespace(group_id))

    async def has_any(self, group_id: str) -> bool:
        """Whether readers still find something of the group."""
        return await has_any(self._index, group_id)

    @contextmanager
    def _known(self) -> Iterator[None]:
        if time.monotonic() < self._missing_until:
            raise Misconfigured("the index that PINECONE_WORDS_INDEX names does not exist")
        try:
            with own_errors(setting="PINECONE_WORDS_INDEX"):
                yield
        except Misconfigured:
            self._missing_until = time.monotonic() + MISSING_FOR_S
            raise


def _requests(rows: Sequence[WordRow]) -> Iterator[list[WordRow]]:
    some: list[WordRow] = []
    values = 0
    for row in rows:
        if some and (len(some) == ROWS_A_REQUEST or values + len(row.weights) > VALUES_A_REQUEST):
            yield some
            some, values = [], 0
        some.append(row)
        values += len(row.weights)
    if some:
        yield some


def _record(row: WordRow) -> dict[str, Any]:
    return {
        "id": _row_id(row.message_id),
        "sparse_values": {
            "indices": list(row.weights),
            "values": list(row.weights.values()),
        },
        "metadata": {
            "id": row.message_id,
            "version": row.version,
            "time": int(row.time.timestamp()),
        },
    }


def _row_id(message_id: str) -> str:
    """Pinecone ids are ASCII of at most 512 characters."""
    return namespace(message_id)[:512]

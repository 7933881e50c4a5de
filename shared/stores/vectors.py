"""Pinecone: an index that can be rebuilt. It serves recall only; every hit is read from Firestore.

One namespace a group is the isolation: no query runs without a group.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.domain.ids import MAX_VECTOR_NAME, namespace, vector_name
from shared.errors import Misconfigured, Transient

BATCH = 100
"""Ids of one fetch."""
REQUEST_BYTES = 1_500_000
"""Of one upsert: the service takes 2 MB, and JSON varies."""
NUMBER_BYTES = 24
"""A number of a vector as JSON, with its comma, at most: models give 32 bits, and written as a
double they have up to 22 digits and signs."""
RECORD_BYTES = 1_000
"""An id and its metadata, at most."""


@dataclass(frozen=True)
class Vector:
    """`kind#id`, with the version of the record it stands for."""

    kind: str
    record_id: str
    values: Sequence[float]
    version: int = 1
    time: datetime | None = None

    @property
    def vector_id(self) -> str:
        return vector_id(self.kind, self.record_id)


@dataclass(frozen=True)
class Hit:
    kind: str
    record_id: str
    version: int
    score: float


@dataclass(frozen=True)
class VectorPlan:
    """What a plan changes in the index, done after its commit and safe to repeat."""

    upserts: Sequence[Vector] = ()
    deletes: Sequence[str] = field(default_factory=tuple)


def vector_id(kind: str, record_id: str) -> str:
    return f"{kind}#{vector_name(record_id, MAX_VECTOR_NAME - len(kind) - 1)}"


class Index:
    """The index's client, made at its first use; the deployment made the index. By its own address
    it is opened without a call; by its name that costs one of the control plane at `host`."""

    def __init__(
        self, *, api_key: str, host: str | None, name: str, index_host: str | None = None
    ) -> None:
        self._api_key = api_key
        self._host = host
        self._name = name
        self._index_host = index_host
        self._opened: list[Any] = []
        self._opening = asyncio.Lock()

    async def __call__(self) -> Any:
        async with self._opening:  # the first reads of a context come all at once
            if not self._opened:
                from pinecone import AsyncPinecone

                client = AsyncPinecone(api_key=self._api_key, host=self._host)
                try:
                    self._opened = [await self._open(client), client]
                finally:
                    if not self._opened:
                        await client.close()
        return self._opened[0]

    async def _open(self, client: Any) -> Any:
        if self._index_host:
            return await client.index(host=self._index_host)
        return await client.index(self._name)

    async def close(self) -> None:
        for opened in self._opened:
            await opened.close()


class Vectors:
    def __init__(self, index: Index) -> None:
        self._index = index

    async def close(self) -> None:
        await self._index.close()

    async def apply(self, group_id: str, plan: VectorPlan) -> None:
        with own_errors():
            index = await self._index()
            for some in _requests(plan.upserts):
                await index.upsert(
                    vectors=[_record(vector) for vector in some], namespace=namespace(group_id)
                )
        # A group without a vector has no namespace, and nothing to delete from it.
        with own_errors(missing_is_fine=True):
            for start in range(0, len(plan.deletes), 1000):
                await index.delete(
                    ids=list(plan.deletes[start : start + 1000]), namespace=namespace(group_id)
                )

    async def delete_all(self, group_id: str) -> None:
        """The whole namespace of a group."""
        with own_errors(missing_is_fine=True):
            index = await self._index()
            await index.delete(delete_all=True, namespace=namespace(group_id))

    async def has_any(self, group_id: str) -> bool:
        """Whether readers still find something of the group."""
        return await has_any(self._index, group_id)

    async def search(
        self, group_id: str, kind: str, vector: Sequence[float], limit: int
    ) -> list[Hit]:
        """The nearest of a kind, best first. Scores are cosines."""
        with own_errors():
            index = await self._index()
            answer = await index.query(
                vector=list(vector),
                top_k=limit,
                namespace=namespace(group_id),
                filter={"kind": {"$eq": kind}},
                include_metadata=True,
                include_values=False,
            )
        return [
            Hit(
                match.metadata["kind"],
                match.metadata["id"],
                int(match.metadata["version"]),
                float(match.score),
            )
            for match in answer.matches
            if match.metadata
        ]

    async def known(self, group_id: str, vector_ids: Sequence[str]) -> set[str]:
        """Which of these the index has."""
        known: set[str] = set()
        with own_errors():
            index = await self._index()
            for start in range(0, len(vector_ids), BATCH):
                answer = await index.fetch(
                    ids=list(vector_ids[start : start + BATCH]), namespace=namespace(group_id)
                )
                known |= set(answer.vectors)
        return known

    async def fetch(
        self, group_id: str, kind: str, record_ids: Sequence[str]
    ) -> dict[str, list[float]]:
        """The vectors that are there, by the id of their record."""
        with own_errors():
            index = await self._index()
            wanted = {vector_id(kind, record_id): record_id for record_id in record_ids}
            answer = await index.fetch(ids=list(wanted), namespace=namespace(group_id))
        return {
            wanted[found]: list(record.values)
            for found, record in answer.vectors.items()
            if found in wanted
        }


async def has_any(opened: Index, group_id: str) -> bool:
    """Whether the namespace of a group shows a vector."""
    found: list[Any] = []
    with own_errors(missing_is_fine=True):
        index = await opened()
        page = await index.list_paginated(namespace=namespace(group_id), limit=1)
        found = list(page.vectors)
    return bool(found)


def _requests(vectors: Sequence[Vector]) -> Iterator[Sequence[Vector]]:
    """Parts that the service takes in one request, whatever the number of dimensions."""
    longest = max((len(vector.values) for vector in vectors), default=0)
    each = max(1, min(1000, REQUEST_BYTES // (RECORD_BYTES + NUMBER_BYTES * longest)))
    for start in range(0, len(vectors), each):
        yield vectors[start : start + each]


def _record(vector: Vector) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "kind": vector.kind,
        "id": vector.record_id,
        "version": vector.version,
    }
    if vector.time is not None:
        metadata["time"] = int(vector.time.timestamp())
    return {"id": vector.vector_id, "values": list(vector.values), "metadata": metadata}


@contextmanager
def own_errors(*, missing_is_fine: bool = False, setting: str = "PINECONE_INDEX") -> Iterator[None]:
    from pinecone.errors import PineconeError
    from pinecone.errors.exceptions import NotFoundError

    try:
        yield
    except NotFoundError as error:
        if not missing_is_fine:
            raise Misconfigured(f"the index that {setting} names does not exist") from error
    except PineconeError as error:
        raise Transient(f"Pinecone did not answer ({type(error).__name__})") from error

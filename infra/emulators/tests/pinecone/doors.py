"""The two clients of the SDK behind one face, so that one suite runs through both."""

import asyncio
import functools
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pinecone import AsyncPinecone, Pinecone

Seen = TypeVar("Seen")

KEY = "a-key-for-tests"
PATIENCE_SECONDS = 20.0


class Threaded:
    """An object whose methods can be awaited: each call runs in a thread."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        return functools.partial(asyncio.to_thread, getattr(self._wrapped, name))


class SyncDoor:
    """`Pinecone`, awaited."""

    def __init__(self, host: str, key: str = KEY) -> None:
        self._client = Pinecone(api_key=key, host=host)
        self.indexes: Any = Threaded(self._client.indexes)
        self.collections: Any = Threaded(self._client.collections)
        self._opened: list[Any] = []

    async def index(self, name: str) -> Any:
        index = await asyncio.to_thread(functools.partial(self._client.index, name=name))
        self._opened.append(index)
        return Threaded(index)

    async def names(self) -> list[str]:
        return await asyncio.to_thread(lambda: [each.name for each in self._client.indexes.list()])

    async def close(self) -> None:
        for index in self._opened:
            index.close()
        self._client.close()

    @staticmethod
    async def pages(index: Threaded, method: str, **arguments: Any) -> list[Any]:
        """Every page that a listing method of the SDK yields."""
        listing = getattr(index._wrapped, method)
        return await asyncio.to_thread(lambda: list(listing(**arguments)))


class AsyncDoor:
    """`AsyncPinecone`."""

    def __init__(self, host: str, key: str = KEY) -> None:
        self._client = AsyncPinecone(api_key=key, host=host)
        self.indexes: Any = self._client.indexes
        self.collections: Any = self._client.collections
        self._opened: list[Any] = []

    async def index(self, name: str) -> Any:
        index = await self._client.index(name=name)
        self._opened.append(index)
        return index

    async def names(self) -> list[str]:
        return [each.name async for each in self._client.indexes.list()]

    async def close(self) -> None:
        for index in self._opened:
            await index.close()
        await self._client.close()

    @staticmethod
    async def pages(index: Any, method: str, **arguments: Any) -> list[Any]:
        return [page async for page in getattr(index, method)(**arguments)]


Door = SyncDoor | AsyncDoor
DOORS: dict[str, type[SyncDoor] | type[AsyncDoor]] = {"sync": SyncDoor, "async": AsyncDoor}


async def eventually(read: Callable[[], Awaitable[Seen]], holds: Callable[[Seen], bool]) -> Seen:
    """Read until it holds: writes become visible after a while, as in the service."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        seen = await read()
        if holds(seen):
            return seen
        assert time.monotonic() < deadline, f"it never held; last seen: {seen}"
        await asyncio.sleep(0.01)


class Space:
    """One namespace of one index: writes that return when readers see them."""

    def __init__(self, index: Any, name: str) -> None:
        self.index = index
        self.name = name

    async def upsert(self, *vectors: Any) -> None:
        await self.index.upsert(vectors=list(vectors), namespace=self.name)
        ids = [each["id"] if isinstance(each, dict) else each[0] for each in vectors]
        await eventually(lambda: self.fetch(*ids), lambda found: all(each in found for each in ids))

    async def fetch(self, *ids: str) -> Any:
        return (await self.index.fetch(ids=list(ids), namespace=self.name)).vectors

    async def query(self, vector: list[float], top_k: int = 10, **more: Any) -> list[Any]:
        answer = await self.index.query(vector=vector, top_k=top_k, namespace=self.name, **more)
        matches: list[Any] = answer.matches
        return matches

    async def ids(self, **more: Any) -> list[str]:
        page = await self.index.list_paginated(namespace=self.name, **more)
        return [each.id for each in page.vectors]

    async def found_by(self, condition: dict[str, Any]) -> list[str]:
        """The ids a filter lets through, in order."""
        matches = await self.query([1.0, 1.0, 1.0], top_k=100, filter=condition)
        return sorted(match.id for match in matches)

    async def until_gone(self, *ids: str) -> None:
        await eventually(lambda: self.fetch(*ids), lambda found: not found)

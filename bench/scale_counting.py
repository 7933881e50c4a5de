"""Doubles that let everything through and add up what it would be billed, and to whom."""

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx

LEAST_WRITE_UNITS = 5
"""Pinecone bills at least so many a request."""
LEAST_QUERY_UNITS = 0.25
"""... and so many a query of a small namespace."""
Billed = Counter[str]
"""How much of what: see `PRICES` of `bench.scale`; beside them calls, and index entries."""


@dataclass
class CountedQueue:
    """Takes every task: one operation to send it, one to deliver it. `due` are those to come."""

    now: Any
    sent: set[str] = field(default_factory=set)
    due: list[tuple[datetime, int, str, Mapping[str, Any]]] = field(default_factory=list)

    async def send(
        self,
        queue: str,
        task_id: str,
        path: str,
        body: Mapping[str, Any],
        *,
        at: datetime | None = None,
    ) -> None:
        name = f"{queue} {task_id}"
        if name not in self.sent:
            self.sent.add(name)
            heapq.heappush(self.due, (at or self.now(), len(self.sent), path, body))

    async def is_waiting(self, *_: Any) -> bool:
        return False

    async def close(self) -> None:
        """Nothing is open."""


class CountedIndex:
    """The index as it is; what each request would be billed is added up."""

    def __init__(self, real: Any, units: Billed) -> None:
        self._real = real
        self._units = units

    async def __call__(self) -> Any:
        self._index = await self._real()
        return self

    async def close(self) -> None:
        await self._real.close()

    async def upsert(self, *, vectors: list[dict[str, Any]], namespace: str) -> Any:
        size = sum(math.ceil(_record_bytes(one) / 1024) for one in vectors)
        self._units["vector write units"] += max(LEAST_WRITE_UNITS, size)
        self._units["pinecone calls"] += 1
        return await self._index.upsert(vectors=vectors, namespace=namespace)

    async def delete(self, *, ids: list[str], namespace: str) -> Any:
        self._units["vector write units"] += max(LEAST_WRITE_UNITS, len(ids))
        self._units["pinecone calls"] += 1
        return await self._index.delete(ids=ids, namespace=namespace)

    async def query(self, **asked: Any) -> Any:
        self._units["vector read units"] += LEAST_QUERY_UNITS  # type: ignore[assignment]
        self._units["pinecone calls"] += 1
        return await self._index.query(**asked)

    async def fetch(self, *, ids: list[str], namespace: str) -> Any:
        self._units["vector read units"] += math.ceil(len(ids) / 10)
        self._units["pinecone calls"] += 1
        return await self._index.fetch(ids=ids, namespace=namespace)


def _record_bytes(record: dict[str, Any]) -> int:
    sparse = record.get("sparse_values", {"indices": []})
    return 4 * len(record.get("values", ())) + 8 * len(sparse["indices"]) + 200


class CountedSpending:
    """Where models and the embedder tell what they were paid; told on, and kept by group."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.by_group: dict[str, dict[str, Billed]] = defaultdict(lambda: defaultdict(Counter))
        """Of a group, by prompt; embeddings under `embedding`."""

    async def check(self, group_id: str) -> None:
        await self._real.check(group_id)

    async def record(self, group_id: str, prompt_id: str, model: str, **paid: int) -> None:
        self.by_group[group_id][prompt_id].update(paid)
        await self._real.record(group_id, prompt_id, model, **paid)


class Meter:
    """What the emulators served since it was read last: one piece of work runs at a time, so all
    of that belongs to it."""

    def __init__(self, told: Mapping[str, Any], units: Billed, queue: CountedQueue) -> None:
        self._told, self._units, self._queue = told, units, queue
        self._client = httpx.Client(trust_env=False)
        self._last = self._read()

    def close(self) -> None:
        self._client.close()

    def since(self) -> Billed:
        now, last = self._read(), self._last
        self._last = now
        return Counter({name: value - last[name] for name, value in now.items()})

    def _read(self) -> Billed:
        admin = self._told["admin"]
        stored = self._client.get(f"{admin['firestore']}/counters").json()
        asked = self._client.get(f"{admin['openai']}/counts").json()
        read: Billed = Counter(
            {
                "reads": stored["documents_read"] + stored["empty_queries"],
                "writes": stored["documents_written"] + stored["documents_deleted"],
                "index entries": stored["index_entries_written"],
                "firestore calls": sum(stored["rpcs"].values()),
                "task operations": 2 * len(self._queue.sent),
            }
        )
        read.update(self._units)
        for name, one in asked["endpoints"].items():
            kind = "embed" if "embed" in name else "chat"
            read[f"{kind} calls"] += one.get("calls", 0)
            tokens = "embedded tokens" if kind == "embed" else "prompt tokens"
            read[tokens] += one.get("prompt_tokens", 0)
            read["completion tokens"] += one.get("completion_tokens", 0)
        return read

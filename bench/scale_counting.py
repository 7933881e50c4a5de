"""Doubles that let everything through and add up what it would be billed."""

import heapq
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from shared.clients.model import Model, ModelAnswer

LEAST_WRITE_UNITS = 5
"""Pinecone bills at least so many a request."""
LEAST_QUERY_UNITS = 0.25
"""... and so many a query of a small namespace."""


@dataclass
class CountedQueue:
    """Takes every task: one operation to send it, one to deliver it. `due` are the runs of
    attribution that are to come, for one group at a time; `jobs` those whose task was sent."""

    sent: set[str] = field(default_factory=set)
    due: list[datetime] = field(default_factory=list)
    jobs: set[str] = field(default_factory=set)

    async def send(
        self,
        queue: str,
        task_id: str,
        _path: str,
        body: Mapping[str, Any],
        *,
        at: datetime | None = None,
    ) -> None:
        name = f"{queue} {task_id}"
        if queue == "attribute" and at and name not in self.sent:
            heapq.heappush(self.due, at)
        self.sent.add(name)
        self.jobs.add(body.get("job_id", ""))

    async def is_waiting(self, *_: Any) -> bool:
        return False


class CountedIndex:
    """The index as it is; what each request would be billed is added up."""

    def __init__(self, real: Any, units: Counter[str]) -> None:
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
        return await self._index.upsert(vectors=vectors, namespace=namespace)

    async def delete(self, *, ids: list[str], namespace: str) -> Any:
        self._units["vector write units"] += max(LEAST_WRITE_UNITS, len(ids))
        return await self._index.delete(ids=ids, namespace=namespace)

    async def query(self, **asked: Any) -> Any:
        self._units["vector read units"] += LEAST_QUERY_UNITS  # type: ignore[assignment]
        return await self._index.query(**asked)

    async def fetch(self, *, ids: list[str], namespace: str) -> Any:
        self._units["vector read units"] += math.ceil(len(ids) / 10)
        return await self._index.fetch(ids=ids, namespace=namespace)


def _record_bytes(record: dict[str, Any]) -> int:
    sparse = record.get("sparse_values", {"indices": []})
    return 4 * len(record.get("values", ())) + 8 * len(sparse["indices"]) + 200


@dataclass
class CountedModel:
    """The chat model as it is; calls and prompt tokens are added up by prompt."""

    real: Model
    calls: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)

    async def ask(
        self, prompt_id: str, reply_type: type[Any], data: Mapping[str, Any], **named: Any
    ) -> ModelAnswer[Any]:
        answer = await self.real.ask(prompt_id, reply_type, data, **named)
        self.calls[prompt_id] += answer.cost.calls
        self.tokens[prompt_id] += answer.cost.prompt_tokens
        return answer

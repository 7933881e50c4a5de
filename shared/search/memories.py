"""Search of memories: every active one of the group is ranked, by words and meaning together."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from shared import log
from shared.clients.embedder import Embedder
from shared.domain.memories.embedded_wording import question_text
from shared.domain.memories.memory import Memory, MemoryStatus, is_expired
from shared.domain.memories.ranking import RankedMemory, ranked_memories
from shared.errors import Transient
from shared.search.asked import embedded_question
from shared.stores.memories import Memories
from shared.stores.vectors import Vectors

COMPARED = 60
"""So many active memories are read and ranked one by one: twice as many as a group keeps by
default. Of more than that the index brings the nearest too."""
FROM_INDEX = 40
"""The nearest of those beyond the first; ranking chooses among them."""
MAX_COMPARED = 500
"""While the index is away, or for a time in the past: the most that one read brings."""
MAX_STEPS = 10
"""How many versions a lagging index may be behind."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class MemorySearch:
    memories: Memories
    vectors: Vectors
    embedder: Embedder
    embed_budget_s: float = 5.0
    compared: int = COMPARED
    now: Callable[[], datetime] = _utc_now

    async def find(
        self,
        group_id: str,
        query: str,
        *,
        limit: int,
        threshold: float | None = None,
        as_of: datetime | None = None,
    ) -> list[RankedMemory]:
        """The best `limit`, best first; with a threshold, those of at least this score. With
        `as_of`, among the memories that held then. Without a vector (the embedder is late) words
        alone rank, and what shares none is left out."""
        asked, candidates = await asyncio.gather(
            embedded_question(
                self.embedder,
                question_text(query),
                group_id=group_id,
                budget_s=self.embed_budget_s,
            ),
            self._strongest(group_id)
            if as_of is None
            else self.memories.active_at(group_id, as_of, MAX_COMPARED),
        )
        if as_of is None and len(candidates) == self.compared:
            candidates = await self._with_nearest(group_id, asked.vector, candidates)
        moment = as_of or self.now()
        candidates = [memory for memory in candidates if not is_expired(memory, moment)]
        found = ranked_memories(candidates, query, asked.vector, self.embedder.model, asked.anchors)
        if asked.vector is None:
            found = [memory for memory in found if memory.by_words > 0]
        if threshold is not None:
            found = [memory for memory in found if memory.score >= threshold]
        return found[:limit]

    async def _strongest(self, group_id: str) -> list[Memory]:
        return await self.memories.active(group_id, self.compared)

    async def _with_nearest(
        self, group_id: str, vector: Sequence[float] | None, candidates: list[Memory]
    ) -> list[Memory]:
        """The index recalls, Firestore decides; without the index more are compared."""
        if vector is None:
            return await self.memories.active(group_id, MAX_COMPARED)
        try:
            hits = await self.vectors.search(group_id, "memory", vector, FROM_INDEX)
        except Transient:
            log.warning("memory_search_without_index", group_id=group_id)
            return await self.memories.active(group_id, MAX_COMPARED)
        found = await self.memories.get_many(group_id, [hit.record_id for hit in hits])
        current = {memory.memory_id: memory for memory in candidates}
        current |= {
            key: memory for key, memory in found.items() if memory.status is MemoryStatus.ACTIVE
        }
        return list({**current, **await self._successors(group_id, found)}.values())

    async def _successors(self, group_id: str, found: dict[str, Memory]) -> dict[str, Memory]:
        """What became of the versions that the index still shows: while it lags, they lead on."""
        current: dict[str, Memory] = {}
        for _ in range(MAX_STEPS):
            next_ids = {memory.superseded_by for memory in found.values() if memory.superseded_by}
            if not next_ids:
                break
            found = await self.memories.get_many(group_id, sorted(next_ids))
            current |= {
                key: memory for key, memory in found.items() if memory.status is MemoryStatus.ACTIVE
            }
        return current

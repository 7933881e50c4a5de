"""Search of memories: the index recalls, Firestore decides, and calibrated similarity ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared import log
from shared.clients.embedder import Embedder
from shared.domain.memories.answer_odds import chances
from shared.domain.memories.embedded_wording import question_text
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.similarity.calibration import chance_of_answer
from shared.errors import Transient
from shared.stores.memories import Memories
from shared.stores.vectors import Vectors

SPARE = 3
"""Hits asked for beyond the limit, since some are dropped."""
MAX_COMPARED = 500
MAX_STEPS = 10
"""How many versions a lagging index may be behind."""


@dataclass(frozen=True)
class MemoryHit:
    memory: Memory
    score: float


@dataclass(frozen=True)
class MemorySearch:
    memories: Memories
    vectors: Vectors
    embedder: Embedder
    embed_budget_s: float = 5.0

    async def find(
        self,
        group_id: str,
        query: str,
        *,
        limit: int,
        threshold: float,
        as_of: datetime | None = None,
    ) -> list[MemoryHit]:
        """The best first. With `as_of`, among the memories that held then."""
        vector = await self.embedder.embed_one(
            question_text(query), group_id=group_id, budget_s=self.embed_budget_s
        )
        if vector is None:
            return []
        candidates = await self._candidates(group_id, vector, limit, as_of)
        near = chances(candidates, query, vector, self.embedder.model, chance_of_answer)
        hits = [
            MemoryHit(one, round(near[one.memory_id], 4))
            for one in candidates
            if one.memory_id in near
        ]
        best = sorted(hits, key=lambda hit: (-hit.score, hit.memory.memory_id))
        return [hit for hit in best if hit.score >= threshold][:limit]

    async def _candidates(
        self, group_id: str, vector: Sequence[float], limit: int, as_of: datetime | None
    ) -> list[Memory]:
        if as_of is not None:
            return await self.memories.active_at(group_id, as_of, MAX_COMPARED)
        try:
            hits = await self.vectors.search(group_id, "memory", vector, limit * SPARE)
        except Transient:
            # Without the index the group's own memories are few enough to be compared one by one.
            log.warning("memory_search_without_index", group_id=group_id)
            return await self.memories.active(group_id, MAX_COMPARED)
        found = await self.memories.get_many(group_id, [hit.record_id for hit in hits])
        versions = {hit.record_id: hit.version for hit in hits}
        current = {
            one.memory_id: one
            for one in found.values()
            if one.status is MemoryStatus.ACTIVE and versions[one.memory_id] == one.version
        }
        return list({**current, **await self._successors(group_id, found)}.values())

    async def _successors(self, group_id: str, found: dict[str, Memory]) -> dict[str, Memory]:
        """What became of the versions that the index still shows: while it lags, they lead on."""
        current: dict[str, Memory] = {}
        for _ in range(MAX_STEPS):
            next_ids = {one.superseded_by for one in found.values() if one.superseded_by}
            if not next_ids:
                break
            found = await self.memories.get_many(group_id, sorted(next_ids))
            current |= {key: one for key, one in found.items() if one.status is MemoryStatus.ACTIVE}
        return current

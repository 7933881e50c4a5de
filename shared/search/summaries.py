"""Summaries of topics that are near in meaning to a question."""

import asyncio
from dataclasses import dataclass

from shared.domain.topics.topic import Summary
from shared.search.asked import EmbeddedQuestion
from shared.stores.topics import Topics
from shared.stores.vectors import Vectors

COMPARED = 30
"""Ids and cosines cost no document."""


@dataclass(frozen=True)
class SummaryHit:
    summary: Summary
    score: float


@dataclass(frozen=True)
class SummarySearch:
    topics: Topics
    vectors: Vectors

    async def near(
        self,
        group_id: str,
        question: EmbeddedQuestion,
        *,
        limit: int,
        least: float,
    ) -> list[SummaryHit]:
        """The best first; dropped if the topic has a newer version than the index knows."""
        if question.vector is None:
            return []
        hits = await self.vectors.search(group_id, "summary", question.vector, COMPARED)
        usual = question.usual
        near = [(hit, round(usual.chance(hit.score), 4)) for hit in hits]
        near = [(hit, score) for hit, score in near if score >= least][:limit]
        shown = await asyncio.gather(
            *(self.topics.shown_summary(group_id, hit.record_id) for hit, _ in near)
        )
        return [
            SummaryHit(found, score)
            for (hit, score), found in zip(near, shown, strict=True)
            if found and found.version == hit.version
        ]

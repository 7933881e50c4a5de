"""Summaries that a question may mean: of its own topic, and of topics near in meaning."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.similarity.answering import answering
from shared.domain.topics.topic import Summary
from shared.language import guess_language
from shared.stores.topics import Topics
from shared.stores.vectors import Vectors

COMPARED = 30
"""Ids and cosines cost no document, and a confidence needs to know the others."""
OWN_TOPIC = 0.6
"""What the summary of the question's own topic is worth beside similarities."""


@dataclass(frozen=True)
class SummaryHit:
    summary: Summary
    score: float


@dataclass(frozen=True)
class SummarySearch:
    topics: Topics
    vectors: Vectors
    model: str

    async def own(self, group_id: str, topic_id: str | None) -> list[SummaryHit]:
        shown = await self.topics.shown_summary(group_id, topic_id) if topic_id else None
        return [SummaryHit(shown, OWN_TOPIC)] if shown else []

    async def near(
        self,
        group_id: str,
        text: str,
        vector: Sequence[float] | None,
        *,
        limit: int,
        least: float,
    ) -> list[SummaryHit]:
        """The best first, each with the confidence that it answers among all that were compared;
        dropped if the topic has a newer version than the index knows."""
        if vector is None:
            return []
        hits = await self.vectors.search(group_id, "summary", vector, COMPARED)
        row = answering(self.model, guess_language(text))
        sums = [row.meaning * (hit.score - row.usual) for hit in hits]
        confident = [
            (hit, round(confidence, 4))
            for hit, confidence in zip(hits, row.confidences(sums), strict=True)
            if confidence >= least
        ][:limit]
        shown = await asyncio.gather(
            *(self.topics.shown_summary(group_id, hit.record_id) for hit, _ in confident)
        )
        return [
            SummaryHit(found, confidence)
            for (hit, confidence), found in zip(confident, shown, strict=True)
            if found and found.version == hit.version
        ]

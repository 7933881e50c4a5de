"""Summaries that a question may mean: of its own topic, and of topics near in meaning."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.similarity.calibration import calibrated
from shared.domain.text.language import guess_language
from shared.domain.topics.topic import Summary
from shared.stores.topics import Topics
from shared.stores.vectors import Vectors

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
        threshold: float,
    ) -> list[SummaryHit]:
        """The best first; dropped if the topic has a newer version than the index knows."""
        if vector is None:
            return []
        hits = await self.vectors.search(group_id, "summary", vector, limit)
        language = guess_language(text)
        scores = [round(calibrated(self.model, language, hit.score), 4) for hit in hits]
        likely = [one for one in zip(hits, scores, strict=True) if one[1] >= threshold]
        shown = await asyncio.gather(
            *(self.topics.shown_summary(group_id, hit.record_id) for hit, _ in likely)
        )
        return [
            SummaryHit(found, score)
            for (hit, score), found in zip(likely, shown, strict=True)
            if found and found.version == hit.version
        ]

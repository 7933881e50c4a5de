"""Events that a question may mean: the index recalls, Firestore decides."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.knowledge.event import Event
from shared.domain.similarity.calibration import calibrated
from shared.domain.text.language import guess_language
from shared.stores.events import Events
from shared.stores.vectors import Vectors

SPARE = 3
"""Several viewpoints of one happening count as one, so more are asked for than are wanted."""


@dataclass(frozen=True)
class EventHit:
    event: Event
    score: float


@dataclass(frozen=True)
class EventSearch:
    events: Events
    vectors: Vectors
    model: str

    async def near(
        self,
        group_id: str,
        text: str,
        vector: Sequence[float] | None,
        *,
        limit: int,
        threshold: float,
    ) -> list[EventHit]:
        """The best first; of several viewpoints of one happening the best."""
        if vector is None or limit == 0:
            return []
        hits = await self.vectors.search(group_id, "event", vector, limit * SPARE)
        found = await self.events.get_many(group_id, [hit.record_id for hit in hits])
        language = guess_language(text)
        best: dict[str, EventHit] = {}
        for hit in hits:
            if event := found.get(hit.record_id):
                score = round(calibrated(self.model, language, hit.score), 4)
                best.setdefault(f"{event.request_id}:{event.end_seq}", EventHit(event, score))
        return [hit for hit in best.values() if hit.score >= threshold][:limit]

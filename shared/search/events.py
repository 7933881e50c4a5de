"""Events that a question may mean: the index recalls, Firestore decides."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from shared.domain.knowledge.event import Event, is_about
from shared.domain.similarity.matching import mixed
from shared.search.asked import EmbeddedQuestion
from shared.stores.events import Events
from shared.stores.vectors import Vectors

SPARE = 3
"""Several viewpoints of one happening count as one, so more are asked for than are wanted."""
FROM_INDEX = 60
"""The nearest by meaning; those out of the range or of others are dropped afterwards."""
LISTED = 200
"""The newest of the range, looked through by their words: one read of a page."""


@dataclass(frozen=True)
class EventHit:
    event: Event
    score: float


@dataclass(frozen=True)
class EventSearch:
    events: Events
    vectors: Vectors

    async def near(
        self,
        group_id: str,
        question: EmbeddedQuestion,
        *,
        limit: int,
        threshold: float,
    ) -> list[EventHit]:
        """The best first; of several viewpoints of one happening the best."""
        if question.vector is None or limit == 0:
            return []
        hits = await self.vectors.search(group_id, "event", question.vector, limit * SPARE)
        found = await self.events.get_many(group_id, [hit.record_id for hit in hits])
        usual = question.usual
        scored = [
            EventHit(event, round(usual.chance(hit.score), 4))
            for hit in hits
            if (event := found.get(hit.record_id))
        ]
        return [hit for hit in _one_a_happening(scored) if hit.score >= threshold][:limit]

    async def find(
        self,
        group_id: str,
        text: str,
        question: EmbeddedQuestion,
        *,
        user_id: str | None = None,
        time_from: datetime | None = None,
        time_to: datetime | None = None,
        limit: int,
    ) -> list[EventHit]:
        """By words and meaning together, within a range of time and of one member if asked for;
        the best first. A tool's search: wider than what a context looks at."""
        vector, usual = question.vector, question.usual
        hits = await self.vectors.search(group_id, "event", vector, FROM_INDEX) if vector else []
        _, listed = await self.events.listed(
            group_id, time_from=time_from, time_to=time_to, limit=LISTED, offset=0
        )
        pool = {event.event_id: event for event in listed}
        near = {hit.record_id: usual.chance(hit.score) for hit in hits}
        pool |= await self.events.get_many(
            group_id, [event_id for event_id in near if event_id not in pool]
        )
        found = [
            event
            for event in pool.values()
            if is_about(event, user_id, None)
            and (time_from is None or event.timestamp_utc >= time_from)
            and (time_to is None or event.timestamp_utc <= time_to)
        ]
        chances = [near.get(event.event_id, 0.0) for event in found]
        scores = mixed(text, [event.canonical_text for event in found], chances)
        scored = [EventHit(event, score) for event, score in zip(found, scores, strict=True)]
        scored.sort(key=lambda hit: (-hit.score, hit.event.event_id))
        return _one_a_happening(hit for hit in scored if hit.score > 0)[:limit]


def _one_a_happening(hits: Iterable[EventHit]) -> list[EventHit]:
    """Of several viewpoints the best."""
    best: dict[str, EventHit] = {}
    for hit in hits:
        best.setdefault(f"{hit.event.request_id}:{hit.event.end_seq}", hit)
    return list(best.values())

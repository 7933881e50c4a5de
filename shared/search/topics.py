"""Topics that a question means: the index and the words recall, Firestore decides."""

import asyncio
from dataclasses import dataclass

from shared import log
from shared.clients.embedder import Embedder
from shared.domain.bm25 import heard, rarest
from shared.domain.topics.ranking import RankedTopic, ranked_topics
from shared.domain.topics.topic import SearchMode, Topic
from shared.errors import Transient
from shared.language import terms
from shared.search.asked import embedded_question
from shared.stores.topics import Topics
from shared.stores.vectors import Vectors

BY_WORDS = 60
"""Topics that share a word with the question, before they are ranked."""
FROM_INDEX = 30
"""Of summaries, and of topics that have none yet."""
LATELY = 30
"""Topics in use may have no summary yet: these are looked through."""
ASKED = 30
"""Words that one query of Firestore takes."""


@dataclass(frozen=True)
class TopicSearch:
    topics: Topics
    vectors: Vectors
    embedder: Embedder
    embed_budget_s: float = 5.0

    async def find(
        self, group_id: str, query: str, *, mode: SearchMode, limit: int, user_id: str | None = None
    ) -> list[RankedTopic]:
        """The best `limit`, best first; without the index, or an embedder, words alone."""
        lately, chances = await asyncio.gather(
            self.topics.active(group_id, LATELY),
            self._by_meaning(group_id, query) if mode != "keyword" else _nothing(),
        )
        found: dict[str, Topic] = {topic.topic_id: topic for topic in lately}
        if mode != "vector":
            known = heard([topic.search_terms for topic in lately])
            asked = rarest(terms(query), known, ASKED)
            by_words = await self.topics.with_any_term(group_id, asked, BY_WORDS)
            found |= {topic.topic_id: topic for topic in by_words}
        missing = [topic_id for topic_id in chances if topic_id not in found]
        found |= await self.topics.get_many(group_id, missing)
        ranked = ranked_topics(list(found.values()), query, chances, mode=mode, user_id=user_id)
        return ranked[:limit]

    async def _by_meaning(self, group_id: str, query: str) -> dict[str, float]:
        asked = await embedded_question(
            self.embedder, query, group_id=group_id, budget_s=self.embed_budget_s
        )
        if (vector := asked.vector) is None:
            return {}
        try:
            hits = await asyncio.gather(
                self.vectors.search(group_id, "summary", vector, FROM_INDEX),
                self.vectors.search(group_id, "topic", vector, FROM_INDEX),
            )
        except Transient as error:
            log.warning("topic_search_without_index", group_id=group_id, code=error.code)
            return {}
        usual = asked.usual
        chances: dict[str, float] = {}
        for hit in (hit for found in hits for hit in found):
            chance = usual.chance(hit.score)
            chances[hit.record_id] = max(chance, chances.get(hit.record_id, 0.0))
        return chances


async def _nothing() -> dict[str, float]:
    return {}

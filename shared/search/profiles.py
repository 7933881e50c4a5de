"""Profiles that a question means: the index recalls, the words of those read last do too."""

import asyncio
from dataclasses import dataclass

from shared import log
from shared.clients.embedder import Embedder
from shared.domain.knowledge.profile import EntityType, Profile
from shared.domain.similarity.matching import mixed
from shared.errors import Transient
from shared.search.asked import embedded_question
from shared.stores.profiles import Profiles
from shared.stores.vectors import Vectors

FROM_INDEX = 30
"""The nearest by meaning, before words are looked at."""
LATEST = 60
"""Profiles changed last, looked through by their words: those the index does not know yet too."""


@dataclass(frozen=True)
class ProfileHit:
    profile: Profile
    score: float


@dataclass(frozen=True)
class ProfileSearch:
    profiles: Profiles
    vectors: Vectors
    embedder: Embedder
    embed_budget_s: float = 5.0

    async def find(
        self,
        group_id: str,
        query: str,
        *,
        limit: int,
        entity_type: EntityType | None = None,
        entity_id: str | None = None,
    ) -> list[ProfileHit]:
        """The best first, of this group only; what shares neither words nor meaning is left out."""
        latest, chances = await asyncio.gather(
            self.profiles.latest(group_id, LATEST), self._by_meaning(group_id, query)
        )
        pool = {profile.profile_id: profile for profile in latest}
        pool |= await self.profiles.get_by_ids(
            group_id, [profile_id for profile_id, _ in chances if profile_id not in pool]
        )
        found = [
            profile
            for profile in pool.values()
            if entity_type in (None, profile.entity_type) and entity_id in (None, profile.entity_id)
        ]
        meant = [chances.get((profile.profile_id, profile.version), 0.0) for profile in found]
        scores = mixed(query, [f"{profile.name} {profile.body}" for profile in found], meant)
        hits = [
            ProfileHit(profile, score)
            for profile, score in zip(found, scores, strict=True)
            if score
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.profile.profile_id))[:limit]

    async def _by_meaning(self, group_id: str, query: str) -> dict[tuple[str, int], float]:
        """By profile and version: a vector of another version is of words that hold no more."""
        asked = await embedded_question(
            self.embedder, query, group_id=group_id, budget_s=self.embed_budget_s
        )
        if (vector := asked.vector) is None:
            return {}
        try:
            hits = await self.vectors.search(group_id, "profile", vector, FROM_INDEX)
        except Transient as error:
            log.warning("profile_search_without_index", group_id=group_id, code=error.code)
            return {}
        usual = asked.usual
        return {(hit.record_id, hit.version): usual.chance(hit.score) for hit in hits}

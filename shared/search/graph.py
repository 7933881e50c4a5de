"""The knowledge graph: what a question names, a walk from an entity, and search of entities."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared import log
from shared.clients.embedder import Embedder
from shared.domain.knowledge.graph import (
    MAX_EDGES,
    Entity,
    Neighbourhood,
    Relation,
    name_key,
    named_in,
)
from shared.errors import Transient
from shared.language import terms
from shared.search.asked import embedded_question
from shared.stores.entities import Entities
from shared.stores.relations import Relations
from shared.stores.vectors import Vectors

CANDIDATES = 30
"""Things that share a word with the text; of them those are taken whose name stands in it."""
NAMED = 3
"""Each costs a query; a text that names more is about none of them in particular."""
EDGES = 20
"""Of each entity that is named: more than a context ever shows."""
MAX_DEPTH = 5
"""Of a walk: further away everything is near everything."""
MAX_WALKED = 1000
"""Entities of one walk: an answer of some hundred kilobytes. What lies beyond is left out."""
SPARE = 3
"""The index does not know types, so more are asked for than are wanted."""
EMBED_S = 5.0
SIMILAR = 0.3
"""Less likely meant than this, an entity is no hit."""
_NAME = re.compile(r"[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}|[\u3400-\u9fff]{2,3}")


@dataclass(frozen=True)
class Walk:
    """Entities, the nearest first, and the relations among them; `is_cut` if there were more."""

    entities: Sequence[Entity] = ()
    relations: Sequence[Relation] = ()
    is_cut: bool = False


@dataclass(frozen=True)
class EntityHit:
    entity: Entity
    score: float


@dataclass(frozen=True)
class GraphSearch:
    entities: Entities
    relations: Relations
    vectors: Vectors
    embedder: Embedder

    async def around(self, group_id: str, text: str) -> Neighbourhood:
        """One step from each entity that the text names."""
        candidates = await self.entities.with_any_term(group_id, terms(text), CANDIDATES)
        named = named_in(candidates, text)[:NAMED]
        found = await asyncio.gather(
            *(self.relations.touching(group_id, entity.entity_id, EDGES) for entity in named)
        )
        relations = {relation.relation_id: relation for some in found for relation in some}
        entities = {entity.entity_id: entity for entity in named}
        others = {end for relation in relations.values() for end in relation.ends} - set(entities)
        entities |= await self.entities.get_many(group_id, sorted(others))
        return Neighbourhood(named, list(relations.values()), entities)

    async def walk(
        self,
        group_id: str,
        entity: str,
        *,
        depth: int = 2,
        relation_types: Sequence[str] = (),
        most: int = MAX_WALKED,
    ) -> Walk:
        """From the entity of this id or name, or that the text names, step by step; no entity comes
        twice, so cycles end. `most` bounds the entities.

        Each step asks for the edges of the whole frontier together, at most a hundred an entity.
        """
        start = await self._start(group_id, entity)
        if start is None:
            return Walk()
        seen = {start.entity_id: start}
        edges: dict[str, Relation] = {}
        frontier, is_cut = [start.entity_id], False
        for _ in range(min(depth, MAX_DEPTH)):
            if not frontier:
                break
            found = await self.relations.of_all(group_id, frontier, relation_types, MAX_EDGES)
            edges |= {relation.relation_id: relation for relation in found}
            new = list(
                dict.fromkeys(end for relation in found for end in relation.ends if end not in seen)
            )
            room = max(0, most - len(seen))
            is_cut = is_cut or len(new) > room
            known = await self.entities.get_many(group_id, new[:room])
            seen |= known
            frontier = list(known)
        whole = [
            relation for relation in edges.values() if all(end in seen for end in relation.ends)
        ]
        return Walk(list(seen.values()), whole, is_cut)

    async def _start(self, group_id: str, entity: str) -> Entity | None:
        by_id = (await self.entities.get_many(group_id, [entity])).get(entity)
        if by_id is not None:
            return by_id
        key = name_key(entity)
        named = await self.entities.named(group_id, [key]) if key else []
        if not named:
            alike = await self.entities.with_any_term(group_id, terms(entity), CANDIDATES)
            named = named_in(alike, entity)
        return max(named, key=lambda entity: (entity.mentions, entity.entity_id), default=None)

    async def find(
        self, group_id: str, query: str, *, entity_types: Sequence[str] = (), limit: int = 10
    ) -> list[EntityHit]:
        """By name, by words and by meaning, the best first; while the index is away, without
        meaning. A bare name is looked for by its words alone: to an encoder all names are alike."""
        key = name_key(query)
        named, alike, near = await asyncio.gather(
            self.entities.named(group_id, [key] if key else []),
            self.entities.with_any_term(group_id, terms(query), CANDIDATES),
            _nothing() if _is_bare_name(query) else self._near(group_id, query, limit * SPARE),
        )
        meant = await self.entities.get_many(group_id, list(near))
        scores = {entity.entity_id: near.get(entity.entity_id, 0.0) for entity in meant.values()}
        for entity in (*alike, *named_in(alike, query)):
            scores[entity.entity_id] = max(
                scores.get(entity.entity_id, 0.0), _by_words(entity, query)
            )
        scores |= {entity.entity_id: 1.0 for entity in named}
        every = {entity.entity_id: entity for entity in (*meant.values(), *alike, *named)}
        hits = [
            EntityHit(entity, round(scores[entity.entity_id], 4))
            for entity in every.values()
            if not entity_types or entity.entity_type in entity_types
        ]
        hits.sort(key=lambda hit: (-hit.score, -hit.entity.mentions, hit.entity.entity_id))
        return hits[:limit]

    async def _near(self, group_id: str, query: str, limit: int) -> dict[str, float]:
        """Ids with how likely each is meant."""
        try:
            asked = await embedded_question(
                self.embedder, query, group_id=group_id, budget_s=EMBED_S
            )
            if (vector := asked.vector) is None:
                return {}
            hits = await self.vectors.search(group_id, "entity", vector, limit)
        except Transient:
            log.warning("entity_search_without_index", group_id=group_id)
            return {}
        usual = asked.usual
        chances = {hit.record_id: usual.chance(hit.score) for hit in hits}
        return {entity_id: chance for entity_id, chance in chances.items() if chance >= SIMILAR}


async def _nothing() -> dict[str, float]:
    return {}


def _is_bare_name(query: str) -> bool:
    """Capitals throughout, or two or three Chinese characters."""
    return _NAME.fullmatch(query.strip()) is not None


def _by_words(entity: Entity, query: str) -> float:
    """The share of the words of its name that are in the query; never as sure as the whole name."""
    asked = set(terms(query))
    shares = [len(asked & set(own)) / len(own) for name in entity.names if (own := terms(name))]
    return 0.9 * max(shares, default=0.0)

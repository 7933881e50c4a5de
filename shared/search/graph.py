"""The part of the knowledge graph that a question names: one step from each entity in it."""

import asyncio
from dataclasses import dataclass

from shared.domain.knowledge.graph import Neighbourhood, named_in
from shared.domain.text.words import terms
from shared.stores.entities import Entities
from shared.stores.relations import Relations

CANDIDATES = 30
"""Things that share a word with the text; of them those are taken whose name stands in it."""
NAMED = 3
"""Each costs a query; a text that names more is about none of them in particular."""
EDGES = 20
"""Of each entity that is named: more than a context ever shows."""


@dataclass(frozen=True)
class GraphSearch:
    entities: Entities
    relations: Relations

    async def around(self, group_id: str, text: str) -> Neighbourhood:
        candidates = await self.entities.with_any_term(group_id, terms(text), CANDIDATES)
        named = named_in(candidates, text)[:NAMED]
        found = await asyncio.gather(
            *(self.relations.of(group_id, one.entity_id, EDGES) for one in named)
        )
        relations = {one.relation_id: one for some in found for one in some}
        entities = {one.entity_id: one for one in named}
        others = {end for one in relations.values() for end in one.ends} - set(entities)
        entities |= await self.entities.get_many(group_id, sorted(others))
        return Neighbourhood(named, list(relations.values()), entities)

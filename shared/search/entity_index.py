"""Entities in the vector index: by their names and what they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.clients.embedder import Embedder
from shared.domain.knowledge.graph import Entity
from shared.search.vector_writes import put_as_stored
from shared.stores.entities import Entities
from shared.stores.vectors import Vector, VectorPlan, Vectors, vector_id

EMBEDDING_S = 30.0
"""For one call after a commit; if it fails, the job's repetition does it."""


@dataclass(frozen=True)
class EntityIndex:
    entities: Entities
    vectors: Vectors
    embedder: Embedder

    async def put(self, group_id: str, entity_ids: Sequence[str]) -> None:
        """As they are stored now. Safe to repeat."""

        async def put(found: Mapping[str, Entity]) -> None:
            embedded = await self.embedder.embed(
                [entity_text(entity) for entity in found.values()],
                group_id=group_id,
                budget_s=EMBEDDING_S,
            )
            vectors = [
                Vector("entity", entity.entity_id, vector, 1, entity.updated_at)
                for entity, vector in zip(found.values(), embedded, strict=True)
                if vector is not None
            ]
            gone = [
                vector_id("entity", entity_id) for entity_id in entity_ids if entity_id not in found
            ]
            await self.vectors.apply(group_id, VectorPlan(vectors, gone))

        await put_as_stored(lambda: self.entities.get_many(group_id, entity_ids), put)


def entity_text(entity: Entity) -> str:
    """What is embedded of an entity."""
    names = ", ".join(entity.names[:4])
    return f"{names}: {entity.description}" if entity.description else names

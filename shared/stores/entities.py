"""Entities of a group: the nodes of its knowledge graph."""

import asyncio
from collections.abc import Iterable, Sequence

from shared.domain.ids import safe_id
from shared.domain.knowledge.graph import Entity, name_key
from shared.language import MAX_TERMS, terms
from shared.stores.firestore import (
    MAX_SAME_ID,
    Database,
    Write,
    collection,
    collection_group,
    put,
    server_time,
)
from shared.stores.groups import group_path
from shared.stores.records import Codec

ENTITIES = Codec(Entity)
MAX_TERMS_ASKED = 30
"""Firestore takes no more values in one `array_contains_any`."""


def entity_path(group_id: str, entity_id: str) -> str:
    return f"{group_path(group_id)}/entities/{safe_id(entity_id)}"


def put_entity(entity: Entity) -> Write:
    """With the words of its names, to be found by."""
    fields = {
        **ENTITIES.fields(entity),
        "terms": terms(" ".join(entity.names))[:MAX_TERMS],
        "name_keys": sorted({name_key(name) for name in entity.names}),
        "stored_at": server_time(),
    }
    return put(entity_path(entity.group_id, entity.entity_id), fields)


class Entities:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_many(self, group_id: str, entity_ids: Iterable[str]) -> dict[str, Entity]:
        """Those that exist, in one round trip."""
        paths = [entity_path(group_id, entity_id) for entity_id in entity_ids]
        found = await self._database.get_all(paths)
        entities = [ENTITIES.read(snapshot) for snapshot in found if snapshot]
        return {entity.entity_id: entity for entity in entities}

    async def with_any_term(self, group_id: str, asked: Sequence[str], limit: int) -> list[Entity]:
        """Those with one of the words in a name of theirs, the most spoken of first."""
        if not asked:
            return []
        query = (
            collection(f"{group_path(group_id)}/entities")
            .where("terms", "array_contains_any", list(asked[:MAX_TERMS_ASKED]))
            .largest_first("mentions")
            .limit(limit)
        )
        return [ENTITIES.read(found) for found in await self._database.find(query)]

    async def named(self, group_id: str, keys: Sequence[str]) -> list[Entity]:
        """Those with one of these names, as `name_key` writes them."""
        parts = [
            list(keys[at : at + MAX_TERMS_ASKED]) for at in range(0, len(keys), MAX_TERMS_ASKED)
        ]
        entities = collection(f"{group_path(group_id)}/entities")
        found = await asyncio.gather(
            *(
                self._database.find(entities.where("name_keys", "array_contains_any", part))
                for part in parts
            )
        )
        read = [ENTITIES.read(snapshot) for some in found for snapshot in some]
        return list({entity.entity_id: entity for entity in read}.values())

    async def by_id(self, entity_id: str) -> list[Entity]:
        """In whatever groups it is: in several if one was imported into another."""
        query = collection_group("entities").where("entity_id", "==", entity_id).limit(MAX_SAME_ID)
        return [ENTITIES.read(snapshot) for snapshot in await self._database.find(query)]

    async def apply(self, writes: Sequence[Write]) -> None:
        """One commit by hand."""
        await self._database.commit(writes)

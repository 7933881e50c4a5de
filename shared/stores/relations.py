"""Relations of a group: the edges of its knowledge graph."""

import asyncio
from collections.abc import Iterable, Sequence

from shared.domain.ids import safe_id
from shared.domain.knowledge.graph import MAX_EDGES, Relation
from shared.stores.firestore import Database, Write, collection, put, server_time
from shared.stores.groups import group_path
from shared.stores.records import Codec

RELATIONS = Codec(Relation)
ENDS_A_QUERY = 30
"""Firestore takes no more values in one `array_contains_any`."""


def relation_path(group_id: str, relation_id: str) -> str:
    return f"{group_path(group_id)}/relations/{safe_id(relation_id)}"


def typed_end(relation_type: str, entity_id: str) -> str:
    """An end with the kind of its edge: so one query asks for both."""
    return f"{relation_type}:{entity_id}"


def put_relation(relation: Relation) -> Write:
    fields = {
        **RELATIONS.fields(relation),
        "ends": list(relation.ends),
        "typed_ends": [typed_end(relation.relation_type, end) for end in relation.ends],
        "stored_at": server_time(),
    }
    return put(relation_path(relation.group_id, relation.relation_id), fields)


class Relations:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def touching(
        self, group_id: str, entity_id: str, limit: int = MAX_EDGES
    ) -> list[Relation]:
        """From or to the entity, the surest first."""
        query = (
            collection(f"{group_path(group_id)}/relations")
            .where("ends", "array_contains", entity_id)
            .largest_first("confidence")
            .limit(min(limit, MAX_EDGES))
        )
        return [RELATIONS.read(found) for found in await self._database.find(query)]

    async def get_many(self, group_id: str, relation_ids: Iterable[str]) -> dict[str, Relation]:
        """Those that exist, in one round trip."""
        paths = [relation_path(group_id, relation_id) for relation_id in relation_ids]
        found = await self._database.get_all(paths)
        relations = [RELATIONS.read(snapshot) for snapshot in found if snapshot]
        return {relation.relation_id: relation for relation in relations}

    async def of_all(
        self,
        group_id: str,
        entity_ids: Sequence[str],
        relation_types: Sequence[str] = (),
        limit: int = MAX_EDGES,
    ) -> list[Relation]:
        """From or to any of the entities, of these kinds, the surest `limit` of each.

        Several entities share a query. Where they have more edges together than one may have, it
        cannot be told whose are missing, and they are asked for in halves.
        """
        kinds = sorted(set(relation_types))
        step = max(1, ENDS_A_QUERY // max(1, len(kinds)))
        parts = [entity_ids[at : at + step] for at in range(0, len(entity_ids), step)]
        found = await asyncio.gather(*(self._some(group_id, part, kinds, limit) for part in parts))
        return list(
            {relation.relation_id: relation for some in found for relation in some}.values()
        )

    async def _some(
        self, group_id: str, ends: Sequence[str], kinds: Sequence[str], limit: int
    ) -> list[Relation]:
        asked = [typed_end(kind, end) for kind in kinds for end in ends] if kinds else list(ends)
        query = (
            collection(f"{group_path(group_id)}/relations")
            .where("typed_ends" if kinds else "ends", "array_contains_any", asked[:ENDS_A_QUERY])
            .largest_first("confidence")
            .limit(limit + 1 if len(ends) > 1 else limit)
        )
        found = [RELATIONS.read(snapshot) for snapshot in await self._database.find(query)]
        if len(ends) == 1 or len(found) <= limit:
            return found
        half = len(ends) // 2
        parts = await asyncio.gather(
            self._some(group_id, ends[:half], kinds, limit),
            self._some(group_id, ends[half:], kinds, limit),
        )
        return [*parts[0], *parts[1]]

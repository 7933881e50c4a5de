"""Relations of a group: the edges of its knowledge graph."""

from shared.domain.ids import safe_id
from shared.domain.knowledge.graph import MAX_EDGES, Relation
from shared.stores.database import Database, Write, put, server_time
from shared.stores.groups import group_path
from shared.stores.query import collection
from shared.stores.records import Codec

RELATIONS = Codec(Relation)


def relation_path(group_id: str, relation_id: str) -> str:
    return f"{group_path(group_id)}/relations/{safe_id(relation_id)}"


def put_relation(relation: Relation) -> Write:
    fields = {
        **RELATIONS.fields(relation),
        "ends": list(relation.ends),
        "stored_at": server_time(),
    }
    return put(relation_path(relation.group_id, relation.relation_id), fields)


class Relations:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, group_id: str, entity_id: str, limit: int = MAX_EDGES) -> list[Relation]:
        """From or to the entity, the surest first."""
        query = (
            collection(f"{group_path(group_id)}/relations")
            .where("ends", "array_contains", entity_id)
            .largest_first("confidence")
            .limit(min(limit, MAX_EDGES))
        )
        return [RELATIONS.read(found) for found in await self._database.find(query)]

"""Entities by hand: another name, type, description; the index follows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from shared.contracts.graph import EntityChanges
from shared.domain.knowledge.graph import Entity
from shared.search.entity_index import EntityIndex
from shared.stores.entities import Entities, put_entity


@dataclass(frozen=True)
class Deps:
    entities: Entities
    entity_index: EntityIndex
    now: Callable[[], datetime]


async def change(entity: Entity, asked: EntityChanges, deps: Deps) -> Entity:
    """Its id stays, so its relations do. A former name goes on finding it, as an alias."""
    given = asked.model_dump(exclude_none=True)
    aliases = tuple(given.pop("aliases", entity.aliases))
    name = given.get("name", entity.name)
    if name != entity.name:
        aliases = tuple(dict.fromkeys(one for one in (*aliases, entity.name) if one != name))
    changed = replace(entity, **given, aliases=aliases, updated_at=deps.now())
    await deps.entities.apply([put_entity(changed)])
    await deps.entity_index.put(entity.group_id, [entity.entity_id])
    return changed

"""What the historian made: events, and the group's graph to walk, search and correct."""

import functools
from dataclasses import replace

from fastapi import APIRouter

from shared.contracts.api import WhichGroup
from shared.contracts.events import EventList, EventQuestion
from shared.contracts.graph import (
    EntityAnswer,
    EntityChanges,
    EntityList,
    EntityQuestion,
    FoundEntity,
    GraphAnswer,
    GraphQuestion,
    ShownEntity,
)
from shared.domain.knowledge.event import is_about
from shared.runtime.auth import the_one_seen
from shared.runtime.route_access import TheCaller
from shared.runtime.search_routes import search_route
from shared.stores.entities import put_entity
from shared.wiring import services

router = APIRouter()


MOST_LOOKED_AT = 500
"""Events of the range, the newest first, in which words are looked for: two pages of documents, and
more than a bot writes in a month."""


@search_route(router, "/events")
async def list_events(caller: TheCaller, asked: EventQuestion) -> EventList:
    """The newest first; of one member, or with every word of a text, if asked for."""
    caller.require("read", asked.group_id)
    listed = functools.partial(
        services().events.listed,
        asked.group_id,
        time_from=asked.time_from,
        time_to=asked.time_to,
        user_id=asked.user_id,
    )
    if asked.text:
        _, newest = await listed(limit=MOST_LOOKED_AT, offset=0)
        found = [event for event in newest if is_about(event, None, asked.text)]
        total, events = len(found), found[asked.offset : asked.offset + asked.limit]
    else:
        total, events = await listed(limit=asked.limit, offset=asked.offset)
    return EventList(total=total, events=events)


@search_route(router, "/graph")
async def graph(caller: TheCaller, asked: GraphQuestion) -> GraphAnswer:
    """From an entity, by id or name, as many steps as asked for; over relations of some kinds
    only, if they are named. At most 100 edges an entity."""
    caller.require("read", asked.group_id)
    kinds = _listed(asked.relation_types)
    walk = await services().graph_search.walk(
        asked.group_id, asked.entity, depth=asked.depth, relation_types=kinds
    )
    return GraphAnswer(
        group_id=asked.group_id,
        nodes=[ShownEntity.from_record(entity) for entity in walk.entities],
        edges=list(walk.relations),
        is_cut=walk.is_cut,
    )


@search_route(router, "/entities/search")
async def search_entities(caller: TheCaller, asked: EntityQuestion) -> EntityList:
    """By name, words and meaning; the best first."""
    caller.require("read", asked.group_id)
    hits = await services().graph_search.find(
        asked.group_id, asked.q, entity_types=_listed(asked.entity_types), limit=asked.limit
    )
    found = [
        FoundEntity(**ShownEntity.from_record(hit.entity).model_dump(), relevance=hit.score)
        for hit in hits
    ]
    return EntityList(total=len(found), entities=found)


@router.patch("/entities/{entity_id}")
async def change_entity(
    entity_id: str, asked: EntityChanges, caller: TheCaller, group_id: WhichGroup = None
) -> EntityAnswer:
    """Another name, type, description, aliases or metadata; its id stays, so its relations do. A
    former name goes on finding it, as an alias."""
    caller.require("manage", group_id)
    found = await services().entities.by_id(entity_id)
    entity = the_one_seen(found, group_id, caller, f"entity {entity_id}")
    caller.require("read", entity.group_id)
    made, given = services(), asked.model_dump(exclude_none=True)
    aliases = tuple(given.pop("aliases", entity.aliases))
    name = given.get("name", entity.name)
    if name != entity.name:
        names = dict.fromkeys((*aliases, entity.name))
        aliases = tuple(alias for alias in names if alias != name)
    changed = replace(entity, **given, aliases=aliases, updated_at=made.now())
    await made.entities.apply([put_entity(changed)])
    await made.entity_index.put(entity.group_id, [entity.entity_id])
    return EntityAnswer(entity=ShownEntity.from_record(changed))


def _listed(given: list[str] | None) -> list[str]:
    """Named one by one, or in one with commas."""
    words = [word.strip().lower() for text in given or () for word in text.split(",")]
    return [word for word in dict.fromkeys(words) if word][:30]

"""The group's graph: walk it, search it, correct an entity."""

from typing import Annotated

from fastapi import APIRouter, Query

from shared.contracts.api import WhichGroup
from shared.contracts.graph import (
    EntityAnswer,
    EntityChanges,
    EntityList,
    EntityQuestion,
    EntityQuestionBody,
    FoundEntity,
    GraphAnswer,
    GraphQuestion,
    GraphQuestionBody,
    ShownEntity,
    ShownRelation,
)
from shared.runtime.auth import the_one_seen
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.get("/graph")
async def graph(caller: TheCaller, asked: Annotated[GraphQuestion, Query()]) -> GraphAnswer:
    """From an entity, by id or name, as many steps as asked for; over relations of some kinds
    only, if they are named. At most 100 edges an entity."""
    caller.require("read", asked.group_id)
    kinds = _listed(asked.relation_types)
    walk = await services().graph_search.walk(
        asked.group_id, asked.entity, depth=asked.depth, relation_types=kinds
    )
    return GraphAnswer(
        group_id=asked.group_id,
        nodes=[ShownEntity.of(one) for one in walk.entities],
        edges=[ShownRelation.of(one) for one in walk.relations],
        is_cut=walk.is_cut,
    )


@router.post("/graph")
async def graph_by_body(caller: TheCaller, asked: GraphQuestionBody) -> GraphAnswer:
    """The same; the name stands in no access log."""
    return await graph(caller, asked)


@router.get("/entities/search")
async def search_entities(
    caller: TheCaller, asked: Annotated[EntityQuestion, Query()]
) -> EntityList:
    """By name, words and meaning; the best first."""
    caller.require("read", asked.group_id)
    hits = await services().graph_search.find(
        asked.group_id, asked.q, entity_types=_listed(asked.entity_types), limit=asked.limit
    )
    found = [
        FoundEntity(**ShownEntity.of(hit.entity).model_dump(), relevance=hit.score) for hit in hits
    ]
    return EntityList(total=len(found), entities=found)


@router.post("/entities/search")
async def search_entities_by_body(caller: TheCaller, asked: EntityQuestionBody) -> EntityList:
    """The same; the question stands in no access log."""
    return await search_entities(caller, asked)


@router.patch("/entities/{entity_id}")
async def change_entity(
    entity_id: str, asked: EntityChanges, caller: TheCaller, group_id: WhichGroup = None
) -> EntityAnswer:
    """Another name, type, description, aliases or metadata; its relations stay."""
    from functions.historian_job import handle_entities

    caller.require("manage", group_id)
    found = await services().entities.by_id(entity_id)
    entity = the_one_seen(found, group_id, caller, f"entity {entity_id}")
    caller.require("read", entity.group_id)
    deps = services().deps(handle_entities.Deps)
    return EntityAnswer(entity=ShownEntity.of(await handle_entities.change(entity, asked, deps)))


def _listed(given: list[str] | None) -> list[str]:
    """Named one by one, or in one with commas."""
    words = [word.strip().lower() for one in given or () for word in one.split(",")]
    return [word for word in dict.fromkeys(words) if word][:30]

"""Tools over profiles and the knowledge graph, and the context itself as a tool."""

import asyncio

from functions.build_context.deps import Deps
from functions.build_context.handle_context import build_context
from functions.build_context.tool_room import Bound, fitted, line
from shared.contracts.context import ContextRequest
from shared.contracts.tools import (
    GetContext,
    GetProfile,
    OneProfile,
    QueryGraph,
    SearchEntities,
    SearchProfiles,
    ToolContext,
    ToolEntities,
    ToolEntity,
    ToolGraph,
    ToolProfile,
    ToolProfiles,
    ToolRelation,
)
from shared.domain.knowledge.graph import Entity, Neighbourhood
from shared.domain.knowledge.profile import Profile
from shared.domain.text.shortening import shortened
from shared.domain.text.words import terms
from shared.errors import Forbidden, InvalidInput
from shared.search.graph import GraphSearch
from shared.search.known_profiles import KnownProfiles
from shared.search.profiles import ProfileSearch
from shared.stores.groups import Groups

CANDIDATES = 60
"""Entities that share a word with the question, before their types are looked at."""
NODES_A_STEP = 20
EDGES = 20
"""Of each step of a walk: each node costs a query, and an answer shows far fewer relations."""


async def search_profiles(
    asked: SearchProfiles, bound: Bound, search: ProfileSearch
) -> ToolProfiles:
    found = await search.find(
        bound.group_id,
        asked.query,
        limit=asked.limit,
        entity_type=asked.entity_type,
        entity_id=asked.entity_id,
    )
    profiles = [_profile(one.profile, line(one.profile.body, bound), one.score) for one in found]
    kept = fitted(profiles, bound)
    return ToolProfiles(profiles=kept, left_out=len(profiles) - len(kept))


async def get_profile(
    asked: GetProfile, bound: Bound, profiles: KnownProfiles, groups: Groups
) -> OneProfile:
    """Of a member as this group knows them, with what other groups may tell of them where profiles
    are shared; or of the group."""
    own = bound.group_id if asked.entity_type == "group" else bound.user_id
    entity_id = asked.entity_id or own
    if entity_id is None:
        raise InvalidInput("entity_id is missing: the host did not say who speaks")
    if asked.entity_type == "group" and entity_id != bound.group_id:
        raise Forbidden("a tool reads only the group that its host bound it to")
    group = await groups.find(bound.group_id)
    if group is None or group.is_deleted:
        return OneProfile(profile=None)
    known = await profiles.shown(group, asked.entity_type, entity_id)
    if known is None:
        return OneProfile(profile=None)
    return OneProfile(profile=_profile(known, shortened(known.body, bound.max_tokens)))


async def search_entities(asked: SearchEntities, bound: Bound, search: GraphSearch) -> ToolEntities:
    """Those with one of the words in their names, the most spoken of first."""
    found = await search.entities.with_any_term(bound.group_id, terms(asked.query), CANDIDATES)
    wanted = set(asked.entity_types or ())
    chosen = [one for one in found if not wanted or one.entity_type in wanted][: asked.limit]
    entities = [_entity(one, bound) for one in chosen]
    kept = fitted(entities, bound)
    return ToolEntities(entities=kept, left_out=len(entities) - len(kept))


async def query_graph(asked: QueryGraph, bound: Bound, search: GraphSearch) -> ToolGraph:
    """What the entity is related to, the surest first, as far away as asked for."""
    found = await _walked(asked, bound.group_id, search)
    names = {key: one.name for key, one in found.entities.items()}
    relations = [
        ToolRelation(
            source=names.get(one.source_id, one.source_id),
            relation_type=one.relation_type,
            target=names.get(one.target_id, one.target_id),
            evidence=line(one.evidence, bound),
            confidence=one.confidence,
        )
        for one in found.relations
    ]
    kept = fitted(relations, bound)
    shown = {name for one in kept for name in (one.source, one.target)}
    shown |= {one.name for one in found.named}
    entities = [_entity(one, bound) for one in found.entities.values() if one.name in shown]
    return ToolGraph(entities=entities, relations=kept, left_out=len(relations) - len(kept))


async def _walked(asked: QueryGraph, group_id: str, search: GraphSearch) -> Neighbourhood:
    """From the entity that the name means, step by step; bounded, whatever hubs it meets."""
    found = await search.around(group_id, asked.entity)
    wanted = set(asked.relation_types or ())
    entities = dict(found.entities)
    relations = {one.relation_id: one for one in found.relations}
    edge = [one for one in entities if one not in {own.entity_id for own in found.named}]
    for _ in range(asked.depth - 1):
        steps = await asyncio.gather(
            *(search.relations.of(group_id, one, EDGES) for one in edge[:NODES_A_STEP])
        )
        new = {one.relation_id: one for some in steps for one in some} | relations
        ends = {end for one in new.values() for end in one.ends} - set(entities)
        edge = sorted(ends)
        relations = new
        entities |= await search.entities.get_many(group_id, edge)
    kept = [one for one in relations.values() if not wanted or one.relation_type in wanted]
    kept.sort(key=lambda one: (-one.confidence, one.relation_id))
    return Neighbourhood(found.named, kept, entities)


async def get_context(asked: GetContext, bound: Bound, deps: Deps) -> ToolContext:
    """The same as `POST /context`, in no more tokens than a tool's answer may have."""
    request = ContextRequest(
        group_id=bound.group_id,
        message=asked.message,
        user_id=bound.user_id,
        max_tokens=min(asked.max_tokens or bound.max_tokens, bound.max_tokens),
    )
    answer = await build_context(request, deps)
    return ToolContext(
        context_id=answer.context_id,
        mode=answer.mode,
        text=answer.text,
        tokens=answer.tokens["total"],
    )


def _profile(profile: Profile, body: str, score: float | None = None) -> ToolProfile:
    return ToolProfile(
        entity_type=profile.entity_type,
        entity_id=profile.entity_id,
        name=profile.name,
        body=body,
        tags=list(profile.tags),
        updated_at=profile.updated_at,
        score=score,
    )


def _entity(entity: Entity, bound: Bound) -> ToolEntity:
    return ToolEntity(
        entity_id=entity.entity_id,
        name=entity.name,
        entity_type=entity.entity_type,
        aliases=list(entity.aliases),
        description=line(entity.description, bound),
        mentions=entity.mentions,
    )

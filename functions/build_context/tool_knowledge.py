"""Tools over profiles and the knowledge graph, and the context itself as a tool."""

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
from shared.domain.knowledge.graph import Entity
from shared.domain.knowledge.profile import Profile
from shared.errors import Forbidden, InvalidInput
from shared.language import shortened, terms
from shared.search.graph import GraphSearch
from shared.search.known_profiles import KnownProfiles
from shared.search.profiles import ProfileSearch
from shared.stores.groups import Groups

CANDIDATES = 60
"""Entities that share a word with the question, before their types are looked at."""
MOST_WALKED = 100
"""Entities of a walk: an answer shows far fewer."""


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
    walk = await search.walk(
        bound.group_id,
        asked.entity,
        depth=asked.depth,
        relation_types=asked.relation_types or (),
        most=MOST_WALKED,
    )
    names = {one.entity_id: one.name for one in walk.entities}
    relations = [
        ToolRelation(
            source=names.get(one.source_id, one.source_id),
            relation_type=one.relation_type,
            target=names.get(one.target_id, one.target_id),
            evidence=line(one.evidence, bound),
            confidence=one.confidence,
        )
        for one in sorted(walk.relations, key=lambda one: (-one.confidence, one.relation_id))
    ]
    kept = fitted(relations, bound)
    shown = {name for one in kept for name in (one.source, one.target)}
    start = {one.entity_id for one in walk.entities[:1]}
    entities = [
        _entity(one, bound) for one in walk.entities if one.name in shown or one.entity_id in start
    ]
    return ToolGraph(entities=entities, relations=kept, left_out=len(relations) - len(kept))


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

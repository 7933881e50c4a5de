"""The sections of long-term memory in a context: what is offered of it, in which part. Pure."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from shared.domain.context.fitting import Offer
from shared.domain.context.rendering import (
    IN_UTC,
    NOBODY,
    Names,
    entity_line,
    event_line,
    memory_line,
    profile_line,
    relation_line,
    summary_line,
)
from shared.domain.context.shown_times import ShownTimes
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.graph import Neighbourhood
from shared.domain.knowledge.profile import Profile
from shared.domain.knowledge.profile_sharing import may_be_shown, read_as_one
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.ranking import RankedMemory
from shared.domain.topics.topic import Summary

NAMED = 0.6
LINKED = 0.5
"""A relation of something named, before its confidence; between two that are named, NAMED."""
MAX_LINKS = 12
"""A thing that has many relations must not fill the context alone."""


def stable_offers(
    group_id: str,
    profiles: Sequence[Profile],
    memories: Sequence[Memory],
    *,
    speaker_id: str | None,
    shares_profiles: bool,
    names: Names = NOBODY,
) -> list[Offer]:
    """The group first, the speaker after. No strength, date or score is shown, and the order is
    that of ids: the bytes change only with a version, or when what is core is decided anew."""
    shown = [one for one in profiles if may_be_shown(one, group_id, shares=shares_profiles)]
    own = [
        one
        for one in shown
        if one.group_id == group_id and one.entity_type == "group" and one.body.strip()
    ]
    speaker = [one for one in shown if one.profile_id == f"user:{speaker_id}" and one.body.strip()]
    core = core_memories(group_id, memories)
    offers = [_profile(one, "group", "profile of the group") for one in own]
    offers += [_memory(one, "group", 1.0, "core memory", names) for one in core]
    if speaker:
        offers.append(_profile(read_as_one(speaker, group_id), "speaker", "profile of the speaker"))
    return offers


def core_memories(group_id: str, memories: Sequence[Memory]) -> list[Memory]:
    core = [one for one in _held(group_id, memories) if one.core]
    return sorted(core, key=lambda one: one.root_id or one.memory_id)


def relevant_memories(
    group_id: str,
    ranked: Sequence[RankedMemory],
    *,
    least: float,
    limit: int,
    names: Names = NOBODY,
) -> list[Offer]:
    """The best `limit` of those the question is about, none of less than this confidence, that are
    not offered as core anyway."""
    return [
        _memory(one.memory, "memory", round(one.score, 4), one.reason, names)
        for one in ranked
        if _is_held(group_id, one.memory) and not one.memory.core and one.score >= least
    ][:limit]


def event_offers(
    group_id: str, scored: Iterable[tuple[Event, float]], times: ShownTimes = IN_UTC
) -> list[Offer]:
    return [
        Offer(
            kind="event",
            id=event.event_id,
            section="event",
            line=event_line(event, times),
            score=score,
            reasons=("near in meaning",),
            at=event.timestamp_utc,
        )
        for event, score in scored
        if event.group_id == group_id
    ]


def summary_offers(group_id: str, scored: Iterable[tuple[Summary, float, str]]) -> list[Offer]:
    """With why; of a topic that is there twice, what came first."""
    offers: dict[str, Offer] = {}
    for summary, score, reason in scored:
        if summary.group_id == group_id:
            offer = Offer(
                kind="summary",
                id=f"{summary.topic_id}:{summary.version}",
                section="summary",
                line=summary_line(summary),
                score=score,
                reasons=(reason,),
                at=summary.created_at,
            )
            offers.setdefault(summary.topic_id, offer)
    return list(offers.values())


def graph_offers(group_id: str, found: Neighbourhood) -> list[Offer]:
    """What is named, and its surest relations to what is known by name."""
    known = {one.entity_id: one for one in found.entities.values() if one.group_id == group_id}
    named = {one.entity_id: one for one in found.named if one.group_id == group_id}
    links: list[Offer] = []
    for one in found.relations:
        ends = [known[end] for end in one.ends if end in known]
        if one.group_id == group_id and len(ends) == len(one.ends):
            worth = NAMED if set(one.ends) <= set(named) else LINKED
            line, score = relation_line(one, *ends), round(worth * one.confidence, 4)
            links.append(_node("relation", one.relation_id, line, score, "linked", one.created_at))
    links.sort(key=lambda one: (-one.score, one.id))
    nodes = [
        _node("entity", one.entity_id, entity_line(one), NAMED, "named in it", one.created_at)
        for one in named.values()
    ]
    return [*nodes, *links[:MAX_LINKS]]


def _node(kind: str, node_id: str, line: str, score: float, reason: str, at: datetime) -> Offer:
    return Offer(kind, node_id, "graph", line, score, (reason,), at)


def _held(group_id: str, memories: Sequence[Memory]) -> list[Memory]:
    return [one for one in memories if _is_held(group_id, one)]


def _is_held(group_id: str, memory: Memory) -> bool:
    is_active = memory.status is MemoryStatus.ACTIVE and bool(memory.statement.strip())
    return memory.group_id == group_id and is_active


def _profile(profile: Profile, section: str, reason: str) -> Offer:
    return Offer(
        kind="profile",
        id=profile.profile_id,
        section=section,
        line=profile_line(profile),
        score=1.0,
        reasons=(reason,),
        at=profile.updated_at,
    )


def _memory(memory: Memory, section: str, score: float, reason: str, names: Names) -> Offer:
    return Offer(
        kind="memory",
        id=memory.memory_id,
        section=section,
        line=memory_line(memory, names),
        score=score,
        reasons=(reason,),
        at=memory.created_at,
    )

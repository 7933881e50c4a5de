"""The sections of long-term memory in a context: what is offered of it, in which part. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from shared.domain.context.fitting import Offer
from shared.domain.context.rendering import (
    entity_line,
    event_line,
    memory_line,
    profile_line,
    relation_line,
    summary_line,
)
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.graph import Neighbourhood
from shared.domain.knowledge.profile import Profile, may_be_shown
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.text.words import terms
from shared.domain.topics.topic import Summary

BY_WORDS_ONLY = 0.6
"""Where there is no vector to compare, shared words count for at most this."""

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
    offers += [_memory(one, "group", 1.0, "core memory") for one in core]
    if speaker:
        offers.append(_profile(_merged(speaker, group_id), "speaker", "profile of the speaker"))
    return offers


def core_memories(group_id: str, memories: Sequence[Memory]) -> list[Memory]:
    core = [one for one in _held(group_id, memories) if one.core]
    return sorted(core, key=lambda one: one.root_id or one.memory_id)


def relevant_memories(
    group_id: str,
    memories: Sequence[Memory],
    similarities: Mapping[str, float],
    text: str,
    *,
    threshold: float,
    limit: int,
) -> list[Offer]:
    """Those the question is about, best first, that are not offered as core anyway."""
    asked = set(terms(text))
    scored: list[tuple[float, Memory, str]] = []
    for one in _held(group_id, memories):
        if one.core:
            continue
        shared = asked & set(terms(f"{one.subject} {one.statement}"))
        by_words = BY_WORDS_ONLY * len(shared) / max(1, min(len(asked), 6))
        near = similarities.get(one.memory_id, 0.0)
        reason = "near in meaning" if near >= by_words else "same words"
        scored.append((round(max(near, by_words), 4), one, reason))
    scored.sort(key=lambda one: (-one[0], one[1].memory_id))
    return [
        _memory(one, "memory", score, reason)
        for score, one, reason in scored[:limit]
        if score >= threshold
    ]


def event_offers(group_id: str, scored: Iterable[tuple[Event, float]]) -> list[Offer]:
    return [
        Offer(
            kind="event",
            id=event.event_id,
            section="event",
            line=event_line(event),
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
    return [
        one
        for one in memories
        if one.group_id == group_id and one.status is MemoryStatus.ACTIVE and one.statement.strip()
    ]


def _merged(profiles: Sequence[Profile], group_id: str) -> Profile:
    """One profile of what several groups know of a user, this group's first."""
    ordered = sorted(profiles, key=lambda one: (one.group_id != group_id, one.group_id))
    bodies = dict.fromkeys(one.body.strip() for one in ordered)
    return replace(ordered[0], body="\n".join(bodies), group_id=group_id)


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


def _memory(memory: Memory, section: str, score: float, reason: str) -> Offer:
    return Offer(
        kind="memory",
        id=memory.memory_id,
        section=section,
        line=memory_line(memory),
        score=score,
        reasons=(reason,),
        at=memory.created_at,
    )

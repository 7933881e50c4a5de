"""The sections of long-term memory in a context: what is offered of it, in which part. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.domain.context import Offer
from shared.domain.event import Event
from shared.domain.memory import Memory, MemoryStatus
from shared.domain.profile import Profile, may_be_shown
from shared.domain.rendering import event_line, memory_line, profile_line, summary_line
from shared.domain.topic import Summary
from shared.domain.vectors import cosines, unpack
from shared.domain.words import terms

BY_WORDS_ONLY = 0.6
"""Where there is no vector to compare, shared words count for at most this."""


def stable_offers(
    group_id: str,
    profiles: Sequence[Profile],
    memories: Sequence[Memory],
    *,
    speaker_id: str | None,
    shares_profiles: bool,
    core_threshold: float,
) -> list[Offer]:
    """The group first, the speaker after. No strength, date or score is shown, and the order is
    that of ids: the bytes change only with a version."""
    shown = [one for one in profiles if may_be_shown(one, group_id, shares=shares_profiles)]
    own = [
        one
        for one in shown
        if one.group_id == group_id and one.entity_type == "group" and one.body.strip()
    ]
    speaker = [one for one in shown if one.profile_id == f"user:{speaker_id}" and one.body.strip()]
    core = core_memories(group_id, memories, core_threshold)
    offers = [_profile(one, "group", "profile of the group") for one in own]
    offers += [_memory(one, "group", 1.0, "core memory") for one in core]
    if speaker:
        offers.append(_profile(_merged(speaker, group_id), "speaker", "profile of the speaker"))
    return offers


def core_memories(group_id: str, memories: Sequence[Memory], threshold: float) -> list[Memory]:
    core = [one for one in _held(group_id, memories) if one.strength >= threshold]
    return sorted(core, key=lambda one: one.root_id or one.memory_id)


def relevant_memories(
    group_id: str,
    memories: Sequence[Memory],
    similarities: Mapping[str, float],
    text: str,
    *,
    core_threshold: float,
    threshold: float,
    limit: int,
) -> list[Offer]:
    """Those the question is about, best first, that are not offered as core anyway."""
    asked = set(terms(text))
    scored: list[tuple[float, Memory, str]] = []
    for one in _held(group_id, memories):
        if one.strength >= core_threshold:
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


def similarities_of(memories: Sequence[Memory], vector: Sequence[float]) -> dict[str, float]:
    """Cosines by memory, of those whose vector compares."""
    with_vector = [one for one in memories if len(one.vector) == 4 * len(vector)]
    found = cosines(vector, [unpack(one.vector) for one in with_vector])
    return {one.memory_id: near for one, near in zip(with_vector, found, strict=True)}


def event_offer(event: Event, score: float) -> Offer:
    return Offer(
        kind="event",
        id=event.event_id,
        section="event",
        line=event_line(event),
        score=score,
        reasons=("near in meaning",),
        at=event.timestamp_utc,
    )


def summary_offer(summary: Summary, score: float, reason: str) -> Offer:
    return Offer(
        kind="summary",
        id=f"{summary.topic_id}:{summary.version}",
        section="summary",
        line=summary_line(summary),
        score=score,
        reasons=(reason,),
        at=summary.created_at,
    )


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

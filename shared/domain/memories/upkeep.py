"""Upkeep: which memories have become too weak, too many, or waited in vain. Pure."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from shared.domain.memories.memory import Memory
from shared.domain.memories.versions import Step, archived

TOO_WEAK = "weaker than the threshold"
TOO_MANY = "the weakest beyond the most a group may have"
IN_VAIN = "no second person or day bore it out"


def to_archive(
    active: Sequence[Memory], *, threshold: float, max_active: int, run_id: str, now: datetime
) -> list[Step]:
    """The ones weaker than the threshold, and the weakest beyond the cap."""
    weak = [one for one in active if one.strength < threshold]
    rest = [one for one in active if one.strength >= threshold]
    return [
        *(archived(one, TOO_WEAK, run_id=run_id, now=now) for one in weak),
        *(
            archived(one, TOO_MANY, run_id=run_id, now=now)
            for one in weakest_beyond(max_active, rest)
        ),
    ]


def weakest_beyond(max_active: int, active: Collection[Memory]) -> list[Memory]:
    """What must go for the cap to hold: the weakest, of those the longest unchanged."""
    by_weakness = sorted(active, key=lambda one: (one.strength, one.updated_at, one.memory_id))
    return by_weakness[: max(0, len(active) - max_active)]


def waited_in_vain(
    candidates: Sequence[Memory], *, days: int, run_id: str, now: datetime
) -> list[Step]:
    """Candidates that nobody else bore out for so long: they make room for others."""
    since = now - timedelta(days=days)
    return [
        archived(one, IN_VAIN, run_id=run_id, now=now)
        for one in candidates
        if (one.last_supported_at or one.created_at) <= since
    ]

"""Upkeep: which memories have become too weak, too many, or waited in vain. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime, timedelta

from shared.domain.memories.expiry import EXPIRED, is_expired
from shared.domain.memories.memory import Memory
from shared.domain.memories.versions import Step, archived

TOO_WEAK = "weaker than the threshold"
TOO_MANY = "the weakest beyond the most a group may have"
IN_VAIN = "no second person or day bore it out"


@dataclass(frozen=True)
class UpkeepReport:
    """What upkeep did, of one group or of many; `is_more` if some group had to wait."""

    archived: int = 0
    purged: int = 0
    core_moved: int = 0
    embedded: int = 0
    indexed: int = 0
    words: int = 0
    expired: int = 0
    failed: int = 0
    groups: int = 0
    is_more: bool = False

    def plus(self, other: "UpkeepReport") -> "UpkeepReport":
        sums = [a + b for a, b in zip(astuple(self), astuple(other), strict=True)]
        return replace(UpkeepReport(*sums), is_more=self.is_more or other.is_more)


def to_archive(
    active: Sequence[Memory], *, threshold: float, max_active: int, run_id: str, now: datetime
) -> list[Step]:
    """Those whose time is over, the ones weaker than the threshold, and the weakest beyond the
    cap."""
    over = [one for one in active if is_expired(one, now)]
    active = [one for one in active if not is_expired(one, now)]
    weak = [one for one in active if one.strength < threshold]
    rest = [one for one in active if one.strength >= threshold]
    return [
        *(archived(one, EXPIRED, run_id=run_id, now=now) for one in over),
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

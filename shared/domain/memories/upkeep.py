"""Upkeep: memories that are too weak, too many, silent for long, or waited in vain. Pure."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime, timedelta

from shared.domain.group import Group
from shared.domain.memories.door import archived_first
from shared.domain.memories.memory import Memory, MemoryStatus, is_expired
from shared.domain.memories.versions import Step, archived

EXPIRED = "its time is over"

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
            for one in archived_first(max_active, rest)
        ),
    ]


def waited_in_vain(
    candidates: Sequence[Memory], *, days: int, run_id: str, now: datetime
) -> list[Step]:
    """Candidates that nobody else bore out for so long: they make room for others."""
    since = now - timedelta(days=days)
    return [
        archived(one, IN_VAIN, run_id=run_id, now=now)
        for one in candidates
        if one.supported_last <= since
    ]


def is_review_due(group: Group, memories: Sequence[Memory], now: datetime, days: int) -> bool:
    """Silence is looked at once in so many days, not at every run of a silent group."""
    is_due = group.review_at is None or group.review_at <= now
    return is_due and bool(unsupported(memories, now, days))


def unsupported(memories: Sequence[Memory], now: datetime, days: int) -> list[Memory]:
    """Active memories that nobody has spoken for since `days`."""
    since = now - timedelta(days=days)
    return [
        memory
        for memory in memories
        if memory.status is MemoryStatus.ACTIVE and memory.supported_last <= since
    ]


def next_review(memories: Sequence[Memory], now: datetime, days: int) -> datetime | None:
    """When silence must be looked at again: what was looked at now has its `days` once more."""
    silent = timedelta(days=days)
    ends = [
        memory.supported_last + silent
        for memory in memories
        if memory.status is MemoryStatus.ACTIVE
    ]
    return min((end if end > now else now + silent for end in ends), default=None)

"""When memories were last spoken for, and when their silence must be looked at. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from shared.domain.group import Group
from shared.domain.memories.memory import Memory, MemoryStatus


def supported_last(memory: Memory) -> datetime:
    return memory.last_supported_at or memory.created_at


def with_support(memories: Sequence[Memory], heard: Mapping[str, datetime]) -> list[Memory]:
    """Each with its last support, of before or of `heard`, whichever is later."""
    return [
        replace(one, last_supported_at=max(known, heard.get(one.memory_id, known)))
        for one in memories
        for known in [supported_last(one)]
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
        if memory.status is MemoryStatus.ACTIVE and supported_last(memory) <= since
    ]


def next_review(memories: Sequence[Memory], now: datetime, days: int) -> datetime | None:
    """When silence must be looked at again: what was looked at now has its `days` once more."""
    silent = timedelta(days=days)
    ends = [
        supported_last(memory) + silent
        for memory in memories
        if memory.status is MemoryStatus.ACTIVE
    ]
    return min((end if end > now else now + silent for end in ends), default=None)

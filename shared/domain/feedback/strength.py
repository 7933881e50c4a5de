"""How memories grow by being used and fade by being passed over. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.domain.memories.memory import Memory, MemoryStatus

ONE_FADE = timedelta(days=1)
"""A memory that is offered with every reply must not be gone by the evening."""


@dataclass(frozen=True)
class StrengthRules:
    up: float
    down: float


def weighed(
    memories: Sequence[Memory], used: Collection[str], rules: StrengthRules, now: datetime
) -> list[Memory]:
    """Those whose strength moves: used ones up to 1, others down to 0, at most once a day; core
    ones never fade. Which are core or archived follows in upkeep."""
    moved = []
    for memory in memories:
        if memory.status is not MemoryStatus.ACTIVE:
            continue
        if memory.memory_id in used:
            moved.append(replace(memory, strength=_between(memory.strength + rules.up)))
        elif not memory.core and (memory.faded_at is None or now - memory.faded_at >= ONE_FADE):
            moved.append(
                replace(memory, strength=_between(memory.strength - rules.down), faded_at=now)
            )
    return [new for new in moved if new not in memories]


def _between(strength: float) -> float:
    return round(min(1.0, max(0.0, strength)), 6)

"""Upkeep: which memories have become too weak, or too many. Pure."""

from collections.abc import Sequence
from datetime import datetime

from shared.domain.memory import Memory
from shared.domain.versions import archived


def to_archive(
    active: Sequence[Memory], *, threshold: float, max_active: int, now: datetime
) -> list[Memory]:
    """The ones weaker than the threshold, and the weakest beyond the cap; archived."""
    by_weakness = sorted(active, key=lambda one: (one.strength, one.updated_at, one.memory_id))
    beyond = max(0, len(by_weakness) - max_active)
    return [
        archived(memory, now)
        for place, memory in enumerate(by_weakness)
        if memory.strength < threshold or place < beyond
    ]

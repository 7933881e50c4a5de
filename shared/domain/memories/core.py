"""Which memories are core: always offered, in the part of a context that seldom changes. Pure.

Strength moves with every feedback; what is core is decided from it only by evolution, by upkeep and
by a change by hand, and is kept on the record between.
"""

from collections.abc import Sequence
from dataclasses import replace

from shared.domain.memories.memory import Memory, MemoryStatus


def with_core(memory: Memory, threshold: float) -> Memory:
    is_core = memory.status is MemoryStatus.ACTIVE and memory.strength >= threshold
    return replace(memory, core=is_core)


def moved_core(memories: Sequence[Memory], threshold: float) -> list[Memory]:
    """Those that become core or cease to be, as they are then."""
    decided = [with_core(one, threshold) for one in memories]
    return [new for new, old in zip(decided, memories, strict=True) if new.core is not old.core]

"""Which memories are core: always offered, in the part of a context that seldom changes. Pure.

Strength moves with every feedback; what is core is decided from it only by evolution, by upkeep and
by a change by hand, and is kept on the record between.
"""

from dataclasses import replace

from shared.domain.memories.memory import Memory, MemoryStatus


def with_core(memory: Memory, threshold: float) -> Memory:
    is_core = memory.status is MemoryStatus.ACTIVE and memory.strength >= threshold
    return replace(memory, core=is_core)

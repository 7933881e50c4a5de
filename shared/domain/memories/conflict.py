"""A conflict: something was said against a memory, too uncertainly to replace it. Pure.

It stays open until somebody settles it by hand, or until a surer word replaces the memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from shared.domain.ids import digest
from shared.domain.memories.memory import Memory

MAX_CLAIMS = 20
"""The newest: after so many somebody should have looked."""
STRENGTH_LOST = 0.1
"""What a second contradiction, and each after it, takes from a memory: as much as a support
gives."""


class ConflictStatus(StrEnum):
    OPEN = "open"
    SETTLED = "settled"


@dataclass(frozen=True)
class Claim:
    """What was said against the memory, how surely, and by whom."""

    statement: str
    confidence: float
    at: datetime
    sources: tuple[str, ...] = ()
    source_users: tuple[str, ...] = ()


@dataclass(frozen=True)
class MemoryConflict:
    """One of a memory, whatever its version: `root_id` is the first one's id, `memory_id` the one
    that was spoken against. `sources` and `source_users` are those of all claims."""

    conflict_id: str
    group_id: str
    root_id: str
    memory_id: str
    statement: str
    subject: str
    created_at: datetime
    updated_at: datetime
    claims: tuple[Claim, ...] = ()
    status: ConflictStatus = ConflictStatus.OPEN
    outcome: str = ""
    sources: tuple[str, ...] = ()
    source_users: tuple[str, ...] = ()


def conflict_id(memory: Memory) -> str:
    return digest("conflict", memory.group_id, memory.root_id or memory.memory_id)


def contradicted(
    known: MemoryConflict | None, memory: Memory, claim: Claim, now: datetime
) -> MemoryConflict:
    """With one more claim. One that was settled is open again: somebody says it anew."""
    before = known.claims if known else ()
    claims: Sequence[Claim] = (*before, claim)[-MAX_CLAIMS:]
    return MemoryConflict(
        conflict_id=conflict_id(memory),
        group_id=memory.group_id,
        root_id=memory.root_id or memory.memory_id,
        memory_id=memory.memory_id,
        statement=memory.statement,
        subject=memory.subject,
        created_at=known.created_at if known else now,
        updated_at=now,
        claims=tuple(claims),
        sources=tuple(dict.fromkeys(one for each in claims for one in each.sources)),
        source_users=tuple(sorted({one for each in claims for one in each.source_users})),
    )


def strength_after(memory: Memory, conflict: MemoryConflict) -> float:
    """Said once it is a doubt; from the second time on the memory weakens."""
    lost = STRENGTH_LOST if len(conflict.claims) > 1 else 0.0
    return round(max(0.0, memory.strength - lost), 4)


def settled(conflict: MemoryConflict, outcome: str, now: datetime) -> MemoryConflict:
    return replace(conflict, status=ConflictStatus.SETTLED, outcome=outcome, updated_at=now)

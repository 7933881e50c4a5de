"""A conflict: somebody else says otherwise than a memory, or too unsurely to replace it. Pure.

It stays open until a second voice or a surer word replaces the memory, or a hand settles it. Until
then a context shows both, and which is the latest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from shared.domain.ids import digest
from shared.domain.memories.memory import Memory
from shared.language import Language, guess_language

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


@dataclass(frozen=True)
class Contradiction:
    """What a run found said against a memory."""

    memory: Memory
    claim: Claim


def conflict_line(memory: Memory, claims: Sequence[Claim], names: Mapping[str, str]) -> str:
    """The memory and what is said against it as one line: 'Ada: "…"; Ben, the latest: "…"'."""
    is_chinese = guess_language(memory.statement) is Language.CHINESE
    latest = max(claims, key=lambda claim: claim.at)

    def told(users: Sequence[str], statement: str, *, is_latest: bool = False) -> str:
        known = [names[user] for user in users if user in names]
        who = ("、" if is_chinese else ", ").join(known) or ("有人" if is_chinese else "somebody")
        newest = ("（最新）" if is_chinese else " (the latest)") if is_latest else ""
        return f"{who}{newest}：「{statement}」" if is_chinese else f"{who}{newest}: “{statement}”"

    by_memory = told(memory.source_users, memory.statement)
    if not memory.source_users or not any(user in names for user in memory.source_users):
        by_memory = memory.statement
    by_claim = told(latest.source_users, latest.statement, is_latest=True)
    return f"{by_memory}；{by_claim}" if is_chinese else f"{by_memory}; {by_claim}"


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
        sources=tuple(dict.fromkeys(source for claim in claims for source in claim.sources)),
        source_users=tuple(sorted({user for claim in claims for user in claim.source_users})),
    )


def strength_after(memory: Memory, conflict: MemoryConflict) -> float:
    """Said once it is a doubt; from the second time on the memory weakens."""
    lost = STRENGTH_LOST if len(conflict.claims) > 1 else 0.0
    return round(max(0.0, memory.strength - lost), 4)


def settled(conflict: MemoryConflict, outcome: str, now: datetime) -> MemoryConflict:
    return replace(conflict, status=ConflictStatus.SETTLED, outcome=outcome, updated_at=now)

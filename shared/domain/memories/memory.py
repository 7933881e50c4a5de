"""A memory: one stable statement about a group or a member, evolving by versions like a commit."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

MAX_STATEMENT = 500
"""Characters. A memory is one statement; what needs more is several."""
KINDS = ("habit", "view", "trait", "culture", "taboo", "fact", "preference", "project")


class MemoryStatus(StrEnum):
    ACTIVE = "active"
    CANDIDATE = "candidate"
    SUPERSEDED = "superseded"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"


class HeldBack(StrEnum):
    """Why a statement waits as a candidate. Each reads as a reason: whoever confirms or refuses it
    by hand is told this."""

    ONE_VOICE = "said by one person only"
    OF_ANOTHER = "said of somebody else by one person"
    NEW_VOICES = "said by accounts that are new or say nothing else"
    FOR_A_HAND = "an order to the bot or a secret"
    NOT_SAID = "its sources do not say it"
    SHARE = "its source has as many memories as one may have"


class Verdict(StrEnum):
    """What became of holding a change against the messages it names."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_SAID = "not_said"


@dataclass(frozen=True)
class Judged:
    """How many changes of one run had which verdict."""

    supported: int = 0
    contradicted: int = 0
    not_said: int = 0

    @classmethod
    def counting(cls, verdicts: Sequence[str]) -> "Judged":
        return cls(*(verdicts.count(verdict) for verdict in Verdict))


NONE_JUDGED = Judged()


@dataclass(frozen=True)
class Memory:
    """One version. `root_id` is the first version's id: by it a whole history is found.

    `sources` and `source_users` list only what this version added; the rest is its parent's.
    `created_at` is this version's, `first_created_at` the first one's.
    `ended_at` is when it stopped being the active one; what never was active has none. `vector` is
    packed float32: decisions read it from here, never from the index; `embedded_as` names the model
    and the wording that it is of. `core` is decided by evolution, by upkeep and by hand, so that
    strength alone moves nothing. `confidence` is how sure its maker was when it was last said: a
    fact less certain than it does not replace it. `valid_from` and `valid_until` are when it holds,
    as was said, not when it was recorded. `backed` memories were said by several people or set by
    hand: they are archived last. `conflict` tells, for a context, what somebody else says instead.
    `faded_at` is when it was last made weaker for not being used. `verdict` is whether its sources
    say it; empty where nobody looked. `held_back` is why a candidate is not active yet.
    """

    memory_id: str
    group_id: str
    statement: str
    version: int
    created_at: datetime
    updated_at: datetime
    status: MemoryStatus = MemoryStatus.ACTIVE
    kind: str = "fact"
    subject: str = ""
    parent_id: str | None = None
    superseded_by: str | None = None
    change_summary: str = ""
    strength: float = 0.5
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    source_users: tuple[str, ...] = ()
    last_supported_at: datetime | None = None
    vector: bytes = b""
    embedded_as: str = ""
    core: bool = False
    run_id: str = ""
    root_id: str = ""
    ended_at: datetime | None = None
    first_created_at: datetime | None = None
    confidence: float = 0.8
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    backed: bool = False
    conflict: str = ""
    faded_at: datetime | None = None
    verdict: str = ""
    held_back: str = ""

    @property
    def supported_last(self) -> datetime:
        return self.last_supported_at or self.created_at


@dataclass(frozen=True)
class Change:
    """One row of the change log; a change's id is derived from its run and its memory."""

    change_id: str
    group_id: str
    memory_id: str
    action: str
    version: int
    created_at: datetime
    reason: str
    run_id: str
    root_id: str = ""
    old_id: str | None = None
    old_statement: str | None = None
    new_statement: str | None = None
    verdict: str = ""


def bare_words(text: str) -> str:
    """Whatever stands between the words, and how they are written, is the same."""
    return re.sub(r"\W+", "", text.casefold())


def with_core(memory: Memory, threshold: float) -> Memory:
    """Core memories are always offered, in the part of a context that seldom changes. Strength
    moves with every feedback; what is core only by evolution, by upkeep and by hand."""
    is_core = memory.status is MemoryStatus.ACTIVE and memory.strength >= threshold
    return replace(memory, core=is_core)


def is_expired(memory: Memory, now: datetime) -> bool:
    return memory.valid_until is not None and memory.valid_until <= now

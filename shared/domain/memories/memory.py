"""A memory: one stable statement about a group or a member, evolving by versions like a commit."""

from dataclasses import dataclass
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


@dataclass(frozen=True)
class Memory:
    """One version. `root_id` is the first version's id: by it a whole history is found.

    `sources` and `source_users` list only what this version added; the rest is its parent's.
    `created_at` is this version's, `first_created_at` the first one's.
    `ended_at` is when it stopped being the active one; what never was active has none. `vector` is
    packed float32: decisions read it from here, never from the index; `embedded_as` names the model
    and the wording that it is of. `core` is decided by evolution, by upkeep and by hand, so that
    strength alone moves nothing. `confidence` is how sure its maker was when it was last said: a
    fact less certain than it does not replace it. After `expires_at` it holds no more. `faded_at`
    is when it was last made weaker for not being used. `verdict` is whether its sources say it
    (`source_check`); empty where nobody looked. `held_back` is why a candidate is none yet.
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
    expires_at: datetime | None = None
    faded_at: datetime | None = None
    verdict: str = ""
    held_back: str = ""


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

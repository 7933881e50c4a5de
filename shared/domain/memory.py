"""A memory: one stable statement about a group or a member, evolving by versions like a commit."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

KINDS = ("habit", "view", "trait", "culture", "taboo", "fact", "preference", "project")


class MemoryStatus(StrEnum):
    ACTIVE = "active"
    CANDIDATE = "candidate"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"


@dataclass(frozen=True)
class Memory:
    """`sources` and `source_users` list only what this version added; the rest is its parent's.

    `vector` is packed float32: decisions read it from here, never from the index.
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
    run_id: str = ""


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
    old_id: str | None = None
    old_statement: str | None = None
    new_statement: str | None = None

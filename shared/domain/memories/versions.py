"""Versions of a memory: each change adds one, like a commit; nothing is ever rewritten.

A deletion is a version too: it says who is gone and why, and a restore follows it.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.ids import digest
from shared.domain.memories.memory import Change, Memory, MemoryStatus, is_expired


@dataclass(frozen=True)
class Step:
    """One change: the new version, the one it follows as it is left behind, and its log row."""

    new: Memory
    old: Memory | None
    change: Change


def created(memory: Memory, *, run_id: str, now: datetime) -> Step:
    """The first version; its id comes from the run and what it says."""
    memory_id = digest(run_id, "", memory.statement)
    new = replace(
        memory, memory_id=memory_id, root_id=memory_id, version=1, parent_id=None, run_id=run_id
    )
    return Step(new, None, _row("create", None, new, run_id, now))


def updated(old: Memory, new: Memory, *, run_id: str, now: datetime) -> Step:
    """`new` says what changes; its place in the history is given here."""
    return _follow("update", old, new, run_id, now)


def deleted(old: Memory, reason: str, *, run_id: str, now: datetime) -> Step:
    gone = replace(
        old,
        status=MemoryStatus.DEPRECATED,
        held_back="",
        change_summary=reason,
        sources=(),
        source_users=(),
        vector=b"",
        core=False,
        conflict="",
    )
    return _follow("delete", old, gone, run_id, now)


def restored(head: Memory, last_active: Memory, *, run_id: str, now: datetime) -> Step:
    """What was last true is true again, as a version of its own."""
    again = replace(
        last_active,
        status=MemoryStatus.ACTIVE,
        held_back="",
        change_summary="restored",
        conflict="",
        sources=(),
        source_users=(),
        last_supported_at=now,
        valid_until=None if is_expired(last_active, now) else last_active.valid_until,
    )
    return _follow("restore", head, again, run_id, now)


def _follow(action: str, old: Memory, new: Memory, run_id: str, now: datetime) -> Step:
    new = replace(
        new,
        memory_id=digest(run_id, action, old.memory_id, new.statement),
        root_id=old.root_id or old.memory_id,
        version=old.version + 1,
        parent_id=old.memory_id,
        superseded_by=None,
        created_at=now,
        first_created_at=old.first_created_at or old.created_at,
        updated_at=now,
        ended_at=None,
        run_id=run_id,
    )
    # What was deleted or restored stays deprecated: only a newer wording supersedes.
    is_replaced = old.status in (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE) and action == "update"
    left = replace(
        old,
        status=MemoryStatus.SUPERSEDED if is_replaced else MemoryStatus.DEPRECATED,
        superseded_by=new.memory_id,
        core=False,
        updated_at=now,
        ended_at=_ended(old, now),
    )
    return Step(new, left, _row(action, old, new, run_id, now))


def _ended(memory: Memory, now: datetime) -> datetime | None:
    """Only what was active can end."""
    return now if memory.status is MemoryStatus.ACTIVE else memory.ended_at


def archived(memory: Memory, reason: str, *, run_id: str, now: datetime) -> Step:
    """Out of the way, not out of the history: no new version, a row in the log, restorable."""
    aside = replace(
        memory,
        status=MemoryStatus.ARCHIVED,
        core=False,
        updated_at=now,
        ended_at=_ended(memory, now),
    )
    row = replace(_row("archive", memory, aside, run_id, now), reason=reason)
    return Step(aside, None, row)


def _row(action: str, old: Memory | None, new: Memory, run_id: str, now: datetime) -> Change:
    return Change(
        change_id=digest(run_id, action, new.memory_id),
        group_id=new.group_id,
        memory_id=new.memory_id,
        action=action,
        version=new.version,
        created_at=now,
        reason=new.change_summary,
        run_id=run_id,
        root_id=new.root_id,
        old_id=old.memory_id if old else None,
        old_statement=old.statement if old else None,
        new_statement=None if action in ("delete", "archive") else new.statement,
        verdict=new.verdict if action in ("create", "update") else "",
    )

"""Evolution: old memories and new discussion become new versions. Pure: lines in, plan out.

History is only ever added to: an update makes a new version, a delete deprecates.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from shared.domain.ids import digest
from shared.domain.memory import KINDS, Change, Memory, MemoryStatus

MAX_STATEMENT = 500
MIN_FOR_DELETE_CAP = 4
SUPPORT_STEP = 0.1
NEW_STRENGTH = 0.5


@dataclass(frozen=True)
class Line:
    """One line of the model's answer, parsed."""

    action: str
    old_id: str | None = None
    statement: str = ""
    reason: str = ""
    kind: str = "fact"
    subject: str = ""
    tags: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class EvolutionPlan:
    """`memories` are all documents to write: new versions, and old ones with a new status."""

    memories: tuple[Memory, ...]
    changes: tuple[Change, ...]
    kept: int
    updated: int
    created: int
    deleted: int
    warnings: tuple[str, ...] = ()


def decide_evolution(
    memories: Sequence[Memory],
    lines: Sequence[Line],
    *,
    group_id: str,
    run_id: str,
    now: datetime,
    speakers: dict[str, str],
    max_active: int,
) -> EvolutionPlan:
    """What the lines mean for the active memories. `speakers` maps message ids to who said them.

    What a line cannot change: an unknown memory, a memory another line already changed. A memory
    that no line mentions is kept.
    """
    known = {memory.memory_id: memory for memory in memories}
    same_words = {_words(memory.statement): memory.memory_id for memory in memories}
    deletable = len(memories) // 2 if len(memories) >= MIN_FOR_DELETE_CAP else len(memories)
    touched: set[str] = set()
    writes: list[Memory] = []
    changes: list[Change] = []
    warnings: list[str] = []
    counts = {"update": 0, "create": 0, "delete": 0}

    for line in lines:
        line = _as_update_of_same(line, same_words)
        problem = _problem(line, known, touched, counts["delete"], deletable)
        if problem:
            warnings.append(problem)
            continue
        if line.action == "keep":
            continue
        counts[line.action] += 1
        old = known.get(line.old_id) if line.old_id else None
        if old:
            touched.add(old.memory_id)
        if line.action == "delete":
            assert old is not None
            gone = replace(old, status=MemoryStatus.DEPRECATED, updated_at=now)
            writes.append(replace(gone, change_summary=line.reason))
            changes.append(_change(line, old, None, group_id, run_id, now))
            continue
        new = _version(line, old, group_id, run_id, now, speakers)
        same_words[_words(new.statement)] = new.memory_id
        known[new.memory_id] = new
        touched.add(new.memory_id)
        writes.append(new)
        if old:
            writes.append(
                replace(
                    old,
                    status=MemoryStatus.DEPRECATED,
                    superseded_by=new.memory_id,
                    updated_at=now,
                )
            )
        changes.append(_change(line, old, new, group_id, run_id, now))

    writes += _archived(memories, writes, max_active, now)
    kept = len(memories) - counts["update"] - counts["delete"]
    return EvolutionPlan(
        tuple({memory.memory_id: memory for memory in writes}.values()),
        tuple(changes),
        kept,
        counts["update"],
        counts["create"],
        counts["delete"],
        tuple(warnings),
    )


def _as_update_of_same(line: Line, same_words: dict[str, str]) -> Line:
    """A statement that another memory already makes, word for word, is about that memory."""
    if line.action not in ("create", "update"):
        return line
    same = same_words.get(_words(line.statement))
    if same is None or same == line.old_id:
        return line
    return replace(line, action="update", old_id=same)


def _problem(
    line: Line, known: dict[str, Memory], touched: set[str], deleted: int, deletable: int
) -> str | None:
    """Why a line is left out, without its text; None if it stands."""
    if line.action not in ("keep", "update", "delete", "create"):
        return "unknown action"
    if line.action != "create":
        if line.old_id not in known:
            return f"{line.action} of an unknown memory"
        if line.action != "keep" and line.old_id in touched:
            return f"second {line.action} of one memory"
    if line.action in ("update", "create"):
        if not line.statement:
            return f"{line.action} without a statement"
        if len(line.statement) > MAX_STATEMENT:
            return f"{line.action} with a statement over {MAX_STATEMENT} characters"
    if line.action == "delete" and deleted >= deletable:
        return "more deletes than a run may make"
    return None


def _version(
    line: Line,
    old: Memory | None,
    group_id: str,
    run_id: str,
    now: datetime,
    speakers: dict[str, str],
) -> Memory:
    """The next version of `old`, or the first of a new memory."""
    sources = tuple(source for source in line.sources if source in speakers)
    strength = min(1.0, old.strength + SUPPORT_STEP) if old else NEW_STRENGTH
    return Memory(
        memory_id=digest(run_id, old.memory_id if old else "", line.statement),
        group_id=group_id,
        statement=line.statement,
        version=old.version + 1 if old else 1,
        created_at=now,
        updated_at=now,
        kind=line.kind if line.kind in KINDS else (old.kind if old else "fact"),
        subject=line.subject or (old.subject if old else ""),
        parent_id=old.memory_id if old else None,
        change_summary=line.reason,
        strength=strength,
        tags=line.tags or (old.tags if old else ()),
        sources=sources,
        source_users=tuple(sorted({speakers[source] for source in sources})),
        last_supported_at=now,
        run_id=run_id,
    )


def _change(
    line: Line, old: Memory | None, new: Memory | None, group_id: str, run_id: str, now: datetime
) -> Change:
    subject = new or old
    assert subject is not None
    return Change(
        change_id=digest(run_id, line.action, subject.memory_id),
        group_id=group_id,
        memory_id=subject.memory_id,
        action=line.action,
        version=subject.version,
        created_at=now,
        reason=line.reason,
        run_id=run_id,
        old_id=old.memory_id if old else None,
        old_statement=old.statement if old else None,
        new_statement=new.statement if new else None,
    )


def _archived(
    memories: Sequence[Memory], writes: Sequence[Memory], max_active: int, now: datetime
) -> list[Memory]:
    """The weakest of what would be active beyond `max_active`."""
    after = {memory.memory_id: memory for memory in (*memories, *writes)}
    active = [memory for memory in after.values() if memory.status is MemoryStatus.ACTIVE]
    by_weakness = sorted(active, key=lambda memory: (memory.strength, memory.updated_at))
    return [
        replace(memory, status=MemoryStatus.ARCHIVED, updated_at=now)
        for memory in by_weakness[: max(0, len(active) - max_active)]
    ]


def _words(statement: str) -> str:
    return re.sub(r"\W+", "", statement.casefold())

"""The memory API: what a group remembers, and changes by hand."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query

from shared import log
from shared.contracts.api import AskedTime, GroupId, Id, Limit, Offset, WhichGroup
from shared.contracts.memories import (
    ChangeList,
    ConflictAnswer,
    ConflictList,
    MemoryAnswer,
    MemoryErasure,
    MemoryForgotten,
    MemoryHistory,
    MemoryHits,
    MemoryList,
    MemoryQuestion,
    MemoryStats,
    NewMemory,
    NewStrength,
    NewVersion,
    SettledConflict,
    ShownHit,
    ShownMemory,
    memory_stats,
    shown_change,
    shown_history,
)
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import EvolveGroup
from shared.domain.memories.conflict import ConflictStatus
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.runtime.auth import Caller, the_one_seen
from shared.runtime.route_access import TheCaller
from shared.runtime.search_routes import search_route
from shared.wiring import services

if TYPE_CHECKING:
    from functions.evolve_group.handle_memory import ByHandDeps as ByHand

router = APIRouter()


MAX_LISTED = 1000
"""Of what is counted or shown without pages: years of a lively group."""


async def _by_hand(group_id: str) -> "ByHand":
    from functions.evolve_group import handle_memory

    made = services()
    return handle_memory.deps_for(await made.groups.find(group_id), made)


async def _seen(memory_id: str, group_id: str | None, caller: Caller) -> Memory:
    found = await services().memories.by_id(memory_id)
    memory = the_one_seen(found, group_id, caller, f"memory {memory_id}")
    log.bind(group_id=memory.group_id)
    return memory


def _answer(memory: Memory, caller: Caller) -> MemoryAnswer:
    """Who may change a memory need not be who may read it."""
    shown = ShownMemory.from_record(memory)
    return MemoryAnswer(memory=shown if caller.may_read else shown.without_text())


@router.get("/memory/list/{group_id}")
async def list_memories(
    group_id: GroupId,
    caller: TheCaller,
    status: Literal[
        "active", "core", "candidate", "superseded", "deprecated", "archived", "all"
    ] = "active",
    as_of: AskedTime | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> MemoryList:
    """The newest first; `core` are the active ones that are always offered; with `as_of`, what was
    active then."""
    caller.require("read", group_id)
    memories = services().memories
    if as_of is not None:
        held = await memories.active_at(group_id, as_of, MAX_LISTED)
        total, page = len(held), held[offset : offset + limit]
    elif status in ("active", "core"):
        holding = await memories.holding(group_id, services().now(), MAX_LISTED)
        chosen = [one for one in holding if one.core or status == "active"]
        chosen.sort(key=lambda one: (one.updated_at, one.memory_id), reverse=True)
        total, page = len(chosen), chosen[offset : offset + limit]
    else:
        wanted = None if status == "all" else status
        total, page = await memories.listed(group_id, status=wanted, limit=limit, offset=offset)
    shown = [ShownMemory.from_record(one) for one in page]
    return MemoryList(group_id=group_id, total=total, memories=shown)


@search_route(router, "/memory/search/{group_id}")
async def search_memories(
    group_id: GroupId, caller: TheCaller, asked: MemoryQuestion
) -> MemoryHits:
    """By words and meaning; the best first, each with the chance that it answers. A threshold
    only if one is asked for."""
    caller.require("read", group_id)
    search = services().memory_search
    hits = await search.find(
        group_id, asked.q, limit=asked.limit, threshold=asked.threshold, as_of=asked.as_of
    )
    results = [
        ShownHit(**ShownMemory.from_record(hit.memory).model_dump(), score=told, confidence=told)
        for hit in hits
        for told in (round(hit.score, 4),)
    ]
    return MemoryHits(query=asked.q, results=results)


@router.get("/memory/history/{memory_id}")
async def history(memory_id: str, caller: TheCaller, group_id: WhichGroup = None) -> MemoryHistory:
    """Every version, the first one first, from any version's id; each with what changed."""
    caller.require("read", group_id)
    memory = await _seen(memory_id, group_id, caller)
    versions = [one.memory for one in await services().memories.history(memory)]
    return shown_history(memory_id, versions)


@router.get("/memory/changes/{group_id}")
async def list_changes(
    group_id: GroupId, caller: TheCaller, days: Annotated[int, Query(ge=1, le=3650)] = 7
) -> ChangeList:
    """The newest first."""
    caller.require("read", group_id)
    now = services().now()
    since = now - timedelta(days=days)
    changes = await services().memories.changes(group_id, since, MAX_LISTED)
    return ChangeList(
        group_id=group_id,
        period=f"{since.date()} to {now.date()}",
        changes=[shown_change(change) for change in changes],
    )


@router.get("/memory/stats/{group_id}")
async def stats(group_id: GroupId, caller: TheCaller) -> MemoryStats:
    """How many memories there are, of which kind, and what the last week changed."""
    caller.require("read", group_id)
    made = services()
    total, jobs = await made.jobs.listed(state=None, group_id=group_id, limit=100, offset=0)
    return memory_stats(
        group_id,
        counts={
            status.value: await made.memories.count(group_id, status) for status in MemoryStatus
        },
        active=await made.memories.holding(group_id, made.now(), MAX_LISTED),
        week=await made.memories.changes(group_id, made.now() - timedelta(days=7), MAX_LISTED),
        runs=[job for job in jobs if isinstance(job.payload, EvolveGroup)],
        jobs=total,
    )


@router.get("/memory/conflicts/{group_id}")
async def list_conflicts(
    group_id: GroupId,
    caller: TheCaller,
    status: Literal["open", "settled", "all"] = "open",
    limit: Limit = 20,
    offset: Offset = 0,
) -> ConflictList:
    """What was said against memories, too uncertainly to replace them; the newest first."""
    caller.require("read", group_id)
    wanted = None if status == "all" else ConflictStatus(status)
    total, found = await services().conflicts.listed(group_id, wanted, limit, offset)
    shown = found
    return ConflictList(group_id=group_id, total=total, conflicts=shown)


@router.post("/memory/conflicts/{group_id}/{conflict_id}")
async def settle_conflict(
    group_id: GroupId, conflict_id: Id, asked: SettledConflict, caller: TheCaller
) -> ConflictAnswer:
    """The memory stays, or the newest claim becomes its next version."""
    from functions.evolve_group import handle_conflicts

    caller.require("manage", group_id)
    caller.require("read", group_id)
    deps = services().deps(handle_conflicts.ConflictDeps, by_hand=await _by_hand(group_id))
    done = await handle_conflicts.settle(group_id, conflict_id, asked, deps)
    return ConflictAnswer(conflict=done)


@router.post("/memory/{group_id}", status_code=201)
async def add_memory(group_id: GroupId, asked: NewMemory, caller: TheCaller) -> MemoryAnswer:
    """Add one by hand; Conflict if the group has a memory in these words already."""
    from functions.evolve_group import handle_memory

    caller.require("manage", group_id)
    memory = await handle_memory.add(group_id, asked, await _by_hand(group_id))
    return _answer(memory, caller)


@router.put("/memory/{memory_id}")
async def change_memory(
    memory_id: str, asked: NewVersion, caller: TheCaller, group_id: WhichGroup = None
) -> MemoryAnswer:
    """A new version by hand."""
    from functions.evolve_group import handle_memory

    caller.require("manage", group_id)
    memory = await _seen(memory_id, group_id, caller)
    changed = await handle_memory.change(memory, asked, await _by_hand(memory.group_id))
    return _answer(changed, caller)


@router.delete("/memory/{memory_id}")
async def delete_memory(
    memory_id: str, caller: TheCaller, forget: bool = False, group_id: WhichGroup = None
) -> MemoryAnswer | MemoryForgotten:
    """Deprecates, and can be undone; with `forget=true` every version and its words
    are erased, with a receipt at the historian's `/forgets/{forget_id}`."""
    from functions.evolve_group import handle_memory

    caller.require("manage", group_id)
    memory = await _seen(memory_id, group_id, caller)
    by_hand = await _by_hand(memory.group_id)
    if forget:
        job = await handle_memory.forget(memory, by_hand)
        gone = MemoryErasure(versions=job.removed.get("memories", 0), records=_records(job))
        return MemoryForgotten(memory_id=memory_id, forget_id=job.job_id, forgotten=gone)
    return _answer(await handle_memory.remove(memory, by_hand), caller)


def _records(job: Job) -> int:
    return sum(count for kind, count in job.removed.items() if kind != "vectors")


@router.put("/memory/{memory_id}/restore")
async def restore_memory(
    memory_id: str, caller: TheCaller, group_id: WhichGroup = None
) -> MemoryAnswer:
    """What was last true, as a new version on top of the history."""
    from functions.evolve_group import handle_memory

    caller.require("manage", group_id)
    memory = await _seen(memory_id, group_id, caller)
    restored = await handle_memory.restore(memory, await _by_hand(memory.group_id))
    return _answer(restored, caller)


@router.put("/memory/{memory_id}/strength")
async def weigh_memory(
    memory_id: str, asked: NewStrength, caller: TheCaller, group_id: WhichGroup = None
) -> MemoryAnswer:
    """Its weight, in place: that makes no version."""
    from functions.evolve_group import handle_memory

    caller.require("manage", group_id)
    memory = await _seen(memory_id, group_id, caller)
    weighed = await handle_memory.weigh(memory, asked.strength, await _by_hand(memory.group_id))
    return _answer(weighed, caller)

"""The routes of evolve_group: runs, the memory API, and upkeep."""

from collections import Counter
from dataclasses import asdict
from datetime import datetime, timedelta
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from shared import log
from shared.config import Settings, effective, problems, settings
from shared.contracts.api import GroupId, Limit, Offset
from shared.contracts.jobs import evolve_job
from shared.contracts.memories import NewMemory, NewStrength, NewVersion
from shared.contracts.queues import queues
from shared.contracts.shown import rfc3339, shown_change, shown_memory
from shared.contracts.tasks import JobTask
from shared.domain.jobs.kinds import EvolutionReport
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.errors import NotFound
from shared.jobs.worker import Outcome, Ran
from shared.runtime.app import create_app
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import find_key, services

if TYPE_CHECKING:
    from functions.evolve_group.handle_memory import Deps as ByHand
    from functions.evolve_group.statement_similarity import Likeness

router = APIRouter()

MAX_LISTED = 1000


async def _own(group_id: str) -> Settings:
    """The settings that hold for a group."""
    return effective(settings(), (await services().groups.get(group_id)).settings)


def _likeness(kept: Settings) -> "Likeness":
    from functions.evolve_group.statement_similarity import Likeness

    budget_s = queues()["evolve"].model_budget_s / 4
    return Likeness(services().embedder, budget_s, kept.same_threshold, kept.support_threshold)


async def _evolve(job_id: str, group_id: str) -> Ran:
    """The handler is imported here: only a run pays for it, not every cold start."""
    from functions.evolve_group import handle_evolve
    from shared.domain.memories.evolution import Rules

    made, kept = services(), await _own(group_id)
    deps = handle_evolve.Deps(
        groups=made.groups,
        memories=made.memories,
        messages=made.messages,
        vectors=made.vectors,
        model=made.model,
        likeness=_likeness(kept),
        dispatch=made.dispatch,
        now=made.now,
        model_budget_s=queues()["evolve"].model_budget_s,
        rules=Rules(kept.max_active_memories, kept.hold_back_memories, kept.core_threshold),
        unsupported_days=kept.unsupported_days,
    )
    return await made.worker.run(job_id, lambda work: handle_evolve.evolve(work, deps))


async def _by_hand(group_id: str) -> "ByHand":
    from functions.evolve_group.handle_memory import Deps

    made = services()
    group = await made.groups.find(group_id)
    own = effective(settings(), group.settings) if group else settings()
    return Deps(
        groups=made.groups,
        memories=made.memories,
        vectors=made.vectors,
        jobs=made.jobs,
        likeness=_likeness(own),
        now=made.now,
        unsupported_days=own.unsupported_days,
        core_threshold=own.core_threshold,
    )


async def _seen(memory_id: str, caller: Caller) -> Memory:
    """Somebody else's memory is as unknown as one that does not exist."""
    memory = await services().memories.find(memory_id)
    if not caller.may_see(memory.group_id):
        raise NotFound(f"there is no memory {memory_id}")
    log.bind(group_id=memory.group_id)
    return memory


@router.post("/memory/evolve/{group_id}")
async def evolve_now(
    group_id: GroupId,
    caller: TheCaller,
    days: Annotated[int | None, Query(ge=1, le=365)] = None,
) -> JSONResponse:
    """Fuse old memories and new discussion. 202 while another run holds the group, or when there
    is more than one model call's worth of news."""
    caller.require("manage", group_id)
    log.bind(group_id=group_id)
    made = services()
    await made.groups.get(group_id)
    now = made.now()
    job = await made.jobs.ensure(evolve_job(group_id, f"by hand at {now.isoformat()}", now, days))
    ran = await _evolve(job.job_id, group_id)
    if ran.outcome is Outcome.FAILED:
        error = {"code": "failed", "message": str(ran.error), "detail": {"job_id": job.job_id}}
        return JSONResponse({"success": False, "error": error}, 502)
    report = ran.report
    if not isinstance(report, EvolutionReport) or report.next_job:
        return JSONResponse({"success": True, "job_id": job.job_id, "status": "running"}, 202)
    changes = await made.memories.changes_of_run(group_id, job.job_id)
    body = {
        "success": True,
        "group_id": group_id,
        "job_id": job.job_id,
        "evolution_time": rfc3339(report.evolution_time),
        "stats": asdict(report.stats),
        "message": report.message,
        "changes": [shown_change(one) for one in changes],
    }
    return JSONResponse(body)


@router.get("/memory/list/{group_id}")
async def list_memories(
    group_id: GroupId,
    caller: TheCaller,
    status: Literal["active", "candidate", "deprecated", "archived", "all"] = "active",
    as_of: datetime | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> dict[str, Any]:
    """The newest first; with `as_of`, what was active then."""
    caller.require("read", group_id)
    memories = services().memories
    if as_of is not None:
        held = await memories.active_at(group_id, as_of, MAX_LISTED)
        total, page = len(held), held[offset : offset + limit]
    else:
        wanted = None if status == "all" else status
        total, page = await memories.listed(group_id, status=wanted, limit=limit, offset=offset)
    return {
        "success": True,
        "group_id": group_id,
        "total": total,
        "memories": [shown_memory(one) for one in page],
    }


@router.get("/memory/search/{group_id}")
async def search_memories(
    group_id: GroupId,
    caller: TheCaller,
    q: Annotated[str, Query(min_length=1, max_length=4096)],
    limit: Limit = 5,
    threshold: Annotated[float, Query(ge=0, le=1)] = 0.7,
    as_of: datetime | None = None,
) -> dict[str, Any]:
    """By meaning; the best first."""
    from shared.search.memories import MemorySearch

    caller.require("read", group_id)
    made = services()
    search = MemorySearch(made.memories, made.vectors, made.embedder)
    hits = await search.find(group_id, q, limit=limit, threshold=threshold, as_of=as_of)
    return {
        "success": True,
        "query": q,
        "results": [{**shown_memory(hit.memory), "score": hit.score} for hit in hits],
    }


@router.get("/memory/history/{memory_id}")
async def history(memory_id: str, caller: TheCaller) -> dict[str, Any]:
    """Every version, the first one first, from any version's id; each with what changed."""
    caller.require("read")
    memory = await _seen(memory_id, caller)
    versions = [one.memory for one in await services().memories.history(memory)]
    shown = []
    before = ""
    for one in versions:
        shown.append({**shown_memory(one), "diff": _diff(before, one.statement)})
        before = one.statement
    return {
        "success": True,
        "memory_id": memory_id,
        "current_version": versions[-1].version,
        "history": shown,
    }


def _diff(before: str, after: str) -> list[dict[str, str]]:
    """What went and what came, in order; the same is left out."""
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    return [
        {"removed": before[i:j], "added": after[k:m]}
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]


@router.get("/memory/changes/{group_id}")
async def list_changes(
    group_id: GroupId, caller: TheCaller, days: Annotated[int, Query(ge=1, le=3650)] = 7
) -> dict[str, Any]:
    """The newest first."""
    caller.require("read", group_id)
    now = services().now()
    since = now - timedelta(days=days)
    changes = await services().memories.changes(group_id, since, MAX_LISTED)
    return {
        "success": True,
        "group_id": group_id,
        "period": f"{since.date()} to {now.date()}",
        "changes": [
            {
                "timestamp": rfc3339(one.created_at),
                "action": one.action,
                "memory_id": one.memory_id,
                "old_statement": one.old_statement,
                "new_statement": one.new_statement,
                "change_reason": one.reason,
                "version": one.version,
            }
            for one in changes
        ],
    }


@router.get("/memory/stats/{group_id}")
async def stats(group_id: GroupId, caller: TheCaller) -> dict[str, Any]:
    """How many memories there are, of which kind, and what the last week changed."""
    caller.require("read", group_id)
    made = services()
    now = made.now()
    counts = {status.value: await made.memories.count(group_id, status) for status in MemoryStatus}
    active = await made.memories.active(group_id, MAX_LISTED)
    week = await made.memories.changes(group_id, now - timedelta(days=7), MAX_LISTED)
    total, jobs = await made.jobs.listed(state=None, group_id=group_id, limit=100, offset=0)
    runs = [one for one in jobs if one.kind == "evolve"]
    strengths = [one.strength for one in active]
    return {
        "success": True,
        "group_id": group_id,
        "total": sum(counts.values()),
        "by_status": counts,
        "by_kind": dict(Counter(one.kind for one in active)),
        "mean_strength": round(sum(strengths) / len(strengths), 4) if strengths else None,
        "mean_version": round(sum(one.version for one in active) / len(active), 2)
        if active
        else None,
        "changes_7_days": dict(Counter(one.action for one in week)),
        "runs": dict(Counter(one.state.value for one in runs)),
        "last_run_at": rfc3339(max((one.created_at for one in runs), default=None)),
        "jobs": total,
    }


@router.post("/memory/{group_id}", status_code=201)
async def add_memory(group_id: GroupId, asked: NewMemory, caller: TheCaller) -> dict[str, Any]:
    from functions.evolve_group import handle_memory

    caller.require("manage", group_id)
    memory = await handle_memory.add(group_id, asked, await _by_hand(group_id))
    return {"success": True, "memory": shown_memory(memory)}


@router.put("/memory/{memory_id}")
async def change_memory(memory_id: str, asked: NewVersion, caller: TheCaller) -> dict[str, Any]:
    """A new version by hand."""
    from functions.evolve_group import handle_memory

    caller.require("manage")
    memory = await _seen(memory_id, caller)
    changed = await handle_memory.change(memory, asked, await _by_hand(memory.group_id))
    return {"success": True, "memory": shown_memory(changed)}


@router.delete("/memory/{memory_id}")
async def delete_memory(memory_id: str, caller: TheCaller, forget: bool = False) -> dict[str, Any]:
    """Deprecates, and can be undone; with `forget=true` every version and its text is erased."""
    from functions.evolve_group import handle_memory

    caller.require("manage")
    memory = await _seen(memory_id, caller)
    by_hand = await _by_hand(memory.group_id)
    if forget:
        receipt = await handle_memory.forget(memory, by_hand)
        return {"success": True, "memory_id": memory_id, "forgotten": receipt}
    gone = await handle_memory.remove(memory, by_hand)
    return {"success": True, "memory": shown_memory(gone)}


@router.put("/memory/{memory_id}/restore")
async def restore_memory(memory_id: str, caller: TheCaller) -> dict[str, Any]:
    from functions.evolve_group import handle_memory

    caller.require("manage")
    memory = await _seen(memory_id, caller)
    restored = await handle_memory.restore(memory, await _by_hand(memory.group_id))
    return {"success": True, "memory": shown_memory(restored)}


@router.put("/memory/{memory_id}/strength")
async def weigh_memory(memory_id: str, asked: NewStrength, caller: TheCaller) -> dict[str, Any]:
    from functions.evolve_group import handle_memory

    caller.require("manage")
    memory = await _seen(memory_id, caller)
    weighed = await handle_memory.weigh(memory, asked.strength, await _by_hand(memory.group_id))
    return {"success": True, "memory": shown_memory(weighed)}


@router.post("/tasks/evolve")
async def evolve(task: JobTask) -> dict[str, Any]:
    log.bind(job_id=task.job_id)
    job = await services().jobs.get(task.job_id)
    if job is None:
        return {"success": True, "outcome": Outcome.NOTHING.value}
    ran = await _evolve(task.job_id, job.group_id)
    return {"success": True, "outcome": ran.outcome.value}


@router.post("/cron/evolve")
async def evolve_due_groups() -> dict[str, Any]:
    """A job for each group that said something new, or that has been silent for long."""
    from functions.evolve_group import handle_due

    made = services()
    deps = handle_due.Deps(made.groups, made.jobs, made.dispatch, made.now)
    return {"success": True, **await handle_due.send_due(deps)}


@router.post("/cron/maintain")
async def maintain() -> dict[str, Any]:
    """Upkeep of the groups that have waited longest for it, a page a call."""
    from functions.evolve_group import handle_maintain

    made = services()
    deps = handle_maintain.Deps(
        groups=made.groups,
        memories=made.memories,
        messages=made.messages,
        vectors=made.vectors,
        likeness=_likeness(settings()),
        settings=settings(),
        now=made.now,
    )
    return {"success": True, **await handle_maintain.maintain(deps)}


app = create_app(
    "evolve_group",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["evolve"].function_timeout_s,
)

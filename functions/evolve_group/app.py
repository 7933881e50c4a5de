"""The routes of evolve_group: runs, and the memory API."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from shared.clients.worker import Outcome, Ran
from shared.config import problems, settings
from shared.contracts.api import GroupId, Limit, Offset
from shared.contracts.jobs import evolve_job
from shared.contracts.queues import queues
from shared.contracts.shown import shown_memory
from shared.contracts.tasks import JobTask
from shared.runtime import log
from shared.runtime.app import create_app
from shared.runtime.gate import TheCaller
from shared.wiring import find_key, services

router = APIRouter()

PAGE = 200
"""Groups that one call of the schedule sends on their way."""


async def _evolve(job_id: str) -> Ran:
    """The handler is imported here: only a run pays for it, not every cold start."""
    from functions.evolve_group import handle_evolve

    made, kept = services(), settings()
    deps = handle_evolve.Deps(
        groups=made.groups,
        memories=made.memories,
        messages=made.messages,
        vectors=made.vectors,
        model=made.model,
        embedder=made.embedder,
        now=made.now,
        model_budget_s=queues()["evolve"].model_budget_s,
        max_active=kept.max_active_memories,
    )
    return await made.worker.run(job_id, lambda work: handle_evolve.evolve(work, deps))


@router.post("/memory/evolve/{group_id}")
async def evolve_now(
    group_id: GroupId,
    caller: TheCaller,
    days: Annotated[int | None, Query(ge=1, le=365)] = None,
) -> JSONResponse:
    """Fuse old memories and new discussion; 202 while another run holds the group."""
    caller.require("manage", group_id)
    log.bind(group_id=group_id)
    made = services()
    await made.groups.get(group_id)
    now = made.now()
    job = await made.jobs.ensure(evolve_job(group_id, f"by hand at {now.isoformat()}", now, days))
    ran = await _evolve(job.job_id)
    if ran.outcome is Outcome.WAITING:
        return JSONResponse({"success": True, "job_id": job.job_id, "status": "running"}, 202)
    if ran.outcome is Outcome.FAILED:
        error = {"code": "failed", "message": str(ran.result.get("error")), "detail": {}}
        error["detail"] = {"job_id": job.job_id}
        return JSONResponse({"success": False, "error": error}, 502)
    shown = {name: ran.result[name] for name in ("evolution_time", "stats", "changes", "message")}
    body = {"success": True, "group_id": group_id, "job_id": job.job_id, **shown}
    return JSONResponse(body)


@router.get("/memory/list/{group_id}")
async def list_memories(
    group_id: GroupId,
    caller: TheCaller,
    status: Literal["active", "candidate", "deprecated", "archived", "all"] = "active",
    limit: Limit = 20,
    offset: Offset = 0,
) -> dict[str, Any]:
    """The newest first."""
    caller.require("read", group_id)
    total, memories = await services().memories.listed(
        group_id, status=None if status == "all" else status, limit=limit, offset=offset
    )
    return {
        "success": True,
        "group_id": group_id,
        "total": total,
        "memories": [shown_memory(one) for one in memories],
    }


@router.post("/tasks/evolve")
async def evolve(task: JobTask) -> dict[str, Any]:
    log.bind(job_id=task.job_id)
    return {"success": True, "outcome": (await _evolve(task.job_id)).outcome.value}


@router.post("/cron/evolve")
async def evolve_due_groups() -> dict[str, Any]:
    """A job for each group that said something new."""
    made = services()
    now = made.now()
    group_ids = await made.groups.due_for_evolution(PAGE)
    for group_id in group_ids:
        job = await made.jobs.ensure(evolve_job(group_id, f"daily {now.date().isoformat()}", now))
        await made.dispatch.job(job)
    return {"success": True, "total": len(group_ids)}


app = create_app(
    "evolve_group",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["evolve"].function_timeout_s,
)

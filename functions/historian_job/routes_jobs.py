"""Jobs: how far they are, and once more."""

from typing import Annotated

from fastapi import APIRouter, Query

from functions.historian_job import handle_jobs
from shared.contracts.api import GroupId, Limit, Offset
from shared.contracts.job_answers import (
    JobAnswer,
    JobList,
    ReportedJob,
    RetryAccepted,
    ShownJob,
)
from shared.domain.jobs.job import JobState
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.get("/jobs")
async def list_jobs(
    caller: TheCaller,
    status: JobState | None = None,
    group_id: Annotated[GroupId | None, Query()] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> JobList:
    """The newest first. Without a group, only a key for all groups may ask."""
    if group_id is None:
        caller.require_everywhere("manage")
    caller.require("manage", group_id)
    total, jobs = await services().jobs.listed(
        state=status.value if status else None, group_id=group_id, limit=limit, offset=offset
    )
    return JobList(total=total, jobs=[ShownJob.of(one) for one in jobs])


@router.get("/jobs/{job_id}")
async def get_job(job_id: str, caller: TheCaller) -> JobAnswer:
    """One job, with its report once its work is committed."""
    caller.require("manage")
    return JobAnswer(
        job=ReportedJob.of(await handle_jobs.seen_job(job_id, caller, services().jobs))
    )


@router.post("/jobs/{job_id}/retry", status_code=202)
async def retry_job(job_id: str, caller: TheCaller) -> RetryAccepted:
    """A failed job, once more: with fresh attempts, and from where it was."""
    caller.require("manage")
    made = services()
    await handle_jobs.seen_job(job_id, caller, made.jobs)
    job = await handle_jobs.retry(job_id, made.deps(handle_jobs.Deps))
    return RetryAccepted(job=ShownJob.of(job))

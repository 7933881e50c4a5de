"""Jobs: how far they are, and once more."""

from typing import Annotated

from fastapi import APIRouter, Query

from shared.contracts.api import GroupId, Limit, Offset
from shared.contracts.job_answers import (
    JobAnswer,
    JobList,
    ReportedJob,
    RetryAccepted,
    ShownJob,
)
from shared.domain.jobs.job import Job, JobState, retried
from shared.errors import Conflict, NotFound
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


async def seen_job(job_id: str, caller: Caller) -> Job:
    """Somebody else's job is as unknown as one that does not exist."""
    job = await services().jobs.get(job_id)
    if job is None or not caller.may_see(job.group_id):
        raise NotFound(f"there is no job {job_id}")
    return job


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
    return JobList(total=total, jobs=[ShownJob.from_record(one) for one in jobs])


@router.get("/jobs/{job_id}")
async def get_job(job_id: str, caller: TheCaller) -> JobAnswer:
    """One job, with its report once its work is committed."""
    caller.require("manage")
    return JobAnswer(job=ReportedJob.from_record(await seen_job(job_id, caller)))


@router.post("/jobs/{job_id}/retry", status_code=202)
async def retry_job(job_id: str, caller: TheCaller) -> RetryAccepted:
    """A failed job, once more: with fresh attempts, and from where it was."""
    caller.require("manage")
    made = services()
    await seen_job(job_id, caller)

    def again(job: Job) -> Job:
        if job.state is not JobState.FAILED:
            raise Conflict(f"the job is {job.state.value}; only a failed one can be retried")
        return retried(job, made.now())

    job = await made.jobs.move(job_id, again)
    await made.dispatch.job(job)
    return RetryAccepted(job=ShownJob.from_record(job))

"""Jobs: how far they are, and once more; forgetting a message, a member or a group."""

from typing import Annotated

from fastapi import APIRouter, Query

from functions.historian_job import handle_forget
from shared.contracts.api import GroupId, Id, Limit, Offset
from shared.contracts.job_answers import (
    ForgetAccepted,
    ForgetAnswer,
    JobAnswer,
    JobList,
    RetryAccepted,
)
from shared.domain.jobs.job import Job, JobState, retried
from shared.domain.jobs.kinds import ForgetReport, Forgetting
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
    return JobList(total=total, jobs=jobs)


@router.get("/jobs/{job_id}")
async def get_job(job_id: str, caller: TheCaller) -> JobAnswer:
    """One job, with its report once its work is committed."""
    caller.require("manage")
    return JobAnswer(job=await seen_job(job_id, caller))


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
    return RetryAccepted(job=job)


@router.delete("/groups/{group_id}/messages/{message_id}", status_code=202)
async def forget_message(group_id: GroupId, message_id: Id, caller: TheCaller) -> ForgetAccepted:
    """Blank at once; what came of it goes in a job. The receipt tells when that is done."""
    caller.require("manage", group_id)
    job = await handle_forget.forget_message(group_id, message_id, services())
    return ForgetAccepted(forget_id=job.job_id)


@router.delete("/groups/{group_id}/members/{user_id}", status_code=202)
async def forget_member(group_id: GroupId, user_id: Id, caller: TheCaller) -> ForgetAccepted:
    """All that a member said here and all that is kept of them; what others said stays."""
    caller.require("manage", group_id)
    job = await handle_forget.forget_member(group_id, user_id, services())
    return ForgetAccepted(forget_id=job.job_id)


@router.delete("/groups/{group_id}", status_code=202)
async def forget_group(group_id: GroupId, caller: TheCaller) -> ForgetAccepted:
    """All of a group. A tombstone stays, which takes no messages and no late work."""
    caller.require("manage", group_id)
    job = await handle_forget.forget_group(group_id, services())
    return ForgetAccepted(forget_id=job.job_id)


@router.get("/forgets/{forget_id}")
async def get_forget(forget_id: str, caller: TheCaller) -> ForgetAnswer:
    """How far a forgetting has come, and its receipt."""
    caller.require("manage")
    job = await seen_job(forget_id, caller)
    if not isinstance(job.payload, Forgetting):
        raise NotFound(f"there is no forget {forget_id}")
    receipt = job.report if isinstance(job.report, ForgetReport) else None
    return ForgetAnswer(forget_id=forget_id, state=job.state, error=job.error, receipt=receipt)

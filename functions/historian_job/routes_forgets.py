"""Forgetting a message, a member or a group, and how far that is."""

from fastapi import APIRouter

from functions.historian_job import handle_forget
from functions.historian_job.routes_jobs import seen_job
from shared.contracts.api import GroupId, Id
from shared.contracts.job_answers import (
    ForgetAccepted,
    ForgetAnswer,
)
from shared.domain.jobs.kinds import ForgetReport, Forgetting
from shared.errors import NotFound
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


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

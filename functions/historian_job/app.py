"""The routes of historian_job: notes to events, forgetting, and what an operator needs."""

from datetime import timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from functions.historian_job import (
    handle_events,
    handle_forget,
    handle_groups,
    handle_jobs,
    handle_keys,
)
from shared import log
from shared.config import problems, settings
from shared.contracts.api import AskedTime, GroupId, Id, Limit, Offset
from shared.contracts.events import EventList, ShownEvent
from shared.contracts.groups import GroupAnswer, OptOut, OptOutAnswer
from shared.contracts.job_answers import (
    ForgetAccepted,
    ForgetAnswer,
    JobAnswer,
    JobList,
    ReportedJob,
    RetryAccepted,
    ShownJob,
    TaskOutcome,
)
from shared.contracts.keys import KeyAnswer, KeyList, NewKey, NewKeyAnswer, ShownKey
from shared.contracts.queues import queues
from shared.contracts.tasks import JobTask
from shared.contracts.usage import UsageList
from shared.domain.jobs.job import Job, JobState
from shared.domain.jobs.kinds import ForgetMessage, ForgetReport
from shared.errors import NotFound
from shared.runtime.app import create_app
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import find_key, services

router = APIRouter()


@router.get("/events")
async def list_events(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    time_from: AskedTime | None = None,
    time_to: AskedTime | None = None,
    user_id: Annotated[str | None, Query(max_length=512)] = None,
    text: Annotated[str | None, Query(max_length=500)] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> EventList:
    """The newest first; of one member, or with every word of a text, if asked for."""
    caller.require("read", group_id)
    wanted = handle_events.Wanted(group_id, time_from, time_to, user_id, text, limit, offset)
    total, events = await handle_events.list_events(wanted, services().deps(handle_events.Deps))
    return EventList(total=total, events=[ShownEvent.of(one) for one in events])


@router.delete("/groups/{group_id}/messages/{message_id}", status_code=202)
async def forget_message(group_id: GroupId, message_id: Id, caller: TheCaller) -> ForgetAccepted:
    """Blank at once; what came of it goes in a job. The receipt tells when that is done."""
    caller.require("manage", group_id)
    deps = services().deps(handle_forget.Deps)
    job = await handle_forget.forget_message(group_id, message_id, deps)
    return ForgetAccepted(forget_id=job.job_id)


@router.get("/forgets/{forget_id}")
async def get_forget(forget_id: str, caller: TheCaller) -> ForgetAnswer:
    """How far a forgetting has come, and its receipt."""
    caller.require("manage")
    job = await _seen_job(forget_id, caller)
    if not isinstance(job.payload, ForgetMessage):
        raise NotFound(f"there is no forget {forget_id}")
    receipt = job.report if isinstance(job.report, ForgetReport) else None
    return ForgetAnswer(forget_id=forget_id, state=job.state, error=job.error, receipt=receipt)


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
    return JobAnswer(job=ReportedJob.of(await _seen_job(job_id, caller)))


@router.post("/jobs/{job_id}/retry", status_code=202)
async def retry_job(job_id: str, caller: TheCaller) -> RetryAccepted:
    """A failed job, once more: with fresh attempts, and from where it was."""
    caller.require("manage")
    await _seen_job(job_id, caller)
    job = await handle_jobs.retry(job_id, services().deps(handle_jobs.Deps))
    return RetryAccepted(job=ShownJob.of(job))


async def _seen_job(job_id: str, caller: Caller) -> Job:
    """Somebody else's job is as unknown as one that does not exist."""
    job = await services().jobs.get(job_id)
    if job is None or not caller.may_see(job.group_id):
        raise NotFound(f"there is no job {job_id}")
    return job


@router.get("/groups/{group_id}/settings")
async def get_settings(group_id: GroupId, caller: TheCaller) -> GroupAnswer:
    """What the group has set for itself."""
    caller.require("read", group_id)
    return GroupAnswer.of(await services().groups.get(group_id))


@router.put("/groups/{group_id}/settings")
async def put_settings(
    group_id: GroupId, changes: dict[str, Any], caller: TheCaller
) -> GroupAnswer:
    """This group's own values instead of the deployment's; they replace the former ones."""
    caller.require("manage", group_id)
    deps = services().deps(handle_groups.Deps)
    return GroupAnswer.of(await handle_groups.put_settings(group_id, changes, deps))


@router.put("/groups/{group_id}/members/{user_id}/opt-out")
async def opt_out(group_id: GroupId, user_id: Id, asked: OptOut, caller: TheCaller) -> OptOutAnswer:
    """From now on nothing this member says is kept but its place in the reply chain."""
    caller.require("manage", group_id)
    deps = services().deps(handle_groups.Deps)
    group = await handle_groups.opt_out(group_id, user_id, asked.opted_out, deps)
    return OptOutAnswer(user_id=user_id, opted_out=user_id in group.opted_out)


@router.post("/keys", status_code=201)
async def add_key(asked: NewKey, caller: TheCaller, request: Request) -> NewKeyAnswer:
    """The key's text is shown this once: only a hash is kept. Nobody makes a key that reaches
    further than their own."""
    caller.require("manage")
    text, key = await handle_keys.add(asked, caller, services().deps(handle_keys.Deps))
    request.app.state.keys.forget(key.key_id)
    return NewKeyAnswer(key=str(text), **ShownKey.of(key).model_dump())


@router.get("/keys")
async def list_keys(caller: TheCaller, limit: Limit = 20, offset: Offset = 0) -> KeyList:
    """The newest first, revoked ones too."""
    caller.require_everywhere("manage")
    total, keys = await services().keys.listed(limit, offset)
    return KeyList(total=total, keys=[ShownKey.of(one) for one in keys])


@router.delete("/keys/{key_id}")
async def revoke_key(key_id: str, caller: TheCaller, request: Request) -> KeyAnswer:
    """It and the keys made with it stop working at once here, and within a minute everywhere."""
    caller.require("manage")
    gone = await handle_keys.revoke(key_id, caller, services().deps(handle_keys.Deps))
    for one in gone:
        request.app.state.keys.forget(one.key_id)
    return KeyAnswer.of(gone[0])


@router.get("/usage")
async def usage(
    caller: TheCaller,
    group_id: Annotated[GroupId | None, Query()] = None,
    days: Annotated[int, Query(ge=1, le=366)] = 7,
) -> UsageList:
    """What models cost, by day and group."""
    if group_id is None:
        caller.require_everywhere("manage")
    caller.require("manage", group_id)
    today = services().now().date()
    first = (today - timedelta(days=days - 1)).isoformat()
    rows = await services().usage.totals(group_id, first, today.isoformat())
    return UsageList(total=len(rows), usage=rows)


@router.post("/tasks/historian")
async def historian(task: JobTask) -> TaskOutcome:
    """Makes an event of an end-of-turn note."""
    from functions.historian_job import handle_note

    log.bind(job_id=task.job_id)
    made = services()
    deps = made.deps(handle_note.Deps, model_budget_s=queues()["historian"].model_budget_s)
    ran = await made.worker.run(task.job_id, lambda work: handle_note.record_note(work, deps))
    return TaskOutcome(outcome=ran.outcome.value)


@router.post("/tasks/forget")
async def forget(task: JobTask) -> TaskOutcome:
    """Removes what came of a message that is blank already."""
    log.bind(job_id=task.job_id)
    made = services()
    deps = made.deps(handle_forget.Deps)
    ran = await made.worker.run(task.job_id, lambda work: handle_forget.forget(work, deps))
    return TaskOutcome(outcome=ran.outcome.value)


app = create_app(
    "historian_job",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["historian"].function_timeout_s,
)

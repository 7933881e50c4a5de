"""The routes of historian_job: notes to events, forgetting, and what an operator needs."""

import secrets
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from functions.historian_job import handle_forget
from shared import log
from shared.config import effective, need, problems, settings
from shared.contracts.api import Body, GroupId, Limit, Offset
from shared.contracts.queues import queues
from shared.contracts.shown import plain, shown_event, shown_group, shown_job, shown_key
from shared.contracts.tasks import JobTask
from shared.domain.group import Group
from shared.domain.jobs.job import Job, JobState, retried
from shared.domain.key import KeyText, StoredKey, checked_patterns, checked_scopes, hash_secret
from shared.errors import Conflict, Forbidden, NotFound
from shared.runtime.app import create_app
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import find_key, services

router = APIRouter()


def _forget_deps() -> handle_forget.Deps:
    made = services()
    return handle_forget.Deps(
        groups=made.groups,
        messages=made.messages,
        topics=made.topics,
        jobs=made.jobs,
        vectors=made.vectors,
        dispatch=made.dispatch,
        now=made.now,
    )


@router.get("/events")
async def list_events(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    time_from: datetime | None = None,
    time_to: datetime | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> dict[str, Any]:
    """The newest first."""
    caller.require("read", group_id)
    total, events = await services().events.listed(
        group_id, time_from=time_from, time_to=time_to, limit=limit, offset=offset
    )
    return {"success": True, "total": total, "events": [shown_event(one) for one in events]}


@router.delete("/groups/{group_id}/messages/{message_id}", status_code=202)
async def forget_message(group_id: GroupId, message_id: str, caller: TheCaller) -> dict[str, Any]:
    """Blank at once; what came of it goes in a job. The receipt tells when that is done."""
    caller.require("manage", group_id)
    job = await handle_forget.forget_message(group_id, message_id, _forget_deps())
    return {"success": True, "forget_id": job.job_id}


@router.get("/forgets/{forget_id}")
async def get_forget(forget_id: str, caller: TheCaller) -> dict[str, Any]:
    caller.require("manage")
    job = await _seen_job(forget_id, caller)
    if job.kind != "forget":
        raise NotFound(f"there is no forget {forget_id}")
    return {
        "success": True,
        "forget_id": forget_id,
        "state": job.state.value,
        "error": job.error,
        "receipt": plain(dict(job.result)),
    }


@router.get("/jobs")
async def list_jobs(
    caller: TheCaller,
    status: JobState | None = None,
    group_id: Annotated[GroupId | None, Query()] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> dict[str, Any]:
    """The newest first. Without a group, only a key for all groups may ask."""
    if group_id is None:
        caller.require_everywhere("manage")
    caller.require("manage", group_id)
    total, jobs = await services().jobs.listed(
        state=status.value if status else None, group_id=group_id, limit=limit, offset=offset
    )
    return {"success": True, "total": total, "jobs": [shown_job(one) for one in jobs]}


@router.post("/jobs/{job_id}/retry", status_code=202)
async def retry_job(job_id: str, caller: TheCaller) -> dict[str, Any]:
    """A failed job, once more: with fresh attempts, and from where it was."""
    caller.require("manage")
    await _seen_job(job_id, caller)
    made = services()

    def again(job: Job) -> Job:
        if job.state is not JobState.FAILED:
            raise Conflict(f"the job is {job.state.value}; only a failed one can be retried")
        return retried(job, made.now())

    job = await made.jobs.move(job_id, again)
    await made.dispatch.job(job)
    return {"success": True, "job": shown_job(job)}


async def _seen_job(job_id: str, caller: Caller) -> Job:
    job = await services().jobs.get(job_id)
    if job is None or not caller.may_see(job.group_id):
        raise NotFound(f"there is no job {job_id}")
    return job


@router.get("/groups/{group_id}/settings")
async def get_settings(group_id: GroupId, caller: TheCaller) -> dict[str, Any]:
    caller.require("read", group_id)
    return {"success": True, **shown_group(await services().groups.get(group_id))}


@router.put("/groups/{group_id}/settings")
async def put_settings(
    group_id: GroupId, changes: dict[str, Any], caller: TheCaller
) -> dict[str, Any]:
    """This group's own values instead of the deployment's; they replace the former ones."""

    caller.require("manage", group_id)
    effective(settings(), changes)
    made = services()
    group = await made.groups.change(
        group_id, lambda found: replace(found, settings=changes), made.now()
    )
    return {"success": True, **shown_group(group)}


class OptOut(Body):
    opted_out: bool = True


@router.put("/groups/{group_id}/members/{user_id}/opt-out")
async def opt_out(
    group_id: GroupId, user_id: str, asked: OptOut, caller: TheCaller
) -> dict[str, Any]:
    """From now on nothing this member says is kept but its place in the reply chain."""
    caller.require("manage", group_id)
    made = services()

    def changed(group: Group) -> Group:
        others = tuple(one for one in group.opted_out if one != user_id)
        return replace(group, opted_out=(*others, user_id) if asked.opted_out else others)

    group = await made.groups.change(group_id, changed, made.now())
    return {"success": True, "user_id": user_id, "opted_out": user_id in group.opted_out}


class NewKey(Body):
    name: str = ""
    scopes: list[str]
    groups: list[str]


@router.post("/keys", status_code=201)
async def add_key(asked: NewKey, caller: TheCaller, request: Request) -> dict[str, Any]:
    """The key's text is shown this once: only a hash is kept. Nobody makes a key that reaches
    further than their own."""
    caller.require("manage")
    scopes, groups = checked_scopes(asked.scopes), checked_patterns(asked.groups)
    if not scopes <= caller.scopes or not all(caller.covers(one) for one in groups):
        raise Forbidden("a key cannot give more than it has")
    made = services()
    text = KeyText(secrets.token_hex(8), secrets.token_hex(24))
    hash_key = need(settings().hash_key, "ANNALS_HASH_KEY")
    key = StoredKey(
        text.key_id, asked.name, hash_secret(hash_key, text.secret), scopes, groups, made.now()
    )
    await made.keys.add(key)
    request.app.state.keys.forget(key.key_id)
    return {"success": True, "key": str(text), **shown_key(key)}


@router.get("/keys")
async def list_keys(caller: TheCaller, limit: Limit = 20, offset: Offset = 0) -> dict[str, Any]:
    caller.require_everywhere("manage")
    total, keys = await services().keys.listed(limit, offset)
    return {"success": True, "total": total, "keys": [shown_key(one) for one in keys]}


@router.delete("/keys/{key_id}")
async def revoke_key(key_id: str, caller: TheCaller, request: Request) -> dict[str, Any]:
    """It stops working at once here, and within a minute everywhere."""

    caller.require("manage")
    made = services()
    key = await made.keys.find(key_id)
    if key is None or not all(caller.covers(one) for one in key.groups):
        raise NotFound(f"there is no key {key_id}")
    if not key.is_revoked:
        key = replace(key, revoked_at=made.now())
        await made.keys.revoke(key)
    request.app.state.keys.forget(key_id)
    return {"success": True, **shown_key(key)}


@router.get("/usage")
async def usage(
    caller: TheCaller,
    group_id: Annotated[GroupId | None, Query()] = None,
    days: Annotated[int, Query(ge=1, le=366)] = 7,
) -> dict[str, Any]:
    """What models cost, by day and group."""
    if group_id is None:
        caller.require_everywhere("manage")
    caller.require("manage", group_id)
    today = services().now().date()
    first = (today - timedelta(days=days - 1)).isoformat()
    rows = await services().usage.totals(group_id, first, today.isoformat())
    return {"success": True, "total": len(rows), "usage": rows}


@router.post("/tasks/historian")
async def historian(task: JobTask) -> dict[str, Any]:
    from functions.historian_job import handle_note

    log.bind(job_id=task.job_id)
    made = services()
    deps = handle_note.Deps(
        groups=made.groups,
        messages=made.messages,
        events=made.events,
        vectors=made.vectors,
        model=made.model,
        embedder=made.embedder,
        now=made.now,
        model_budget_s=queues()["historian"].model_budget_s,
    )
    ran = await made.worker.run(task.job_id, lambda work: handle_note.record_note(work, deps))
    return {"success": True, "outcome": ran.outcome.value}


@router.post("/tasks/forget")
async def forget(task: JobTask) -> dict[str, Any]:
    log.bind(job_id=task.job_id)
    ran = await services().worker.run(
        task.job_id, lambda work: handle_forget.forget(work, _forget_deps())
    )
    return {"success": True, "outcome": ran.outcome.value}


app = create_app(
    "historian_job",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["historian"].function_timeout_s,
)

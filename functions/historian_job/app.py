"""Notes to events, forgetting, and what an operator needs."""

from fastapi import APIRouter

from shared.config import problems, settings
from shared.contracts.queues import queues
from shared.runtime.app import create_app, routes_at
from shared.wiring import find_key


@routes_at("/events", "/graph", "/entities/")
def knowledge() -> APIRouter:
    from functions.historian_job.routes_knowledge import router

    return router


@routes_at("/profiles/")
def profiles() -> APIRouter:
    from functions.historian_job.routes_profiles import router

    return router


@routes_at("/jobs", "/forgets/", "/groups/")
def jobs() -> APIRouter:
    from functions.historian_job.routes_jobs import router

    return router


@routes_at("/groups/")
def groups() -> APIRouter:
    from functions.historian_job.routes_groups import router

    return router


@routes_at("/groups/")
def members() -> APIRouter:
    from functions.historian_job.routes_members import router

    return router


@routes_at("/prompts")
def prompts() -> APIRouter:
    from functions.historian_job.routes_prompts import router

    return router


@routes_at("/keys", "/usage")
def keys() -> APIRouter:
    from functions.historian_job.routes_keys import router

    return router


@routes_at("/tasks/")
def tasks() -> APIRouter:
    from functions.historian_job.routes_tasks import router

    return router


app = create_app(
    "historian_job",
    knowledge,
    profiles,
    jobs,
    groups,
    members,
    prompts,
    keys,
    tasks,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["historian"].function_timeout_s,
)

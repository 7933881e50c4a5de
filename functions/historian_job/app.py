"""The routes of historian_job: notes to events, forgetting, and what an operator needs.

They stand in routers by subject; each handler with its services is imported where it is called.
"""

from fastapi import APIRouter

from functions.historian_job import (
    routes_events,
    routes_graph,
    routes_groups,
    routes_jobs,
    routes_keys,
    routes_members,
    routes_profiles,
    routes_prompts,
    routes_tasks,
)
from shared.config import problems, settings
from shared.contracts.queues import queues
from shared.runtime.app import create_app
from shared.wiring import find_key

router = APIRouter()
for part in (
    routes_events,
    routes_profiles,
    routes_graph,
    routes_jobs,
    routes_groups,
    routes_members,
    routes_prompts,
    routes_keys,
    routes_tasks,
):
    router.include_router(part.router)

app = create_app(
    "historian_job",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["historian"].function_timeout_s,
)

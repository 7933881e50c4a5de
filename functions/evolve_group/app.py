"""Runs, the memory API, and upkeep."""

from fastapi import APIRouter

from shared.config import problems, settings
from shared.contracts.queues import queues
from shared.runtime.app import create_app, routes_at
from shared.wiring import find_key


@routes_at("/memory/evolve/", "/tasks/", "/cron/")
def runs() -> APIRouter:
    from functions.evolve_group.routes_tasks import router

    return router


@routes_at("/memory/")
def memories() -> APIRouter:
    from functions.evolve_group.routes_memories import router

    return router


app = create_app(
    "evolve_group",
    runs,
    memories,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["evolve"].function_timeout_s,
)

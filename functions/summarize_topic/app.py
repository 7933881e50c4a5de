"""Topics, their summaries, and messages as they were said."""

from fastapi import APIRouter

from shared.config import problems, settings
from shared.contracts.queues import queues
from shared.runtime.app import create_app, routes_at
from shared.wiring import find_key


@routes_at("/topics")
def topics() -> APIRouter:
    from functions.summarize_topic.routes_topics import router

    return router


@routes_at("/groups/")
def groups() -> APIRouter:
    from functions.summarize_topic.routes_groups import router

    return router


@routes_at("/tasks/", "/cron/")
def tasks() -> APIRouter:
    from functions.summarize_topic.routes_tasks import router

    return router


app = create_app(
    "summarize_topic",
    topics,
    groups,
    tasks,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["summarize"].function_timeout_s,
)

"""Webhooks, messages, end-of-turn notes, and their upkeep."""

from fastapi import APIRouter

from shared.config import problems, settings
from shared.contracts.queues import queues
from shared.runtime.app import create_app, routes_at
from shared.wiring import find_key


@routes_at("/webhooks/", "/platforms/")
def webhooks() -> APIRouter:
    from functions.ingest_message.routes_webhooks import router

    return router


@routes_at("/messages", "/end")
def messages() -> APIRouter:
    from functions.ingest_message.routes_messages import router

    return router


@routes_at("/tasks/", "/cron/")
def tasks() -> APIRouter:
    from functions.ingest_message.routes_tasks import router

    return router


app = create_app(
    "ingest_message",
    webhooks,
    messages,
    tasks,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["attribute"].function_timeout_s,
)

"""Webhooks, messages, end-of-turn notes, and their upkeep."""

from shared.config import problems, settings
from shared.contracts.queues import queues
from shared.runtime.app import create_app
from shared.runtime.late_routes import RoutesOf
from shared.wiring import find_key

app = create_app(
    "ingest_message",
    RoutesOf(
        "functions.ingest_message.routes_messages",
        (
            "/messages",
            "/end",
        ),
    ),
    RoutesOf(
        "functions.ingest_message.routes_webhooks",
        (
            "/webhooks/",
            "/platforms/",
        ),
    ),
    RoutesOf(
        "functions.ingest_message.routes_tasks",
        (
            "/tasks/",
            "/cron/",
        ),
    ),
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["attribute"].function_timeout_s,
)

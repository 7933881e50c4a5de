"""Contexts, and the tools of a model."""

from shared.config import problems, settings
from shared.runtime.app import create_app
from shared.runtime.late_routes import RoutesOf
from shared.wiring import find_key

app = create_app(
    "build_context",
    RoutesOf("functions.build_context.routes_context", ("/context",)),
    RoutesOf(
        "functions.build_context.routes_looking",
        (
            "/contexts",
            "/context/",
            "/groups",
        ),
    ),
    RoutesOf(
        "functions.build_context.routes_metrics",
        (
            "/metrics",
            "/alerts",
            "/cron/",
        ),
    ),
    RoutesOf(
        "functions.build_context.routes_tools",
        (
            "/tools",
            "/mcp",
        ),
    ),
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=30,
)

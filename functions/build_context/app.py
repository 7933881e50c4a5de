"""Contexts, and the tools of a model."""

from fastapi import APIRouter

from shared.config import problems, settings
from shared.runtime.app import create_app, routes_at
from shared.wiring import find_key


@routes_at("/context")
def context() -> APIRouter:
    from functions.build_context.routes_context import router

    return router


@routes_at("/contexts", "/context/", "/groups")
def context_records() -> APIRouter:
    from functions.build_context.routes_context_records import router

    return router


@routes_at("/metrics", "/alerts", "/cron/")
def metrics() -> APIRouter:
    from functions.build_context.routes_metrics import router

    return router


@routes_at("/tools", "/mcp")
def tools() -> APIRouter:
    from functions.build_context.routes_tools import router

    return router


app = create_app(
    "build_context",
    context,
    context_records,
    metrics,
    tools,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=30,
)

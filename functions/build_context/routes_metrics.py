"""Metrics and alerts."""

from typing import Annotated

from fastapi import APIRouter, Header, Query
from fastapi.responses import PlainTextResponse

from shared.contracts.metrics import AlertsAnswer, MetricsAnswer
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


Window = Annotated[int, Query(ge=60, le=30 * 86_400)]


ALERT_WINDOW_S = 3600
"""Of the schedule: as `GET /alerts` without a window."""


@router.get(
    "/metrics",
    response_model=MetricsAnswer,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def show_metrics(
    caller: TheCaller,
    window_seconds: Window = 3600,
    accept: Annotated[str, Header(max_length=500)] = "",
) -> MetricsAnswer | PlainTextResponse:
    """How well contexts and jobs do, over all groups; Prometheus text if that is accepted."""
    from functions.build_context import handle_metrics
    from shared.domain.metrics.catalogue import prometheus

    caller.require_everywhere("read")
    told = await handle_metrics.metrics(window_seconds, services())
    if "text/plain" in accept or "openmetrics" in accept:
        return PlainTextResponse(prometheus(told.metrics, window_seconds, told.variants))
    return told


@router.get("/alerts")
async def show_alerts(caller: TheCaller, window_seconds: Window = 3600) -> AlertsAnswer:
    """What is wrong now, each with its limit; those that fire first."""
    from functions.build_context import handle_metrics

    caller.require_everywhere("read")
    return await handle_metrics.alerts(window_seconds, services())


@router.post("/cron/alerts")
async def tell_alerts() -> AlertsAnswer:
    """Logs a line for each alert that fires and one with all metrics, for the cloud's own."""
    from functions.build_context import handle_metrics

    deps = services()
    return await handle_metrics.tell_alerts(ALERT_WINDOW_S, deps)

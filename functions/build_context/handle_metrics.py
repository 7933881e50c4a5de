"""Numbers for an operator, counted by the database: right whichever instance is asked."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared import log
from shared.contracts.metrics import AlertsAnswer, MetricsAnswer, ShownAlert
from shared.domain.jobs.job import JobState
from shared.domain.metrics.alerts import ALERT_LINE, ALERTS
from shared.domain.metrics.catalogue import METRICS, measured
from shared.stores.contexts import Contexts
from shared.stores.jobs import Jobs
from shared.stores.messages import Messages


@dataclass(frozen=True)
class Deps:
    contexts: Contexts
    jobs: Jobs
    messages: Messages
    now: Callable[[], datetime]


async def metrics(window_s: int, deps: Deps) -> MetricsAnswer:
    values = measured(await counted(window_s, deps))
    return MetricsAnswer(
        window_seconds=window_s,
        metrics=values,
        about={one.name: one.about for one in METRICS},
    )


async def alerts(window_s: int, deps: Deps) -> AlertsAnswer:
    sums = await counted(window_s, deps)
    values = measured(sums)
    shown = [
        ShownAlert(
            name=one.name,
            metric=one.metric,
            about=one.about,
            value=values[one.metric],
            limit=one.over if one.over is not None else one.under or 0.0,
            is_firing=one.fires(values[one.metric], sums.get(one.needs, 0.0)),
        )
        for one in ALERTS
    ]
    shown.sort(key=lambda one: not one.is_firing)
    firing = sum(one.is_firing for one in shown)
    return AlertsAnswer(window_seconds=window_s, firing=firing, alerts=shown)


async def tell_alerts(window_s: int, deps: Deps) -> AlertsAnswer:
    """The same, with a line in the log for each that fires."""
    found = await alerts(window_s, deps)
    for one in found.alerts:
        if one.is_firing:
            log.warning(
                ALERT_LINE, alert=one.name, metric=one.metric, value=one.value, limit=one.limit
            )
    return found


async def counted(window_s: int, deps: Deps) -> dict[str, float]:
    """Everything that metrics are made of, asked for at once."""
    now = deps.now()
    since = now - timedelta(seconds=window_s)
    (totals, groups, waiting), (pending, running, done, failed) = await asyncio.gather(
        asyncio.gather(
            deps.contexts.totals(since),
            deps.contexts.groups_served(since),
            deps.messages.groups_with_pending(now, 1),
        ),
        asyncio.gather(
            deps.jobs.count(JobState.PENDING, None),
            deps.jobs.count(JobState.RUNNING, None),
            deps.jobs.count(JobState.DONE, since),
            deps.jobs.count(JobState.FAILED, since),
        ),
    )
    _, oldest = waiting
    waits = (now - oldest).total_seconds() if oldest else 0.0
    return {
        **totals,
        "groups": float(len(groups)),
        "hours": window_s / 3600,
        "jobs_pending": float(pending),
        "jobs_running": float(running),
        "jobs_done": float(done),
        "jobs_failed": float(failed),
        "oldest_pending_s": max(0.0, waits),
    }

"""Numbers for an operator, counted by the database: right whichever instance is asked."""

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta

from shared import log
from shared.config import VARIANTS
from shared.contracts.metrics import AlertsAnswer, MetricsAnswer, ShownAlert
from shared.domain.jobs.job import JobState
from shared.domain.metrics.alerts import ALERT_LINE, ALERTS
from shared.domain.metrics.catalogue import (
    METRICS,
    METRICS_LINE,
    measured,
    metrics_line,
    of_variant,
)
from shared.wiring import Services


async def metrics(window_s: int, made: Services) -> MetricsAnswer:
    found = await counted(window_s, made)
    return MetricsAnswer(
        window_seconds=window_s,
        metrics=measured(found.sums),
        about={one.name: one.about for one in METRICS},
        variants={key: of_variant(sums) for key, sums in found.variants.items()},
    )


async def alerts(window_s: int, made: Services) -> AlertsAnswer:
    return _judged((await counted(window_s, made)).sums, window_s)


def _judged(sums: dict[str, float], window_s: int) -> AlertsAnswer:
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


async def tell_alerts(window_s: int, made: Services) -> AlertsAnswer:
    """The same, with a line in the log for each that fires, and one of all metrics."""
    counts = await counted(window_s, made)
    now = made.now()
    log.info(METRICS_LINE, **metrics_line(measured(counts.sums), now, window_s))
    for key, sums in counts.variants.items():
        log.info(METRICS_LINE, **metrics_line(of_variant(sums), now, window_s, key))
    found = _judged(counts.sums, window_s)
    for alert in found.alerts:
        if alert.is_firing:
            log.warning(
                ALERT_LINE,
                alert=alert.name,
                metric=alert.metric,
                value=alert.value,
                limit=alert.limit,
            )
    return found


@dataclass(frozen=True)
class CountedMetrics:
    """All together, and the contexts of each side of an experiment that had some."""

    sums: dict[str, float]
    variants: dict[str, dict[str, float]] = field(default_factory=dict)


async def counted(window_s: int, made: Services) -> CountedMetrics:
    """Everything that metrics are made of, asked for at once."""
    now = made.now()
    since = now - timedelta(seconds=window_s)
    hours = {"hours": window_s / 3600}
    totals, groups, oldest, masked, (pending, running, failed, jobs, due) = await asyncio.gather(
        asyncio.gather(*(made.contexts.totals(since, one) for one in VARIANTS)),
        asyncio.gather(*(made.contexts.groups_served(since, one) for one in VARIANTS)),
        made.messages.oldest_pending(now),
        made.messages.count_masked(since),
        asyncio.gather(
            made.jobs.count(JobState.PENDING, None),
            made.jobs.count(JobState.RUNNING, None),
            made.jobs.count(JobState.FAILED, since),
            made.jobs.totals(since),
            made.jobs.overdue(JobState.PENDING, now, 1),
        ),
    )
    waits = (now - oldest).total_seconds() if oldest else 0.0
    job_waits = (now - due[0].due_at).total_seconds() if due else 0.0
    sums = {
        **{name: sum(total[name] for total in totals) for name in totals[0]},
        **hours,
        **jobs,
        "secrets_masked": jobs["secrets_masked"] + masked,
        "groups": float(len(set().union(*groups))),
        "jobs_pending": float(pending),
        "jobs_running": float(running),
        "jobs_failed": float(failed),
        "oldest_pending_s": max(0.0, waits),
        "oldest_job_s": max(0.0, job_waits),
    }
    sides = {
        key: {**own, **hours, "groups": float(len(served))}
        for key, own, served in zip(VARIANTS, totals, groups, strict=True)
        if key and own["contexts"]
    }
    return CountedMetrics(sums, sides)

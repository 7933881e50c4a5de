"""Every metric, in one line each, and how it follows from what the database counted; and the
line of the log that has them. Pure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

Sums = Mapping[str, float]
NO_VARIANTS: Mapping[str, Mapping[str, float | None]] = {}


@dataclass(frozen=True)
class Metric:
    """None where nothing was counted: a rate of nothing is no rate. `unit` is as CloudWatch calls
    it; `of_contexts` if an experiment's sides can be compared by it."""

    name: str
    about: str
    value: Callable[[Sums], float | None]
    unit: str = "None"
    of_contexts: bool = True


def _share(part: str, whole: str) -> Callable[[Sums], float | None]:
    return lambda sums: sums[part] / sums[whole] if sums[whole] else None


def _savings(sums: Sums) -> float | None:
    plain = sums["plain_tokens"]
    return 1 - sums["tokens"] / plain if plain else None


def _share_of_ended(part: str) -> Callable[[Sums], float | None]:
    def share(sums: Sums) -> float | None:
        ended = sums["jobs_done"] + sums["jobs_failed"]
        return sums[part] / ended if ended else None

    return share


METRICS = (
    Metric(
        "avg_context_build_time_ms",
        "Mean time from a question to its context, in ms.",
        _share("took_ms", "contexts"),
        "Milliseconds",
    ),
    Metric(
        "slow_contexts",
        "Contexts that took longer than 5 s.",
        lambda sums: sums["is_slow"],
        "Count",
    ),
    Metric(
        "context_cache_hit_rate",
        "Share of contexts whose instance knew the group's last lines already.",
        _share("is_warm", "contexts"),
    ),
    Metric(
        "avg_relevance_score",
        "Mean score of the offered messages, over contexts that offered some.",
        _share("score", "has_scores"),
    ),
    Metric(
        "avg_context_message_count",
        "Messages offered in a context, on average.",
        _share("messages", "contexts"),
        "Count",
    ),
    Metric(
        "token_savings_rate",
        "Share of tokens saved against the last 20 messages; below 0 if contexts cost more.",
        _savings,
    ),
    Metric(
        "contexts_built_per_hour",
        "Contexts of the window, as a number an hour.",
        lambda sums: sums["contexts"] / sums["hours"],
        "Count",
    ),
    Metric(
        "unique_groups_served",
        "Groups that asked for a context in the window.",
        lambda sums: sums["groups"],
        "Count",
    ),
    Metric(
        "user_satisfaction_score",
        "Mean success_indicator of the feedback that has one.",
        _share("satisfaction", "rated"),
    ),
    Metric(
        "context_effectiveness_rate",
        "Share of what was offered that replies used, over contexts with feedback.",
        _share("used", "judged"),
    ),
    Metric(
        "fallback_rate",
        "Share of contexts that were not built by relevance.",
        _share("is_fallback", "contexts"),
    ),
    Metric(
        "error_rate",
        "Share of contexts on whose way something broke.",
        _share("is_error", "contexts"),
    ),
    Metric(
        "jobs_pending",
        "Jobs that wait, now.",
        lambda sums: sums["jobs_pending"],
        "Count",
        of_contexts=False,
    ),
    Metric(
        "jobs_running",
        "Jobs under way, now.",
        lambda sums: sums["jobs_running"],
        "Count",
        of_contexts=False,
    ),
    Metric(
        "jobs_failed",
        "Jobs made in the window that failed for good.",
        lambda sums: sums["jobs_failed"],
        "Count",
        of_contexts=False,
    ),
    Metric(
        "job_success_rate",
        "Share of the window's ended jobs that were done.",
        _share_of_ended("jobs_done"),
        of_contexts=False,
    ),
    Metric(
        "job_failure_rate",
        "Share of the window's ended jobs that failed for good.",
        _share_of_ended("jobs_failed"),
        of_contexts=False,
    ),
    Metric(
        "job_attempts_mean",
        "Attempts that a done job of the window took; 1 if none was tried again.",
        _share("job_attempts", "jobs_done"),
        of_contexts=False,
    ),
    Metric(
        "job_seconds_mean",
        "Mean time from a job's making to its end, in s.",
        _share("job_seconds", "jobs_done"),
        "Seconds",
        of_contexts=False,
    ),
    Metric(
        "oldest_waiting_job_seconds",
        "How long the job that is due for longest has waited; 0 if none is due.",
        lambda sums: sums["oldest_job_s"],
        "Seconds",
        of_contexts=False,
    ),
    Metric(
        "changes_supported",
        "Changes of memories in the window whose sources say them.",
        lambda sums: sums["changes_supported"],
        "Count",
        of_contexts=False,
    ),
    Metric(
        "changes_contradicted",
        "Changes of memories in the window whose sources deny them.",
        lambda sums: sums["changes_contradicted"],
        "Count",
        of_contexts=False,
    ),
    Metric(
        "changes_not_said",
        "Changes of memories in the window that are not in their sources; they stay candidates.",
        lambda sums: sums["changes_not_said"],
        "Count",
        of_contexts=False,
    ),
    Metric(
        "secrets_masked",
        "Messages and derived texts of the window in which a password, token or number was masked.",
        lambda sums: sums["secrets_masked"],
        "Count",
        of_contexts=False,
    ),
    Metric(
        "changes_supported_rate",
        "Share of the judged changes of memories that their sources say.",
        _share("changes_supported", "changes_judged"),
        of_contexts=False,
    ),
    Metric(
        "oldest_pending_message_seconds",
        "How long the oldest message that has no topic yet has waited; 0 if none waits.",
        lambda sums: sums["oldest_pending_s"],
        "Seconds",
        of_contexts=False,
    ),
)


Values = Mapping[str, float | None]


def measured(sums: Sums) -> dict[str, float | None]:
    return _rounded({metric.name: metric.value(sums) for metric in METRICS})


def of_variant(sums: Sums) -> dict[str, float | None]:
    """The same for one side of an experiment: what contexts tell, nothing of jobs."""
    return _rounded({metric.name: metric.value(sums) for metric in METRICS if metric.of_contexts})


def _rounded(found: Values) -> dict[str, float | None]:
    return {name: None if value is None else round(value, 4) for name, value in found.items()}


def prometheus(values: Values, window_s: int, variants: Mapping[str, Values] = NO_VARIANTS) -> str:
    """The text that a Prometheus server scrapes: gauges over the window."""
    lines = []
    window = f'window_seconds="{window_s}"'
    for metric in METRICS:
        lines += [
            f"# HELP annals_{metric.name} {metric.about}",
            f"# TYPE annals_{metric.name} gauge",
        ]
        told = {window: values[metric.name]}
        told |= {f'{window},variant="{key}"': of.get(metric.name) for key, of in variants.items()}
        lines += [
            f"annals_{metric.name}{{{labels}}} {value:g}"
            for labels, value in told.items()
            if value is not None
        ]
    return "\n".join(lines) + "\n"


METRICS_LINE = "metrics"
NAMESPACE = "Annals"


def metrics_line(values: Values, at: datetime, window_s: int, variant: str = "") -> dict[str, Any]:
    """What was counted, under its own names; a rate of nothing is left out. `variant` is the side
    of an experiment that it is of."""
    told = {name: value for name, value in values.items() if value is not None}
    units = {metric.name: metric.unit for metric in METRICS}
    side = {"variant": variant} if variant else {}
    return {
        **told,
        **side,
        "window_seconds": window_s,
        "_aws": {
            "Timestamp": int(at.timestamp() * 1000),
            "CloudWatchMetrics": [
                {
                    "Namespace": NAMESPACE,
                    "Dimensions": [["function", *side]],
                    "Metrics": [{"Name": name, "Unit": units[name]} for name in told],
                }
            ],
        },
    }

"""Metrics as text, and when alerts fire."""

import re
from datetime import UTC, datetime

import pytest

from infra.tables import metrics as metrics_table
from shared.domain.metrics.alerts import ALERTS, Alert
from shared.domain.metrics.catalogue import (
    METRICS,
    METRICS_LINE,
    measured,
    metrics_line,
    prometheus,
)
from tests.project import ROOT

COUNTED = """
    took_ms is_slow is_fallback is_error is_warm messages score has_scores tokens plain_tokens
    judged used satisfaction rated contexts groups jobs_pending jobs_running jobs_done jobs_failed
    oldest_pending_s oldest_job_s job_attempts job_seconds changes_supported changes_contradicted
    changes_not_said changes_judged secrets_masked
"""
NOTHING = dict.fromkeys(COUNTED.split(), 0.0) | {"hours": 1.0}
SEED = {
    "avg_context_build_time_ms", "context_cache_hit_rate", "avg_relevance_score",
    "avg_context_message_count", "token_savings_rate", "contexts_built_per_hour",
    "unique_groups_served", "user_satisfaction_score", "context_effectiveness_rate",
}  # fmt: skip


def test_every_metric_of_the_seed_is_there_with_a_line_about_it() -> None:
    assert {one.name for one in METRICS} >= SEED
    assert all(one.about.endswith(".") for one in METRICS)


def test_of_nothing_there_is_no_rate() -> None:
    values = measured(NOTHING)

    assert values["fallback_rate"] is None
    assert values["contexts_built_per_hour"] == 0
    assert not any(one.fires(values[one.metric], 0) for one in ALERTS)


def test_prometheus_reads_every_line() -> None:
    text = prometheus(measured({**NOTHING, "contexts": 2.0, "took_ms": 30.0}), 3600)
    line = re.compile(
        r'(# (HELP|TYPE) annals_\w+ .+|annals_\w+\{window_seconds="3600"\} -?[\d.e+]+)'
    )

    assert all(line.fullmatch(one) for one in text.splitlines())
    assert 'annals_avg_context_build_time_ms{window_seconds="3600"} 15' in text


@pytest.mark.parametrize("alert", ALERTS, ids=lambda one: one.name)
def test_an_alert_fires_beyond_its_limit_and_not_at_it(alert: Alert) -> None:
    limit = alert.over if alert.over is not None else alert.under
    assert limit is not None
    beyond = limit + 0.01 if alert.over is not None else limit - 0.01

    assert alert.fires(beyond, 100)
    assert not alert.fires(limit, 100)
    assert not alert.fires(None, 100)
    assert alert.fires(beyond, 3) is (alert.needs == "")


def test_the_page_defines_every_metric_and_alert_in_a_line() -> None:
    page = (ROOT / "docs" / "metrics.md").read_text("utf-8")

    assert all(f"| `{one.name}` | {one.about} |" in page for one in METRICS)
    assert all(f"| `{one.name}` | `{one.metric}` | {one.about} |" in page for one in ALERTS)


AT = datetime(2026, 1, 2, tzinfo=UTC)


def test_the_line_of_all_metrics_is_one_that_cloudwatch_reads() -> None:
    values = measured({**NOTHING, "contexts": 2.0, "took_ms": 30.0})
    line = metrics_line(values, AT, 3600)
    [block] = line["_aws"]["CloudWatchMetrics"]
    named = [one["Name"] for one in block["Metrics"]]

    assert line["_aws"]["Timestamp"] == AT.timestamp() * 1000
    assert isinstance(line["_aws"]["Timestamp"], int)
    assert set(named) == {name for name, value in values.items() if value is not None}
    assert all(isinstance(line[name], float) for name in named)
    assert "user_satisfaction_score" not in line, "a rate of nothing is left out"
    assert len(named) <= 100
    assert {one["Unit"] for one in block["Metrics"]} <= {"Milliseconds", "Seconds", "Count", "None"}
    assert block["Dimensions"] == [["function"]], "every line of a function names it"
    side = metrics_line(values, AT, 3600, "b")
    assert side["_aws"]["CloudWatchMetrics"][0]["Dimensions"] == [["function", "variant"]]
    assert side["variant"] == "b"


def test_google_makes_a_metric_of_each_from_the_same_table() -> None:
    table = metrics_table()

    assert list(table["all"]) == [one.name for one in METRICS]
    assert table["line"] == METRICS_LINE
    assert all(one["unit"] in ("1", "s", "ms") for one in table["all"].values())

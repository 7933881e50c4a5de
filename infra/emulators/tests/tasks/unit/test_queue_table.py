"""The table of queues: complete, in order with its own rule, and refused with words if not."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from infra.emulators.tasks import queue_rules, queue_table
from infra.emulators.testing import ROOT

PATH = ROOT / "infra/queues.toml"


def content() -> dict[str, Any]:
    return tomllib.loads(PATH.read_text())


def test_every_column_is_explained_and_filled() -> None:
    comments = [line for line in PATH.read_text().splitlines() if line.startswith("# ")]
    columns = {column for row in content()["queues"].values() for column in row}
    for column in columns:
        assert any(line.startswith(f"# {column} ") for line in comments), column
    assert all(set(row) == columns for row in content()["queues"].values())


def test_model_budgets_fit_into_timeouts_and_those_into_deadlines() -> None:
    for row in content()["queues"].values():
        assert row["model_budget_s"] < row["function_timeout_s"] < row["dispatch_deadline_s"]
        assert 15 <= row["dispatch_deadline_s"] <= 1800


def test_a_function_has_one_timeout() -> None:
    rows = content()["queues"].values()
    timeouts = {(row["function"], row["function_timeout_s"]) for row in rows}
    assert len(timeouts) == len({function for function, _ in timeouts})


def test_every_queue_is_one_the_service_takes_as_it_stands() -> None:
    for asked in queue_table.read(PATH):
        queue = queue_rules.created(asked)
        row = content()["queues"][queue.name.rpartition("/")[2]]
        policy = queue_rules.policy_of(queue.retry_config)
        assert queue_rules.limits_of(queue).rate_per_second == row["rate_per_second"]
        assert queue_rules.limits_of(queue).concurrency == row["concurrency"]
        assert policy.max_attempts == row["max_attempts"]
        assert policy.min_backoff_us == row["min_backoff_s"] * 1_000_000
        assert policy.max_backoff_us == row["max_backoff_s"] * 1_000_000
        assert policy.max_doublings == row["max_doublings"]


def test_an_update_from_the_table_leaves_the_state_of_a_queue() -> None:
    asked = queue_table.read(PATH)[0]
    paused = queue_rules.created(asked)
    paused.state = 2
    asked.rate_limits.max_dispatches_per_second = 3
    again = queue_rules.merged(paused, asked, None)
    assert (again.state, again.rate_limits.max_dispatches_per_second) == (2, 3)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("concurrency", None, "[queues.attribute] lacks concurrency"),
        ("concurrency", "many", "concurrency must be of type int"),
        ("concurrency", True, "concurrency must be of type int"),
        ("max_doublings", 0, "max_doublings must be above 0"),
        ("max_attempts", -2, "max_attempts must be above 0"),
        ("model_budget_s", 120, "model_budget_s < function_timeout_s < dispatch_deadline_s"),
    ],
)
def test_a_bad_row_is_refused_by_name(column: str, value: Any, words: str) -> None:
    bad = content()
    if value is None:
        del bad["queues"]["attribute"][column]
    else:
        bad["queues"]["attribute"][column] = value
    with pytest.raises(queue_table.BadTable) as refused:
        queue_table.parsed(bad)
    assert words in str(refused.value)


def test_a_bad_queue_id_or_missing_project_is_refused() -> None:
    bad = content()
    bad["queues"]["snake_case"] = bad["queues"]["attribute"]
    with pytest.raises(queue_table.BadTable, match="hyphens"):
        queue_table.parsed(bad)
    with pytest.raises(queue_table.BadTable, match="lacks project"):
        queue_table.parsed({"queues": {}})


def test_a_file_that_is_no_toml_is_refused_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "queues.toml"
    path.write_text("queues = [")
    with pytest.raises(queue_table.BadTable, match=r"queues\.toml"):
        queue_table.read(path)

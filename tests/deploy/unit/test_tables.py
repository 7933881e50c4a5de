"""The tables that both deployments read, and what a cloud would refuse of them."""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from infra.tables import TABLES, rendered, tables
from infra.terraform_checks.__main__ import NOTHING_CHECKED
from infra.terraform_checks.__main__ import main as check_terraform
from infra.terraform_checks.discovery import complaints_of_indexes
from infra.terraform_checks.table_rules import complaints, is_cron
from shared.config.deployment import FUNCTIONS
from tests.project import ROOT


def test_the_tables_for_terraform_are_as_the_code_makes_them() -> None:
    assert TABLES.read_text("utf-8") == rendered(), "run `make docs`"


def test_every_function_is_deployed_and_only_workers_are_closed() -> None:
    rows = tables()["deployments"]
    assert {row["function"] for row in rows.values()} == set(FUNCTIONS)
    closed = [name for name, row in rows.items() if not row["public"]]
    assert closed == ["ingest_message-tasks"]
    assert all((row["task_auth"] == "iam") is not row["public"] for row in rows.values())


def test_nothing_of_the_tables_would_be_refused() -> None:
    assert complaints(tables()) == []


def changed(path: str, value: Any) -> dict[str, Any]:
    made: Any = copy.deepcopy(tables())
    *parents, last = path.split(".")
    at = made
    for one in parents:
        at = at[int(one)] if isinstance(at, list) else at[one]
    at[last] = value
    return made  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("deployments.build_context.cpu", 0.5, "processor"),
        ("deployments.build_context.memory_mb", 64, "MiB"),
        ("deployments.build_context.memory_mb", 5000, "MiB"),
        ("deployments.evolve_group.timeout_s", 1000, "no cloud"),
        ("sizes.10000.deployments.evolve_group.concurrency", 0, "concurrency"),
        ("deployments.evolve_group.min_instances", 99, "kept"),
        ("sizes.10000.deployments", {}, "other deployments"),
        ("sizes.10000.queues", {}, "other queues"),
        ("deployments.ingest_message-tasks.public", True, "everybody"),
        ("deployments.evolve_group.queues", ["nowhere"], "no queue"),
        ("deployments.evolve_group.secrets", ["LOST"], "no secret"),
        ("sizes.1000.queues.evolve.rate_per_second", 501, "a second"),
        ("sizes.1000.queues.evolve.concurrency", 5001, "at once"),
        ("queues.evolve.model_budget_s", 300, "out of order"),
        ("queues.evolve.function", "nobody", "there is no"),
        ("queues.evolve.function_timeout_s", 299, "another time"),
        ("schedules.0.cron", "0 3 * *", "no schedule"),
        ("schedules.0.cron", "0 3 * * 1", "week"),
        ("schedules.0.function", "nobody", "there is no"),
    ],
)
def test_a_bad_row_is_named(path: str, value: Any, word: str) -> None:
    found = complaints(changed(path, value))
    assert any(word in one for one in found), found


@pytest.mark.parametrize("text", ["* * * * *", "*/15 * * * *", "0 3 1-5 * *", "0,30 1 * 12 7"])
def test_a_schedule(text: str) -> None:
    assert is_cron(text)


@pytest.mark.parametrize(
    "text", ["", "* * * *", "60 * * * *", "*/0 * * * *", "5-1 * * * *", "x * * * *"]
)
def test_no_schedule(text: str) -> None:
    assert not is_cron(text)


def test_terraform_is_formatted_and_valid_where_it_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "infra.terraform_checks", "--quick"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == NOTHING_CHECKED:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr


def test_without_terraform_nothing_was_checked_and_that_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert check_terraform(["--quick"]) == NOTHING_CHECKED
    assert "nothing was checked, terraform is not installed" in capsys.readouterr().out


def test_tables_are_json_that_terraform_reads() -> None:
    assert set(json.loads(rendered())) == {
        "alerts",
        "metrics",
        "apis",
        "deployments",
        "environment",
        "queues",
        "schedules",
        "secrets",
        "sizes",
        "indexes",
        "field_overrides",
    }


def test_firestore_would_take_the_indexes_by_its_own_description() -> None:
    assert list(complaints_of_indexes(tables())) == []


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("indexes.0.queryScope", "COLLECTION_SCOPE", "is not one of"),
        ("indexes.0.fields.0.order", "UP", "is not one of"),
        ("indexes.0.fields.0.order", "ORDER_UNSPECIFIED", "needs one order"),
        ("indexes.0.fields.0.oder", "ASCENDING", "unexpected"),
        ("indexes.0.fields", [{"fieldPath": "a", "order": "ASCENDING"}], "2 to 100"),
        ("indexes.0.uniqe", True, "unexpected"),
        ("field_overrides.0.indexes", [{"order": "UP"}], "is not one of"),
        ("field_overrides.0.indexes", [{"queryScope": "COLLECTION"}], "needs one order"),
    ],
)
def test_a_bad_index_is_named(path: str, value: Any, word: str) -> None:
    found = list(complaints_of_indexes(changed(path, value)))
    assert any(word in one for one in found), found

"""Alerts: one table, of lines that the product really logs, in both clouds and on the page."""

import ast
import functools
import tomllib
from typing import Any

import pytest

from infra.tables import alerts
from shared.domain.metrics.alerts import ALERT_LINE, ALERTS
from tests.project import ROOT

ROWS: dict[str, Any] = tomllib.loads((ROOT / "infra" / "alerts.toml").read_text("utf-8"))
LEVELS = ("info", "warning", "error")


@functools.cache
def logged() -> dict[str, set[str]]:
    """Every line that the product logs by a name in its code, with its fields."""
    found: dict[str, set[str]] = {}
    for path in [*(ROOT / "functions").rglob("*.py"), *(ROOT / "shared").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="log"), attr=level), args=[first, *_]
                ) if level in LEVELS:
                    fields = {one.arg for one in node.keywords if one.arg}
                    match first:
                        case ast.Constant(value=str(name)):
                            found.setdefault(name, set()).update(fields)
                        case ast.Name(id="ALERT_LINE"):
                            found.setdefault(ALERT_LINE, set()).update(fields)
    return found


@pytest.mark.parametrize("name", ROWS)
def test_an_alerts_line_is_one_that_the_product_logs(name: str) -> None:
    row = alerts()[name]

    assert row["line"] in logged()
    assert set(row["where"]) <= logged()[row["line"]]


def test_every_alert_of_the_product_is_one_of_the_cloud() -> None:
    told = {name for name, row in ROWS.items() if "line" not in row}
    assert told == {one.name for one in ALERTS}


@pytest.mark.parametrize("name", ROWS)
def test_an_alert_says_what_it_means_and_what_to_do(name: str) -> None:
    row = ROWS[name]
    assert row["do"].endswith(".")
    assert alerts()[name]["means"].endswith(".")
    assert ("line" in row) == ("means" in row) == ("over" in row)

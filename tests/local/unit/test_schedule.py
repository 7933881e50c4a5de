"""When a cron expression is due."""

from datetime import UTC, datetime

import pytest

from infra.schedule import is_due, parse
from infra.ticker import due

MONDAY = datetime(2026, 11, 16, 3, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("* * * * *", True),
        ("30 3 * * *", True),
        ("*/15 * * * *", True),
        ("*/20 * * * *", False),
        ("0 3 * * *", False),
        ("30 1-4 * * 1-5", True),
        ("30 3 * * 0", False),
        ("30 3 * * 7", False),
        ("30 3 16 * 0", True),
        ("30 3 17 * 1", True),
        ("30 3 * 10,11 *", True),
        ("10/10 3 * * *", True),
    ],
)
def test_an_expression_is_due_in_its_minute(expression: str, expected: bool) -> None:
    assert is_due(expression, MONDAY) is expected


@pytest.mark.parametrize("expression", ["", "* * * *", "60 * * * *", "x * * * *", "*/0 * * * *"])
def test_a_bad_expression_says_what_is_wrong(expression: str) -> None:
    with pytest.raises(ValueError, match=r"is not a|five fields"):
        parse(expression)


def test_the_ticker_names_the_routes_that_are_due() -> None:
    table = {"a": {"cron": {"/cron/x": "30 3 * * *"}}, "b": {"cron": {"/cron/y": "0 3 * * *"}}}

    places = {"a": "http://here/a", "b": "http://there"}

    assert due(table, places, MONDAY) == ["http://here/a/cron/x"]

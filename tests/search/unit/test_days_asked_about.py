"""Which days a question names."""

from datetime import UTC, date, datetime

import pytest

from shared.domain.recall.question import recall_question

NOW = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("what did we say yesterday", date(2026, 11, 16)),
        ("上周五谁请客", date(2026, 11, 13)),
        ("who paid on the 3rd of november", date(2026, 11, 3)),
    ],
)
def test_a_day_that_is_named_is_found(text: str, day: date) -> None:
    days = recall_question(text, {}, now=NOW).days

    assert any(first <= day <= last for first, last in days)


def test_days_yet_to_come_are_not_asked_about() -> None:
    assert recall_question("who brings the stove tomorrow", {}, now=NOW).days == ()

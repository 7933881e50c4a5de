"""Which days a question names, and that the quick look before the grammar misses none of them."""

from datetime import UTC, date, datetime

import pytest

from bench.quality.date_phrases import generated
from shared.domain.recall.question import recall_question
from shared.domain.recall.signs import may_name_days

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


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_quick_look_passes_every_phrase_that_the_grammar_can_read(lang: str) -> None:
    texts = [generated(lang, seed).text for seed in range(300)]

    assert [one for one in texts if not may_name_days(one)] == []

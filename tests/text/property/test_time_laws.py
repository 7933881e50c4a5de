"""Laws of the grammar of time: generated phrases, any text at all, places that stay in place."""

import ast
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.quality import date_phrases
from bench.quality.date_phrases import civil, generated, number_of
from bench.quality.dates import found_dates
from shared.domain.time.find import time_expressions

NOW = datetime(2026, 11, 16, 10, 30, tzinfo=UTC)
_PARTS = (
    "next last week month on the of Friday May 3rd two days ago from in to 2024 - / , 2/29 half a "
    "下 上 个 周 五 月 年 日 号 前 后 三 十 百 初 的 今天 半 第 大 去年 到 12 9999 0"
)
_WORDS = st.lists(st.sampled_from(_PARTS.split(" ")), max_size=25)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_of_a_thousand_generated_phrases_95_in_100_are_read_right(lang: str) -> None:
    phrases = [generated(lang, seed) for seed in range(1000)]
    right = sum(found_dates(one.text, one.reference, lang) == [one.date] for one in phrases)
    assert right >= 950


def test_the_phrases_are_made_without_the_grammar_they_measure() -> None:
    tree = ast.parse(Path(date_phrases.__file__).read_text("utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [one.name for one in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported == {"random", "collections", "dataclasses"}, "no words or days of the product"


@given(st.dates(min_value=date(1, 3, 1)))
def test_the_other_arithmetic_agrees_with_the_calendar(day: date) -> None:
    civil_day = (day.year, day.month, day.day)
    assert civil(number_of(civil_day)) == civil_day


@given(st.text(max_size=80) | _WORDS.map("".join) | _WORDS.map(" ".join))
def test_any_text_is_read_without_overlaps_and_within_its_bounds(text: str) -> None:
    end = 0
    for one in time_expressions(text, NOW):
        assert end <= one.start < one.end <= len(text)
        assert one.span.first <= one.span.last
        end = one.end

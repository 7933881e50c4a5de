"""Laws of the grammar of time: generated phrases, any text at all, places that stay in place."""

import ast
import calendar
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.quality import date_phrases
from bench.quality.date_phrases import civil, generated, number_of
from bench.quality.dates import found_dates
from shared.language import times_in
from shared.language.times.reading import read

NOW = datetime(2026, 11, 16, 10, 30, tzinfo=UTC)
_PARTS = (
    "next last week month on the of Friday May 3rd two days ago from in to 2024 - / , 2/29 half a "
    "下 上 个 周 五 月 年 日 号 前 后 三 十 百 初 的 今天 半 第 大 去年 到 12 9999 0 "
    "every and or weekend Thurs last for 24点 天 两 多 还有 就 份 每 和 Jan 9999-12-31 midnight by"
)
_WORDS = st.lists(st.sampled_from(_PARTS.split(" ")), max_size=25)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_of_a_thousand_generated_phrases_95_in_100_are_read_right(lang: str) -> None:
    phrases = [generated(lang, seed) for seed in range(1000)]
    right = sum(
        found_dates(phrase.text, phrase.reference, lang) == [phrase.date] for phrase in phrases
    )
    assert right >= 950


def test_the_phrases_are_made_without_the_grammar_they_measure() -> None:
    tree = ast.parse(Path(date_phrases.__file__).read_text("utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
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
    for named in read(text, NOW):
        assert end <= named.start < named.end <= len(text)
        assert named.first <= named.last
        end = named.end


_DAYS = st.dates(min_value=date(2000, 1, 1), max_value=date(2090, 1, 1)).map(
    lambda day: datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
)
_WEEKDAYS = st.sampled_from(list(calendar.day_name))


@given(_DAYS, _WEEKDAYS)
def test_what_was_arranged_is_not_over_and_what_was_done_is(now: datetime, weekday: str) -> None:
    (arranged,) = times_in(f"ordered a cake for {weekday}", now)
    (done,) = times_in(f"ate a cake on {weekday}", now)
    assert 0 <= (arranged.first - now.date()).days < 7
    assert 0 <= (now.date() - done.first).days < 7


@given(_DAYS, st.integers(min_value=1, max_value=31))
def test_a_bare_day_that_nothing_leans_is_not_over(now: datetime, day: int) -> None:
    for words in (f"{day}号体检", f"check-up on the {day}th"):
        (found,) = times_in(words, now)
        assert found.first >= now.date()
        assert found.first.day == day


@given(_DAYS, st.sampled_from(["一两", "两三", "三四", "四五", "五六", "六七", "七八", "八九"]))
def test_a_number_that_is_about_is_never_read_as_two_digits(now: datetime, about: str) -> None:
    (found,) = times_in(f"{about}年前", now)
    assert now.year - 10 <= found.first.year < found.last.year <= now.year

"""The gate: relative words, placeholders, quotations, people and dates of a rewritten note."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from shared.domain.historian.calendar import calendar, unfounded_dates
from shared.domain.historian.gate import Finding, NoteSource, Wording, as_it_came, best_of, judged
from shared.language import relative_words
from tests.history.unit.gate_sentences import ABSOLUTE, RELATIVE

_PRONOUNS = "我 你 他 她 它 他们 她们 它们 这位 那位 I me you him her it they them yours"
_TIMES = (
    "今天 昨天 明天 刚才 刚刚 稍后 上周 下周 最近 前天 后天 上个月 这周 tonight yesterday recently"
)
_PLACES = "这里 那边 本地 当地 这儿 那儿 here nearby"
AT = datetime(2026, 3, 4, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
PEOPLE = {"u1": "大熊", "u2": "Ida", "u3": "Jon", "b": "Otto"}


def source(action: str = "", info: str = "", *said: str, **changes: Any) -> NoteSource:
    known = frozenset(changes.pop("known", PEOPLE))
    return NoteSource(action, info, AT, PEOPLE, [(text, AT) for text in said], known, **changes)


def findings(wording: Wording, of: NoteSource) -> Sequence[Finding]:
    return judged(wording, of).findings


@pytest.mark.parametrize("sentence", RELATIVE)
def test_a_relative_sentence_is_refused(sentence: str) -> None:
    assert relative_words(sentence)


@pytest.mark.parametrize("sentence", ABSOLUTE)
def test_an_absolute_sentence_passes(sentence: str) -> None:
    assert relative_words(sentence) == []


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        *(("pronoun", word) for word in _PRONOUNS.split()),
        *(("relative time", word) for word in [*_TIMES.split(), "last Friday", "next week"]),
        *(("relative place", word) for word in [*_PLACES.split(), "over there"]),
    ],
)
def test_every_listed_word_is_named_with_its_kind(kind: str, word: str) -> None:
    text = f"小林在{word}" if not word.isascii() else f"Ida met {word} again"
    assert (kind, word) in relative_words(text)


@pytest.mark.parametrize(
    "text",
    ["小林说“我明天不去那边”", "《你好，李焕英》", 'Ida said "see you tomorrow"', "`my_last_run`"],
)
def test_quotations_and_titles_are_left_alone(text: str) -> None:
    assert relative_words(text) == []


def test_names_that_look_like_pronouns_or_days_are_left_alone() -> None:
    assert relative_words("他山见了周日和明天", ("他山", "明天")) == []


def test_somebody_is_refused_unless_the_note_says_so() -> None:
    told = Wording("Otto told Ida that somebody called", "")
    assert findings(told, source("told her the landlord called")) == (
        Finding("placeholder", "somebody"),
    )
    assert judged(told, source("told her somebody called")).is_absolute


def test_a_changed_quotation_is_refused() -> None:
    note = source("I wrote “See you tomorrow” on it")
    assert Finding("changed quotation", "“See you tomorrow”") in findings(
        Wording("Otto wrote “See you on 2026-03-05” on the cake", ""), note
    )


def test_who_reminds_is_not_who_is_reminded() -> None:
    wrong = Wording("大熊 reminded 大熊 to bring the cat", "", actor="u1", meant=("u1",))
    assert findings(wrong, source("reminded him to bring the cat")) == (
        Finding("acts on themselves", "大熊"),
    )
    talks = Wording("大熊 introduced 大熊", "", actor="u1", meant=("u1",))
    assert judged(talks, source("he introduced himself")).is_absolute


def test_ids_are_of_the_roster_and_their_names_stand_in_the_text() -> None:
    stranger = Wording("Otto greeted Zed", "", actor="b", meant=("u9",))
    assert Finding("unknown id", "u9") in findings(stranger, source("greeted him"))
    vague = Wording("Otto greeted a guest", "", actor="b", meant=("u2",))
    assert Finding("not named", "Ida") in findings(vague, source("greeted her"))
    elsewhere = Wording("Otto greeted Ida. Jon sings.", "Jon sings.", actor="b", about="u2")
    assert Finding("not named", "Ida") in findings(elsewhere, source("greeted her", "he sings"))


def test_nobody_is_named_whom_neither_note_nor_messages_name() -> None:
    guess = Wording("Jon sold the car", "Jon sold the car", about="u3")
    note = source("", "he sold the car", known=("u1", "b"))
    assert Finding("named without a reason", "Jon") in findings(guess, note)


def test_new_information_must_not_get_lost() -> None:
    told = Wording("Otto greeted Ida", "", actor="b", meant=("u2",))
    assert Finding("missing", "new_info") in findings(told, source("greeted her", "Ida sings"))


def test_tomorrow_must_become_the_next_day() -> None:
    note = source("", "我明天出差")
    wrong = Wording("大熊2026-03-06出差", "大熊2026-03-06出差", about="u1")
    assert findings(wrong, note) == (Finding("date is missing", "明天 = 2026-03-05"),)
    right = Wording("大熊2026-03-05出差", "大熊2026-03-05出差", about="u1")
    assert judged(right, note).is_absolute
    late = source("", "I leave tomorrow")
    assert Finding("date is missing", "tomorrow = 2026-03-05") in findings(
        Wording("Ida leaves on 2026-03-06", "Ida leaves on 2026-03-06", about="u2"), late
    )


def test_friday_becomes_a_friday_or_every_friday() -> None:
    note = source("", "the game is on Friday")
    for wrong in ("The game is on Friday", "The game is on 2026-03-05"):
        told = findings(Wording(wrong, wrong), note)
        assert [finding.kind for finding in told] == ["date is missing"]
    for right in ("The game is on 2026-03-06", "The game is every Friday"):
        assert judged(Wording(right, right), note).is_absolute
    assert judged(
        Wording("大家每周五聚餐", "大家每周五聚餐"), source("", "大家每周五聚餐")
    ).is_absolute


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("we meet next Friday", "2026-03-13"),
        ("we met last Monday", "2026-02-23"),
        ("the wedding is on 20 June", "2026-06-20"),
        ("婚礼六月二十号", "2026-06-20"),
        ("exam in three weeks", "2026-03-25"),
        ("Ida paints in two weeks, and Jon said he would help", "2026-03-18"),
        ("due on the 30th", "2026-03-30"),
        ("since 2019-05-06", "2019-05-06"),
    ],
)
def test_a_date_with_a_reason_in_the_note_passes(said: str, date: str) -> None:
    assert unfounded_dates(f"It is {date}", [(said, AT)]) == []


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("Ida sold the boat", "2026-07-01"),
        ("we meet next Friday", "2024-03-15"),
        ("the wedding is on 20 June", "2023-06-20"),
        ("she moved", "2026-02-30"),
    ],
)
def test_a_date_out_of_nowhere_is_refused(said: str, date: str) -> None:
    assert unfounded_dates(f"It is {date}", [(said, AT)]) == [date]


def test_the_calendar_has_the_fourteen_days_around_in_whole_weeks() -> None:
    weeks = calendar(AT.date())
    assert weeks["this week"][2] == "2026-03-04 Wednesday"
    assert (weeks["last week"][0], weeks["next week"][-1]) == (
        "2026-02-23 Monday",
        "2026-03-15 Sunday",
    )


def test_the_wording_with_the_fewest_relative_words_is_kept() -> None:
    came = as_it_came("I told her tomorrow", "", ())
    one = Wording("Otto told her", "", findings=(Finding("pronoun", "her"),))
    assert best_of([one], came) is one


def test_a_wording_that_says_something_untrue_is_never_kept() -> None:
    came = as_it_came("I told her tomorrow", "", ())
    false = Wording("Otto told Jon", "", findings=(Finding("named without a reason", "Jon"),))
    kept = best_of([false], came)
    assert (kept.canonical_text, kept.author) == ("I told her tomorrow", "note")

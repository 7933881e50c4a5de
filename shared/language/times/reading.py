"""Finds the words of time in a text: the earliest first, of those the longest."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from types import ModuleType

from shared.language.times import chinese, days, english
from shared.language.times.days import NamedTime, Parts, Rule, SaidAt

MAX_CHARACTERS = 20_000
"""What stands further on is not read."""
_HAN = re.compile(r"[\u3400-\u9fff]")
_SIMPLER = str.maketrans(
    "週個後這號點時鐘禮兩來過剛現間裡從會將內當農曆臘數幾馬頭與餘〇０１２３４５６７８９\u3000\u00a0’–—，：／（）",
    "周个后这号点时钟礼两来过刚现间里从会将内当农历腊数几马头与余零0123456789  '--,:/()",
)
"""Character for character, so that places in the text stay what they are."""
_CLAUSE_END = re.compile(r"[.!?;\n。！？；]|,(?=[\u3400-\u9fff]|$)|(?<=[\u3400-\u9fff]) ")
"""In Chinese chats a space ends a clause, too."""
_LOOK_AROUND = 60
"""Characters of a clause that are looked at on either side of a time."""


@dataclass(frozen=True, slots=True)
class _Found:
    """With the rule that read it, so that the end of a range can be read as of its beginning."""

    named: NamedTime
    rule: Rule
    parts: Parts

    def as_of(self, start: NamedTime, said: SaidAt) -> NamedTime | None:
        then = said.now.replace(year=start.first.year, month=start.first.month, day=start.first.day)
        return self.rule.days(self.parts, SaidAt(then, 1, said.is_day_first))


def read(text: str, now: datetime, *, in_chinese_chat: bool = False) -> list[NamedTime]:
    """In the order of the text, without overlaps, with dates that do not exist and lunar ones.

    A text without a Chinese character is read as English, unless it comes from a Chinese chat and
    has no letters either: 1/2/2020 is the first of February there.
    """
    plain = _plainly_written(text[:MAX_CHARACTERS])
    has_letters = bool(re.search("[a-z]{2}", plain))
    is_chinese = bool(_HAN.search(plain)) or (in_chinese_chat and not has_letters)
    said = SaidAt(now, is_day_first=is_chinese)
    found = [*_found(plain, _NUMBERS, chinese if is_chinese else english, said)]
    if is_chinese:
        found += _found(plain, chinese.RULES, chinese, said)
    if has_letters:
        found += _found(plain, english.RULES, english, said)
    chosen = _without_overlaps(found)
    return _joined(plain, [_with_clock(plain, each) for each in chosen], said)


def _plainly_written(text: str) -> str:
    """In lower case and one script, character for character."""
    written = text.translate(_SIMPLER)
    # A few letters grow when lowered (the dotted capital I): those texts keep their case.
    lowered = written.lower()
    return lowered if len(lowered) == len(text) else written


def _found(
    text: str, rules: Iterable[Rule], language: ModuleType, said: SaidAt
) -> Iterator[_Found]:
    for rule in rules:
        for match in rule.pattern.finditer(text):
            before, after = _clause_around(text, match)
            if language.HABIT.search(before):
                continue
            leaning = language.leaning(before, after)
            parts = {name: part for name, part in match.groupdict().items() if part}
            try:
                named = rule.days(parts, replace(said, leaning=leaning))
            except (ValueError, OverflowError):
                continue  # beyond the calendar
            if named:
                yield _Found(replace(named, start=match.start(), end=match.end()), rule, parts)


def _clause_around(text: str, match: re.Match[str]) -> tuple[str, str]:
    before = text[max(0, match.start() - _LOOK_AROUND) : match.start()]
    after = text[match.end() : match.end() + _LOOK_AROUND]
    return _CLAUSE_END.split(before)[-1], _CLAUSE_END.split(after, maxsplit=1)[0]


def _without_overlaps(found: Iterable[_Found]) -> list[_Found]:
    chosen: list[_Found] = []
    for each in sorted(found, key=lambda each: (each.named.start, -each.named.end)):
        if not chosen or each.named.start >= chosen[-1].named.end:
            chosen.append(each)
    return chosen


def _with_clock(text: str, found: _Found) -> _Found:
    """A time of day belongs to the day beside it; alone it names no day."""
    named = found.named
    if named.grain != days.DAY or named.clock:
        return found
    words = text[named.start : named.end]
    language = chinese if _HAN.search(words) else english
    if after := language.CLOCK_AFTER.match(text, named.end):
        clock = language.clock(after, words + after[0])
        named = replace(named, end=after.end(), clock=clock)
    else:
        start = max(0, named.start - _LOOK_AROUND)
        if before := english.CLOCK_BEFORE.search(text[start : named.start]):
            clock = english.clock(before, words)
            named = replace(named, start=start + before.start(), clock=clock)
    return replace(found, named=named)


# ---- numeric dates


def _numeric(parts: Parts, said: SaidAt) -> NamedTime:
    """3/7/2017 is 7 March, but in Chinese talk 3 July; 13.5.2015 can only be one."""
    first, second = int(parts["first"]), int(parts["second"])
    is_day_first = first > 12 or (said.is_day_first and "year" in parts and second <= 12)
    day, month = (first, second) if is_day_first else (second, first)
    if "year" in parts:
        return days.dated(days.full_year(int(parts["year"])), month, day)
    return days.without_year(said, month, day)


def _year_first(parts: Parts, _: SaidAt) -> NamedTime:
    return days.dated(int(parts["year"]), int(parts["first"]), int(parts["second"]))


def _edged(pattern: str) -> re.Pattern[str]:
    """Neither within a word nor within a longer number; a range may go on, and so may a clock:
    10/1-10/7, 2026-11-17T15:00."""
    return re.compile(rf"(?<![a-z\d])(?<!\d[.:,])(?:{pattern})(?![\d%a-su-z]|[./:,]\d)")


_ALONE = r"(?<!\d[/-])"
_FIRST, _SECOND = r"(?P<first>\d{1,2})", r"(?P<second>\d{1,2})"
_YEAR = r"(?P<year>\d{4}|\d{2})"
_NOT_COUNTED = r"(?! ?(?:of|cups?|inch|hours?|stars?|points?)\b| ?[个杯片分])"
_NUMBERS = tuple(
    Rule(_edged(pattern), maker)
    for pattern, maker in {
        rf"{_ALONE}(?P<year>\d{{4}})(?P<mark>[-/.]){_FIRST}(?P=mark){_SECOND}(?!-\d)": _year_first,
        rf"{_ALONE}{_FIRST}(?P<mark>[-/]){_SECOND}(?:(?P=mark)|,){_YEAR}(?!-\d)": _numeric,
        rf"{_ALONE}{_FIRST}\.{_SECOND}\.(?P<year>\d{{4}})": _numeric,
        # 2/3 of the dough, 8/10 and 24/7 are no dates.
        rf"(?!24/7|[1-9]/(?:[2-9]|10)\b){_FIRST}/{_SECOND}{_NOT_COUNTED}": _numeric,
        rf"(?:(?<=\bon )|(?<=\bby )|(?<=until )){_FIRST}[-./]{_SECOND}(?!-\d)": _numeric,
    }.items()
)

# ---- ranges

_TO = re.compile(r" ?(?:-|~|to|until|till|through|到|至|直到) ?")
_BESIDE = re.compile(r",? ?(?:on )?\(?")
_LAST_DAY = re.compile(r" ?[-~到至] ?(?P<day>\d{1,2})(?:st|nd|rd|th|[日号])?(?![\d./:年月-])")
_JOINABLE = (days.DAY, days.WEEK, days.MONTH)


def _joined(text: str, found: list[_Found], said: SaidAt) -> list[NamedTime]:
    """Pairs such as "Monday to Wednesday" and 3月1日到5日 are one time each, and so are a day and
    its weekday."""
    whole: list[NamedTime] = []
    for each in found:
        named = each.named
        if whole and named.start < whole[-1].end:
            continue  # the last day of a range, read already
        if whole and _says_again(text, whole[-1], named):
            whole[-1] = replace(whole[-1], end=named.end, clock=named.clock or whole[-1].clock)
            continue
        if whole and _is_range(text, whole[-1], named):
            first = whole[-1]
            last = (not named.is_relative and each.as_of(first, said)) or named
            if first.first <= last.last:
                whole[-1] = replace(first, last=last.last, grain=days.STRETCH, end=named.end)
                continue
        whole.append(_until_day(text, named))
    return whole


def _says_again(text: str, first: NamedTime, second: NamedTime) -> bool:
    is_same = first.first == first.last == second.first
    return is_same and bool(_BESIDE.fullmatch(text, first.end, second.start))


def _is_range(text: str, first: NamedTime, last: NamedTime) -> bool:
    is_joinable = first.grain in _JOINABLE and last.grain in _JOINABLE
    return is_joinable and bool(_TO.fullmatch(text, first.end, last.start))


def _until_day(text: str, named: NamedTime) -> NamedTime:
    """March 3-5."""
    found = _LAST_DAY.match(text, named.end)
    if not found or named.grain != days.DAY or named.is_relative or named.clock:
        return named
    last = days.dated(named.first.year, named.first.month, int(found["day"]))
    if last.grain != days.DAY or last.first <= named.first:
        return named
    return replace(named, last=last.last, grain=days.STRETCH, end=found.end())

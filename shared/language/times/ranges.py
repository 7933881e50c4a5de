"""Two times with a word for "until" between them are one stretch of time."""

import re
from dataclasses import replace
from datetime import date, timedelta

from shared.language.times.calendar import real_date, weekday_of
from shared.language.times.span import DAY, MONTH, STRETCH, WEEK, YEAR, TimeExpression, TimeSpan

_TO = re.compile(r" {0,3}(?:-|~|to|until|till|through|thru|到|至|直到) {0,3}")
_AND = re.compile(r" {1,3}and {1,3}|和|与|跟")
_BETWEEN = re.compile(r"\bbetween {1,3}$")
_MOVED_FROM = re.compile(
    r"\b(?:moved|pushed|postponed|shifted|rescheduled|changed|switched|brought)\b"
    r"[^.,;!?]{0,24}\bfrom $"
)
"""Moved from Monday to Thursday: two days, and nothing lasts from the one to the other."""
_JOINABLE = frozenset({DAY, WEEK, MONTH, YEAR})


def joined(text: str, found: list[TimeExpression], today: date) -> list[TimeExpression]:
    """Pairs such as "Monday to Wednesday" and 3月1日到5日 as one expression each."""
    whole: list[TimeExpression] = []
    for one in found:
        if whole and _says_again(text, whole[-1], one):
            if one.span.clock or one.span.part:
                whole[-1] = replace(whole[-1], end=one.end, span=one.span)
            continue
        if whole and _says_until(text, whole[-1], one):
            whole[-1] = _of_that_week(text, whole[-1], one)
            one = _continued(text, whole[-1], one)
        if whole and one.span.first >= today and _is_listed(text, whole[-1], one):
            one = replace(one, span=_a_week_on(one.span))
        if whole and _is_range(text, whole[-1], one):
            first = whole.pop()
            span = TimeSpan(
                first.span.first,
                one.span.last,
                STRETCH,
                first.span.clock,
                last_clock=one.span.clock,
            )
            is_partial = first.is_partial and one.is_partial
            whole.append(TimeExpression(first.start, one.end, span, is_partial))
        else:
            whole.append(one)
    return whole


_OR = re.compile(r",? {1,2}(?:or|and) {1,2}|, {0,2}|或者?|和|、")


def _is_listed(text: str, first: TimeExpression, second: TimeExpression) -> bool:
    """Tuesday or Wednesday, said on a Wednesday: what stands second comes after the first."""
    if (first.span.grain, second.span.grain) != (DAY, DAY) or not second.is_partial:
        return False
    gap = first.span.first - second.span.first
    if not timedelta() < gap < timedelta(weeks=1) or not first.is_partial:
        return False
    both = _BARE_WEEKDAY.match(text, first.start) and _BARE_WEEKDAY.match(text, second.start)
    return bool(both and _OR.fullmatch(text, first.end, second.start))


def _a_week_on(span: TimeSpan) -> TimeSpan:
    week = timedelta(weeks=1)
    return replace(span, first=span.first + week, last=span.last + week)


_BARE_DAY = re.compile(
    r"(?:the )?\d{1,2}(?:号|日|st|nd|rd|th)|[一二三四五六七八九十廿]{1,3}(?:号|日)"
)
_MONTH_AND_DAY = re.compile(
    r"[a-z]{3,9}\.? {0,2}\d|\d{1,2}(?:月|/| ?(?:st|nd|rd|th)? {1,2}(?:of )?[a-z]{3})"
)
_YEAR = re.compile(r"\d{4}")
_BARE_WEEKDAY = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天1-7]"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tues?|weds?|thurs?|thu|fri|sat|sun)\b"
)


_BESIDE = re.compile(r"(?:,|，)? {0,2}(?:on )?| ?[（(]|就?是?")


def _says_again(text: str, first: TimeExpression, second: TimeExpression) -> bool:
    """明天周一: the weekday of the day that was just named, and no second day. It stays a word."""
    if (first.span.grain, second.span.grain) != (DAY, DAY) or first.span.clock:
        return False
    if first.span.first != second.span.first or not second.is_partial:
        return False
    is_weekday = _BARE_WEEKDAY.match(text, second.start)
    return bool(is_weekday and _BESIDE.fullmatch(text, first.end, second.start))


def _continued(text: str, first: TimeExpression, second: TimeExpression) -> TimeExpression:
    """The end of a range takes what it leaves unsaid from the start: 3月1日到5日 ends in March,
    and 下周一到周三 next week."""
    words, start = text[second.start : second.end], first.span.first
    if first.span.grain != DAY or second.span.grain != DAY or not second.is_partial:
        return second
    day: date | None = None
    if _BARE_DAY.match(words):
        day = real_date(start.year, start.month, second.span.first.day)
        if day and day < start:
            year, month = divmod(start.year * 12 + start.month, 12)
            day = real_date(year, month + 1, day.day)
    elif _BARE_WEEKDAY.match(words):
        day = weekday_of(start, second.span.first.weekday())
        day += timedelta(weeks=1) if day < start else timedelta()
    elif _MONTH_AND_DAY.match(words) and not _YEAR.search(words) and second.span.first < start:
        end = second.span.first
        years = (real_date(start.year + more, end.month, end.day) for more in (0, 1))
        day = next((one for one in years if one and one >= start), None)
    if day is None or day < start:
        return second
    return replace(second, span=replace(second.span, first=day, last=day))


def _of_that_week(text: str, first: TimeExpression, second: TimeExpression) -> TimeExpression:
    """Friday to Sunday next week: both are of the week that is named last."""
    if not first.is_partial or second.is_partial or not _BARE_WEEKDAY.match(text, first.start):
        return first
    if (first.span.grain, second.span.grain) != (DAY, DAY) or "week" not in text[second.start :][
        :24
    ]:
        return first
    day = weekday_of(second.span.first, first.span.first.weekday())
    return replace(first, span=replace(first.span, first=day, last=day))


def _is_range(text: str, first: TimeExpression, second: TimeExpression) -> bool:
    if first.span.first > second.span.last:
        return False
    return _says_until(text, first, second)


def _says_until(text: str, first: TimeExpression, second: TimeExpression) -> bool:
    if first.span.grain not in _JOINABLE or second.span.grain not in _JOINABLE:
        return False
    between = text[first.end : second.start]
    if _TO.fullmatch(between):
        return not _MOVED_FROM.search(text[max(0, first.start - 40) : first.start])
    before = text[max(0, first.start - 12) : first.start]
    return bool(_AND.fullmatch(between) and _BETWEEN.search(before))

"""English dates of the calendar: numbers, month names in any order, ranges within a month."""

import re
from datetime import date

from shared.language.times.calendar import (
    LOOK_AHEAD,
    LOOK_BACK,
    fitting_year,
    full_year,
    month_of,
    real_date,
)
from shared.language.times.numbers_en import day_number, month_number, ordinal, year_number
from shared.language.times.periods_en import (
    BACKWARD,
    THE,
    after,
    day_or_none,
    read_shift,
    relative_period,
)
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import NO_SUCH_DAY, STRETCH, TimeSpan

_NUMERIC = re.compile(
    r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![\d]|[-/.]\d)"
    r"|(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.,] ?(?P<y2>\d{4}|\d{2})(?![\d]|[-/.]\d)"
)

_MONTH_DAY = re.compile(r"(?P<a>\d{1,2})(?P<s>[-/.])(?P<b>\d{1,2})(?![-/.,]?\d|%|[a-z])")

_LEADS_TO_DATE = re.compile(
    r"(?:^|\b(?:on|by|until|till|due|before|after|since|from|for|back|of|between|and|"
    r"(?:moved|pushed|postponed|shifted|rescheduled|changed|delayed|extended|\d{1,2}/\d{1,2}) to|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day,?)) {0,8}$"
)

_LEADS_TO_DOTTED = re.compile(r"\b(?:on|by|until|till|due|back) {1,8}$")
"""At 7.15 is an hour, in 3-5 days a length."""

_COUNTED = re.compile(r" (?!(?:is|was|as|this|us|has|does|always|classes)\b)[a-z]{2,20}s\b")
"""By 5-10 pounds."""

_LEADS_TO_SHORT_YEAR = re.compile(
    r"(?:^|[(:,]|\b(?:on|by|until|till|due|before|after|since|from|dated|date|born|of|between|"
    r"and)) {0,3}$"
)
"""Python 3.11.12, upgrade to 2.10.24: a version, where no such word stands before it."""

_NO_DATE_AFTER = re.compile(
    r" ?(?:of\b(?! (?:this|next|last) )|business|working|cups?|inch|inches|miles?|teaspoons?|"
    r"tablespoons?|hours?|hrs?|minutes?|mins?|days?|weeks?|months?|years?|people|times|stars?|"
    r"points?|percent|kg|km|gb|mb|usd|euros?|dollars?|x|am|pm)\b"
)


def numeric_date(scene: Scene, at: int) -> Reading | None:
    text = scene.text
    found = _NUMERIC.match(text, at)
    if found and found["y"]:
        day = real_date(int(found["y"]), int(found["m"]), int(found["d"]))
        return Reading(day_or_none(day), found.end(), is_partial=True)
    if found:
        first, second = int(found["a"]), int(found["b"])
        if _is_version(found, text[max(0, at - 24) : at]):
            return None
        month, number = (second, first) if first > 12 else (first, second)
        if not (1 <= month <= 12 and 1 <= number <= 31):
            return None
        day = real_date(full_year(int(found["y2"])), month, number)
        return Reading(day_or_none(day), found.end(), is_partial=True)
    return _numeric_without_year(scene, at)


def _is_version(found: re.Match[str], before: str) -> bool:
    is_dotted = "." in found[0] and "-" not in found[0] and "/" not in found[0]
    if not is_dotted or len(found["y2"]) == 4:
        return False
    return not _LEADS_TO_SHORT_YEAR.search(before)


def _numeric_without_year(scene: Scene, at: int) -> Reading | None:
    """4/22, on 4.22: only where words or the number itself say that it is no fraction or score."""
    text = scene.text
    found = _MONTH_DAY.match(text, at)
    if not found or found[0] == "24/7" or _NO_DATE_AFTER.match(text, found.end()):
        return None
    first, second = int(found["a"]), int(found["b"])
    month, number = (second, first) if first > 12 else (first, second)
    if not (1 <= month <= 12 and 1 <= number <= 31):
        return None
    before = text[max(0, at - 24) : at]
    if found["s"] == "/":
        padded = found["a"].startswith("0") or found["b"].startswith("0")
        is_date = bool(_LEADS_TO_DATE.search(before)) or padded or max(first, second) > 12
    else:
        is_led = _LEADS_TO_DOTTED.search(before) or (
            found["s"] == "." and second > 12 and before.endswith("in ")
        )
        is_date = bool(is_led) and not _COUNTED.match(text, found.end())
    if not is_date:
        return None
    day = fitting_year(scene.today, month, number, scene.lean(at))
    return Reading(day_or_none(day), found.end(), is_partial=True)


_MONTH_TO_DAY = re.compile(r" {0,3}[-/.]? {0,3}(?:the {1,3})?")

_DAY_TO_MONTH = re.compile(r"\.? {0,3}-? {0,3}(?:(?:of|in) {1,3})?")

_TO_YEAR = re.compile(r" {0,3},? {0,3}(?:of |in )? {0,2}(?=[\d'a-z])|-(?=\d{4})")

_MODAL = re.compile(r" {1,3}(?:be|not|have|also|or|get|go|come|take|need|seem|look|never|well)\b")


def named_year(scene: Scene, at: int) -> tuple[int, int] | None:
    """The year after a date: 2016, of 2016, last year, of next year."""
    lead = after(_TO_YEAR, scene.text, at)
    if lead is None:
        return None
    relative = relative_period(scene.text, lead)
    if relative and relative[1] == "year":
        return scene.today.year + relative[0], relative[2]
    return year_number(scene.text, lead)


def _is_month_name(scene: Scene, at: int, end: int) -> bool:
    """Whether may, march, sun and the like stand for the month: beside a day they do, unless a
    verb follows and the word is not capital."""
    word = scene.text[at:end]
    if word not in ("may", "march", "mar", "dec", "jan", "sept"):
        return True
    return scene.is_capital(at) or not _MODAL.match(scene.text, end)


def _dated(scene: Scene, at: int, month: int, number: int, end: int) -> Reading:
    year = named_year(scene, end)
    if year:
        return Reading(day_or_none(real_date(year[0], month, number)), year[1], is_partial=True)
    day = fitting_year(scene.today, month, number, scene.lean(at))
    return Reading(day_or_none(day), end, is_partial=True)


def month_first(scene: Scene, at: int) -> Reading | None:
    """October 2, Oct2, may the fourth, September 10, nineteen zero one."""
    month = month_number(scene.text, at)
    if not month:
        return None
    day_at = after(_MONTH_TO_DAY, scene.text, month[1]) or month[1]
    number = day_number(scene.text, day_at)
    if not number:
        return None
    is_word = scene.text[day_at].isalpha() and ordinal(scene.text, day_at) is None
    if is_word and scene.text[at : month[1]] in ("may", "march") and not scene.is_capital(at):
        return None
    if _NO_DATE_AFTER.match(scene.text, number[1]):
        return None
    return _dated(scene, at, month[0], number[0], number[1])


def day_first(scene: Scene, at: int) -> Reading | None:
    """2 October, the second of Aug., 5 December 1391."""
    at_day = after(THE, scene.text, at) or at
    number = day_number(scene.text, at_day)
    lead = after(_DAY_TO_MONTH, scene.text, number[1]) if number else None
    if not number or lead is None:
        return None
    month = month_number(scene.text, lead)
    if not month or not _is_month_name(scene, lead, month[1]):
        return None
    return _dated(scene, at, month[0], number[0], month[1])


def year_first(scene: Scene, at: int) -> Reading | None:
    """2016 November 12, last year on March 3, next year's May 1."""
    relative = relative_period(scene.text, at)
    if relative and relative[1] == "year":
        year, end = scene.today.year + relative[0], relative[2]
    else:
        named = year_number(scene.text, at) if scene.text[at : at + 4].isdecimal() else None
        if not named:
            return None
        year, end = named
    lead = after(_YEAR_TO_MONTH, scene.text, end) or end
    month = month_number(scene.text, lead)
    if not month:
        return None
    day_at = after(_MONTH_TO_DAY, scene.text, month[1]) or month[1]
    number = day_number(scene.text, day_at)
    if number:
        day = real_date(year, month[0], number[0])
        return Reading(day_or_none(day), number[1], is_partial=True)
    if relative:
        return Reading(month_of(date(year, month[0], 1)), month[1])
    return None


_YEAR_TO_MONTH = re.compile(r" {0,3},? {0,3}(?:on |in )? {0,2}(?:the {1,3})?|-")

_DAYS_OF_MONTH = re.compile(
    r"(?:from {1,3}|between {1,3})?(?:the {1,3})?(?P<a>\d{1,2})(?:st|nd|rd|th)? {0,3}"
    r"(?:-|to|and|until|through) {0,3}"
    r"(?:the {1,3})?(?P<b>\d{1,2})(?:st|nd|rd|th)?(?![\d:/.]|[a-z])(?! ?(?:am|pm)\b)"
)


def days_of_one_month(scene: Scene, at: int) -> Reading | None:
    """March 3-5, 3 to 5 March, the 3rd to the 5th of March 2027."""
    month = month_number(scene.text, at)
    lead = after(_MONTH_TO_DAY, scene.text, month[1]) if month else at
    days = _DAYS_OF_MONTH.match(scene.text, lead if lead is not None else at)
    if not days or (
        not month and scene.text[at].isalpha() and not scene.text.startswith("the", at)
    ):
        return None
    end = days.end()
    if not month:
        of = after(_DAY_TO_MONTH, scene.text, end)
        month = month_number(scene.text, of) if of is not None else None
        if not month:
            return None
        end = month[1]
    dated = _dated(scene, at, month[0], int(days["a"]), end)
    last = real_date(dated.span.first.year, month[0], int(days["b"]))
    if dated.span is NO_SUCH_DAY or last is None or last < dated.span.first:
        return None
    return Reading(TimeSpan(dated.span.first, last, STRETCH), dated.end, is_partial=True)


_MONTH_LEAD = re.compile(
    r"\b(?:in|since|until|till|by|during|from|through|of|before|after|end of|late|early|mid|"
    r"the month of) {1,3}$|\bmid-$"
)


def month_alone(scene: Scene, at: int) -> Reading | None:
    """in March, March 2024, last October."""
    shift = read_shift(scene.text, at)
    month_at = shift[1] if shift else at
    month = month_number(scene.text, month_at)
    if not month:
        return None
    year = named_year(scene, month[1])
    if year and not shift:
        return Reading(month_of(date(year[0], month[0], 1)), year[1], is_partial=True)
    lean, number = scene.lean(at), scene.today.year
    word = shift[0] if shift else ""
    if not shift:
        before = scene.text[max(0, at - 12) : at]
        if not _MONTH_LEAD.search(before) or not _is_month_name(scene, month_at, month[1]):
            return None
        if scene.text[month_at : month[1]] in ("may", "march") and not scene.is_capital(month_at):
            return None
    elif scene.text[month_at : month[1]] in ("may", "march") and not scene.is_capital(month_at):
        return None
    if word in BACKWARD or (not word and lean == LOOK_BACK):
        number -= month[0] >= scene.today.month
    elif word in ("next", "coming", "upcoming", "following") or (not word and lean == LOOK_AHEAD):
        is_now = word == "next" and month[0] == scene.today.month
        number += month[0] < scene.today.month or is_now
    return Reading(month_of(date(number, month[0], 1)), month[1], is_partial=not shift)

"""The English grammar of time: one production for each way to say when.

A production is asked at a place of the text and reads what stands there or nothing. Each looks a
bounded number of characters ahead and none goes back, so a text takes time in proportion to its
length.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta

from shared.domain.time.amounts import Amount, amount_of, moved, moved_day
from shared.domain.time.calendar import (
    LOOK_AHEAD,
    LOOK_BACK,
    add_months,
    fitting_month,
    fitting_nth_weekday,
    fitting_weekday,
    fitting_year,
    full_year,
    month_of,
    nth_weekday,
    quarter_of,
    real_date,
    week_of,
    weekday_of,
    weekend_of,
    year_of,
)
from shared.domain.time.numbers_en import (
    cardinal,
    day_number,
    is_short_weekday,
    month_number,
    ordinal,
    weekday_number,
    year_number,
)
from shared.domain.time.scene import Reading, Scene
from shared.domain.time.span import (
    AFTER,
    AROUND,
    AS_OF,
    BEFORE,
    NO_SUCH_DAY,
    SINCE,
    STRETCH,
    TimeSpan,
    a_moment,
    one_day,
)

Production = Callable[[Scene, int], Reading | None]


def _after(pattern: re.Pattern[str], text: str, at: int) -> int | None:
    """Where the pattern ends if it stands here."""
    found = pattern.match(text, at)
    return found.end() if found else None


def _spaces(text: str, at: int) -> int:
    end = at
    while end < at + 3 and text[end : end + 1] == " ":
        end += 1
    return end


def _day_or_none(found: date | None) -> TimeSpan:
    return one_day(found) if found else NO_SUCH_DAY


_SHIFT = re.compile(
    r"(?P<word>this coming|this past|this|next|last|past|previous|prior|coming|upcoming|current|"
    r"following)(?= |week|month|year)(?: {0,3})"
)
_BACKWARD = ("last", "past", "previous", "prior", "this past")
_THE = re.compile(r"the {1,3}")


def _shift(text: str, at: int) -> tuple[str, int] | None:
    found = _SHIFT.match(text, at)
    return (found["word"], found.end()) if found else None


def _steps(shift: str) -> int:
    return 1 if shift in ("next", "following") else -1 if shift in _BACKWARD else 0


_PERIOD = re.compile(r"(?P<unit>weekend|week|month|quarter|year)(?:'s)?(?![a-z'])")
_AFTER_NEXT = re.compile(
    r"(?P<unit>weekend|week|month|quarter|year) {1,3}(?P<which>after next|before last)\b"
)


def _relative_period(text: str, at: int) -> tuple[int, str, int] | None:
    """ "next month", "the month before last": how many units away, the unit, the end."""
    at = _after(_THE, text, at) or at
    far = _AFTER_NEXT.match(text, at)
    if far:
        return (2 if far["which"] == "after next" else -2), far["unit"], far.end()
    shift = _shift(text, at)
    period = _PERIOD.match(text, shift[1]) if shift else None
    return (_steps(shift[0]), period["unit"], period.end()) if shift and period else None


def _period_span(steps: int, unit: str, today: date) -> TimeSpan:
    makers = {
        "week": week_of, "weekend": weekend_of, "month": month_of, "quarter": quarter_of,
        "year": year_of,
    }  # fmt: skip
    return makers[unit](today, steps)


# ---- dates of the calendar

_NUMERIC = re.compile(
    r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?![\d]|[-/.]\d)"
    r"|(?P<a>\d{1,2})[-/.](?P<b>\d{1,2})[-/.,] ?(?P<y2>\d{4}|\d{2})(?![\d]|[-/.]\d)"
)
_MONTH_DAY = re.compile(r"(?P<a>\d{1,2})(?P<s>[-/.])(?P<b>\d{1,2})(?![-/.,]?\d|%|[a-z])")
_LEADS_TO_DATE = re.compile(
    r"(?:^|\b(?:on|by|until|till|due|before|after|since|from|for|back|of|between|and|to|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day,?)) {0,8}$"
)
_LEADS_TO_DOTTED = re.compile(r"(?:^|\b(?:on|in|at|by|until|till|due|back)) {0,8}$")
_NO_DATE_AFTER = re.compile(
    r" ?(?:of (?:the|us|them|our|my|people|those|all)|cups?|inch|inches|miles?|teaspoons?|"
    r"tablespoons?|hours?|hrs?|minutes?|mins?|days?|weeks?|months?|years?|people|times|stars?|"
    r"points?|percent|kg|km|gb|mb|usd|euros?|dollars?|x|am|pm)\b"
)


def numeric_date(scene: Scene, at: int) -> Reading | None:
    text = scene.text
    found = _NUMERIC.match(text, at)
    if found and found["y"]:
        day = real_date(int(found["y"]), int(found["m"]), int(found["d"]))
        return Reading(_day_or_none(day), found.end(), is_partial=True)
    if found:
        first, second = int(found["a"]), int(found["b"])
        month, number = (second, first) if first > 12 else (first, second)
        if not (1 <= month <= 12 and 1 <= number <= 31):
            return None
        day = real_date(full_year(int(found["y2"])), month, number)
        return Reading(_day_or_none(day), found.end(), is_partial=True)
    return _numeric_without_year(scene, at)


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
        led = _LEADS_TO_DOTTED.search(before)
        is_date = bool(led) and (max(first, second) > 12 or not before.rstrip().endswith("at"))
    if not is_date:
        return None
    day = fitting_year(scene.today, month, number, scene.lean(at))
    return Reading(_day_or_none(day), found.end(), is_partial=True)


_MONTH_TO_DAY = re.compile(r" {0,3}[-/.]? {0,3}(?:the {1,3})?")
_DAY_TO_MONTH = re.compile(r"\.? {0,3}-? {0,3}(?:(?:of|in) {1,3})?")
_TO_YEAR = re.compile(r" {0,3},? {0,3}(?:of |in )? {0,2}(?=[\d'a-z])|-(?=\d{4})")
_WEEKDAY_TO_DATE = re.compile(r" {0,3},? {0,3}(?:the {1,3})?")
_MODAL = re.compile(r" {1,3}(?:be|not|have|also|or|get|go|come|take|need|seem|look|never|well)\b")


def _named_year(scene: Scene, at: int) -> tuple[int, int] | None:
    """The year after a date: 2016, of 2016, last year, of next year."""
    lead = _after(_TO_YEAR, scene.text, at)
    if lead is None:
        return None
    relative = _relative_period(scene.text, lead)
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
    year = _named_year(scene, end)
    if year:
        return Reading(_day_or_none(real_date(year[0], month, number)), year[1], is_partial=True)
    day = fitting_year(scene.today, month, number, scene.lean(at))
    return Reading(_day_or_none(day), end, is_partial=True)


def month_first(scene: Scene, at: int) -> Reading | None:
    """October 2, Oct2, may the fourth, September 10, nineteen zero one."""
    month = month_number(scene.text, at)
    if not month:
        return None
    day_at = _after(_MONTH_TO_DAY, scene.text, month[1]) or month[1]
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
    at_day = _after(_THE, scene.text, at) or at
    number = day_number(scene.text, at_day)
    lead = _after(_DAY_TO_MONTH, scene.text, number[1]) if number else None
    if not number or lead is None:
        return None
    month = month_number(scene.text, lead)
    if not month or not _is_month_name(scene, lead, month[1]):
        return None
    return _dated(scene, at, month[0], number[0], month[1])


def year_first(scene: Scene, at: int) -> Reading | None:
    """2016 November 12, last year on March 3, next year's May 1."""
    relative = _relative_period(scene.text, at)
    if relative and relative[1] == "year":
        year, end = scene.today.year + relative[0], relative[2]
    else:
        named = year_number(scene.text, at) if scene.text[at : at + 4].isdecimal() else None
        if not named:
            return None
        year, end = named
    lead = _after(_YEAR_TO_MONTH, scene.text, end) or end
    month = month_number(scene.text, lead)
    if not month:
        return None
    day_at = _after(_MONTH_TO_DAY, scene.text, month[1]) or month[1]
    number = day_number(scene.text, day_at)
    if number:
        day = real_date(year, month[0], number[0])
        return Reading(_day_or_none(day), number[1], is_partial=True)
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
    lead = _after(_MONTH_TO_DAY, scene.text, month[1]) if month else at
    days = _DAYS_OF_MONTH.match(scene.text, lead if lead is not None else at)
    if not days or (
        not month and scene.text[at].isalpha() and not scene.text.startswith("the", at)
    ):
        return None
    end = days.end()
    if not month:
        of = _after(_DAY_TO_MONTH, scene.text, end)
        month = month_number(scene.text, of) if of is not None else None
        if not month:
            return None
        end = month[1]
    dated = _dated(scene, at, month[0], int(days["a"]), end)
    last = real_date(dated.span.first.year, month[0], int(days["b"]))
    if dated.span is NO_SUCH_DAY or last is None or last < dated.span.first:
        return None
    return Reading(TimeSpan(dated.span.first, last, STRETCH), dated.end, is_partial=True)


def weekday_and_date(scene: Scene, at: int) -> Reading | None:
    """Wed, 22 of Jan; Monday January 12th, 2016; Friday the twenty second."""
    weekday = weekday_number(scene.text, at)
    lead = _after(_WEEKDAY_TO_DATE, scene.text, weekday[1]) if weekday else None
    if not weekday or lead is None:
        return None
    for production in (numeric_date, month_first, day_first, day_of_relative_month):
        found = production(scene, lead)
        if found:
            return found
    with_the = re.compile(r" {0,3},? {0,3}the {1,3}").match(scene.text, weekday[1])
    number = day_number(scene.text, with_the.end()) if with_the else None
    if not number or _ORDINAL_OF_SOMETHING.match(scene.text, number[1]):
        return None
    months = sorted(
        range(-12, 13), key=lambda offset: (abs(offset), offset * -(scene.lean(at) or 1))
    )
    for offset in months:
        month = month_of(scene.today, offset).first
        day = real_date(month.year, month.month, number[0])
        if day and day.weekday() == weekday[0]:
            return Reading(one_day(day), number[1], is_partial=True)
    return None


_ORDINAL_OF_SOMETHING = re.compile(
    r" {1,3}(?:time|day|of|to|floor|place|week|month|year|one|person|half|round|part|attempt|"
    r"version|item|question|option|edition|chapter|season|episode)\b"
)
_MONTH_LEAD = re.compile(
    r"\b(?:in|since|until|till|by|during|from|through|of|before|after|end of|late|early|mid) {1,3}$"
)


def month_alone(scene: Scene, at: int) -> Reading | None:
    """in March, March 2024, last October."""
    shift = _shift(scene.text, at)
    month_at = shift[1] if shift else at
    month = month_number(scene.text, month_at)
    if not month:
        return None
    year = _named_year(scene, month[1])
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
    if word in _BACKWARD or (not word and lean == LOOK_BACK):
        number -= month[0] >= scene.today.month
    elif word in ("next", "coming", "upcoming", "following") or (not word and lean == LOOK_AHEAD):
        is_now = word == "next" and month[0] == scene.today.month
        number += month[0] < scene.today.month or is_now
    return Reading(month_of(date(number, month[0], 1)), month[1], is_partial=not shift)


# ---- days of a month that is named by its distance

_OF_IN = re.compile(r" {0,3}(?:of|in|,)? {0,3}(?:the {1,3})?")
_NTH_DAY = re.compile(r" {1,3}day\b")


def _month_reference(scene: Scene, at: int) -> tuple[date, int] | None:
    """The first of: next month, the month, March, March 2024, March next year."""
    relative = _relative_period(scene.text, at)
    if relative and relative[1] == "month":
        return month_of(scene.today, relative[0]).first, relative[2]
    this = _after(_THE_MONTH, scene.text, at)
    if this:
        return scene.today.replace(day=1), this
    month = month_number(scene.text, at)
    if not month:
        return None
    year = _named_year(scene, month[1])
    return date(year[0] if year else scene.today.year, month[0], 1), year[1] if year else month[1]


_THE_MONTH = re.compile(r"(?:the {1,3})?month\b(?! (?:after|before))")


def day_of_relative_month(scene: Scene, at: int) -> Reading | None:
    """the 20th of next month, 31st of this month, the last day of March."""
    text = scene.text
    start = _after(_THE, text, at) or at
    last = re.compile(r"last {1,3}day {1,3}(?:of|in) {1,3}").match(text, start)
    if last:
        month = _month_reference(scene, last.end())
        if month:
            return Reading(one_day(month_of(month[0]).last), month[1])
        return None
    number = day_number(text, start)
    if not number:
        return None
    end = _after(_NTH_DAY, text, number[1]) or number[1]
    lead = _after(_OF_IN, text, end)
    relative = _relative_period(text, lead) if lead is not None else None
    if relative and relative[1] == "month":
        month_day = month_of(scene.today, relative[0]).first
        day = real_date(month_day.year, month_day.month, number[0])
        return Reading(_day_or_none(day), relative[2])
    of_the_month = re.compile(r" {1,3}of {1,3}the {1,3}month\b").match(text, end)
    if of_the_month:
        day = real_date(scene.today.year, scene.today.month, number[0])
        return Reading(_day_or_none(day), of_the_month.end())
    if end != number[1]:
        of = re.compile(r" {1,3}of {1,3}").match(text, end)
        named = _month_reference(scene, of.end()) if of else None
        if named:
            day = real_date(named[0].year, named[0].month, number[0])
            return Reading(_day_or_none(day), named[1])
    return None


def relative_month_then_day(scene: Scene, at: int) -> Reading | None:
    """next month on the 5th, last month the 20th."""
    relative = _relative_period(scene.text, at)
    if not relative or relative[1] != "month":
        return None
    lead = re.compile(r" {0,3},? {0,3}(?:on {1,3})?the {1,3}").match(scene.text, relative[2])
    number = ordinal(scene.text, lead.end()) if lead else None
    if not number:
        return None
    month = month_of(scene.today, relative[0]).first
    weekday_at = _spaces(scene.text, number[1])
    weekday = weekday_number(scene.text, weekday_at)
    if weekday:
        found = nth_weekday(month, number[0], weekday[0])
        return Reading(_day_or_none(found), weekday[1])
    return Reading(_day_or_none(real_date(month.year, month.month, number[0])), number[1])


def nth_weekday_of_month(scene: Scene, at: int) -> Reading | None:
    """the first Friday of next month, third Tuesday in March, last Monday of the month."""
    text = scene.text
    start = _after(_THE, text, at) or at
    last = re.compile(r"(?:very )?last {1,3}").match(text, start)
    nth = (-1, last.end()) if last else ordinal(text, start)
    if not nth or nth[0] > 5:
        return None
    weekday_at = nth[1] if last else _spaces(text, nth[1])
    weekday = weekday_number(text, weekday_at)
    if not weekday or (weekday_at == nth[1] and not last):
        return None
    of = re.compile(r" {1,3}(?:of|in) {1,3}(?:the {1,3})?|'s? | {0,3}, ?|(?= )").match(
        text, weekday[1]
    )
    month = _month_reference(scene, of.end() if of[0] else weekday[1] + 1) if of else None
    if month:
        found = nth_weekday(month[0], nth[0], weekday[0])
        return Reading(_day_or_none(found), month[1])
    year = re.compile(r" {1,3}(?:of|in) {1,3}").match(text, weekday[1])
    if year or last:
        return None
    found = fitting_nth_weekday(scene.today, nth[0], weekday[0], scene.lean(at))
    return Reading(one_day(found), weekday[1]) if found else None


_BARE_DAY_END = re.compile(
    r" {0,3}(?:$|[.!?,;)\n]|(?:at|and|we|i|because|or|for|with|so|but|instead|unless|if)\b)"
)
_BARE_DAY_LEAD = re.compile(r"\b(?:on|for|by|until|till|since|before|after|from) {1,3}$")


def day_alone(scene: Scene, at: int) -> Reading | None:
    """on the 27th, for the 21st, on 15: a day of the month with nothing after it."""
    text = scene.text
    with_the = _after(_THE, text, at)
    number = day_number(text, with_the or at)
    if not number or not _BARE_DAY_END.match(text, number[1]):
        return None
    before = text[max(0, at - 10) : at]
    lead = _BARE_DAY_LEAD.search(before)
    digits = text[with_the or at].isdecimal()
    is_ordinal = ordinal(text, with_the or at) is not None
    at_the_end = re.compile(r" {0,3}(?:$|[.!?;\n])").match(text, number[1])
    if with_the:
        is_date = bool(lead) or (digits and is_ordinal and bool(at_the_end))
    else:
        is_date = digits and bool(at_the_end) and before.rstrip().endswith("on")
    if not is_date or (not is_ordinal and not at_the_end):
        return None
    day = fitting_month(scene.today, number[0], scene.lean(at))
    return Reading(_day_or_none(day), number[1], is_partial=True)


# ---- weekdays

_EVERY = re.compile(r"\b(?:every|each|other|most|usual|regular|alternate|any|the|a) {1,3}$")
_ON = re.compile(r" {0,3},? {0,3}(?:on |this )? {0,2}")
_OF_WEEK = re.compile(r" {0,3},? {0,3}(?:of |in |the )? {0,2}")
_NEXT_BUT = re.compile(r" {1,3}(?P<which>after next|before last|week)\b")
_PLURAL_PART = re.compile(r" (?:mornings|afternoons|evenings|nights)\b")


def weekday(scene: Scene, at: int) -> Reading | None:
    """Friday, next Friday, next week on Friday, Friday of next week, the Friday after next."""
    text, today = scene.text, scene.today
    start = _after(_THE, text, at) or at
    relative = _relative_period(text, start)
    if relative and relative[1] in ("week", "weekend"):
        named = weekday_number(text, _after(_ON, text, relative[2]) or relative[2])
        if named:
            return Reading(one_day(weekday_of(today, named[0], relative[0])), named[1])
        return None
    shift = _shift(text, start)
    if shift:
        named = weekday_number(text, shift[1])
        if not named:
            return None
        return Reading(one_day(_shifted_weekday(today, named[0], shift[0])), named[1])
    named = weekday_number(text, start)
    if not named:
        return None
    far = _NEXT_BUT.match(text, named[1])
    if far:
        weeks = {"after next": 2, "before last": -2, "week": 1}[far["which"]]
        if far["which"] == "week":
            coming = fitting_weekday(today + timedelta(days=1), named[0], LOOK_AHEAD)
            return Reading(one_day(coming + timedelta(weeks=1)), far.end())
        return Reading(one_day(weekday_of(today, named[0], weeks)), far.end())
    lead = _after(_OF_WEEK, text, named[1])
    relative = _relative_period(text, lead) if lead is not None and lead > named[1] else None
    if relative and relative[1] == "week":
        return Reading(one_day(weekday_of(today, named[0], relative[0])), relative[2])
    if start != at or _EVERY.search(text[max(0, at - 14) : at]):
        return None
    if _PLURAL_PART.match(text, named[1]):
        return None
    if is_short_weekday(text, start):
        led = re.compile(r"\b(?:on|by|until|till|since|from) {1,3}$").search(
            text[max(0, at - 8) : at]
        )
        if not led or not scene.is_capital(start):
            return None
    day = fitting_weekday(today, named[0], scene.lean(at))
    return Reading(one_day(day), named[1], is_partial=True)


def _shifted_weekday(today: date, weekday: int, shift: str) -> date:
    if shift in ("coming", "upcoming", "this coming", "following"):
        return fitting_weekday(today + timedelta(days=1), weekday, LOOK_AHEAD)
    if shift in ("past", "this past"):
        return fitting_weekday(today - timedelta(days=1), weekday, LOOK_BACK)
    return weekday_of(today, weekday, _steps(shift))


_WEEKDAYS_ON = re.compile(r" {1,3}(?:from {1,3}(?:now|today)|later|hence)\b")
_WEEKDAYS_AGO = re.compile(r" {1,3}(?:ago|back|earlier)\b")


def counted_weekdays(scene: Scene, at: int) -> Reading | None:
    """two Sundays from now, three Fridays ago."""
    amount = cardinal(scene.text, at)
    if not amount or not 0 < amount[0] < 1000:
        return None
    weekday_at = _spaces(scene.text, amount[1])
    named = weekday_number(scene.text, weekday_at, plural=True)
    if not named or weekday_at == amount[1]:
        return None
    ahead = _after(_WEEKDAYS_ON, scene.text, named[1])
    if ahead:
        first = fitting_weekday(scene.today + timedelta(days=1), named[0], LOOK_AHEAD)
        return Reading(one_day(first + timedelta(weeks=amount[0] - 1)), ahead)
    back = _after(_WEEKDAYS_AGO, scene.text, named[1])
    if back:
        first = fitting_weekday(scene.today - timedelta(days=1), named[0], LOOK_BACK)
        return Reading(one_day(first - timedelta(weeks=amount[0] - 1)), back)
    return None


# ---- so long ago, so long from now

_UNIT = re.compile(
    r"(?P<work>business days?|working days?|workdays?|weekdays?)(?![a-z])"
    r"|(?P<unit>decade|year|yr|quarter|month|fortnight|week|wk|day|night|hour|hr|minute|min|"
    r"second|sec)s?(?![a-z])"
)
_SHORT_UNITS = {"yr": "year", "wk": "week", "hr": "hour", "min": "minute", "sec": "second",
                "night": "day"}  # fmt: skip
_FEW = re.compile(r"(?P<few>a few|few|several|some|a couple of|a couple|couple of|couple) {1,3}")
_AN = re.compile(r"(?:an?|one full|another) {1,3}(?=[a-z])")
_HALF = re.compile(r"half {1,3}(?:of {1,3})?(?:an? {1,3})|(?:a )?half[- ](?=year|month|hour|day)")
_AND_A_HALF = re.compile(r" {1,3}and {1,3}a {1,3}half")
_DECIMAL = re.compile(r"(?P<whole>\d{1,3}(?:,\d{3})?)\.(?P<part>\d)(?= )")
_AND = re.compile(r" {0,3}(?:,? {0,3}and|,|&|plus)? {1,3}| {0,1}")


def _one_amount(text: str, at: int) -> tuple[Amount, int] | None:
    number: float
    vague = half = False
    found_half, few, an = _HALF.match(text, at), _FEW.match(text, at), _AN.match(text, at)
    decimal = _DECIMAL.match(text, at)
    if found_half:
        number, end, half = 0.5, found_half.end(), True
    elif few:
        vague = not few["few"].endswith(("couple", "couple of"))
        number, end = (3 if vague else 2), few.end()
    elif an:
        number, end = 1, an.end()
    elif decimal:
        number, end = int(decimal["whole"]) + int(decimal["part"]) / 10, decimal.end() + 1
    else:
        read = cardinal(text, at) or _glued(text, at)
        if not read:
            return None
        number, end = read
        more = _AND_A_HALF.match(text, end)
        if more:
            number, end = number + 0.5, more.end()
        end = _after(re.compile(r"[ -]{0,2}"), text, end) or end
    unit = _UNIT.match(text, end)
    if not unit:
        return None
    name = "workday" if unit["work"] else _SHORT_UNITS.get(unit["unit"], unit["unit"])
    end = unit.end()
    more = None if half else _AND_A_HALF.match(text, end)
    if more:
        number, end = number + 0.5, more.end()
    return amount_of(number, name, is_vague=vague), end


def _glued(text: str, at: int) -> tuple[int, int] | None:
    """3days, 2hrs."""
    found = re.compile(
        r"(\d{1,4})(?=(?:years?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?)\b)"
    ).match(text, at)
    return (int(found[1]), found.end()) if found else None


def amounts(text: str, at: int) -> tuple[Amount, int] | None:
    """2 years, 1 month and 21 days."""
    total = _one_amount(text, at)
    if not total:
        return None
    amount, end = total
    # Years, months, weeks, days, hours: no compound has more parts than there are units.
    for _ in range(5):
        lead = _after(_AND, text, end)
        more = _one_amount(text, lead) if lead is not None else None
        if not more:
            break
        amount, end = amount + more[0], more[1]
    return amount, end


_AGO = re.compile(r" {1,3}(?:ago|back(?! (?:to|in|and|from)\b)|earlier|prior)\b(?! to)")
_LATER = re.compile(r" {1,3}(?:from {1,3}(?:now|today)|later|hence)\b|'s? {1,3}time\b")
_FROM = re.compile(r" {1,3}(?P<side>from|after|before|since|prior to) {1,3}")
_TODAY_LAST = re.compile(r" {1,3}(?:from {1,3})?(?P<base>today|tomorrow|yesterday)\b")


def amount_away(scene: Scene, at: int) -> Reading | None:
    """1 month and 21 days ago, two weeks from now, three days after next Friday."""
    text = scene.text
    counted = amounts(text, at)
    if not counted:
        return None
    amount, end = counted
    ago = _after(_AGO, text, end)
    if ago:
        span = moved(scene.now, amount, -1)
        base = _TODAY_LAST.match(text, ago)
        if base and span and not amount.has_clock:
            shift = timedelta(days=_NAMED_DAYS[base["base"]])
            span, ago = moved_day(scene.today + shift, amount, -1, scene.now), base.end()
        return Reading(span, ago) if span else None
    later = _after(_LATER, text, end)
    if later:
        span = moved(scene.now, amount, 1)
        return Reading(span, later) if span else None
    side = _FROM.match(text, end)
    if not side:
        return None
    base_reading = _base(scene, side.end())
    if not base_reading or base_reading.span.first != base_reading.span.last:
        return None
    sign = -1 if side["side"] in ("before", "prior to") else 1
    span = moved_day(base_reading.span.first, amount, sign, scene.now)
    return Reading(span, base_reading.end) if span else None


_DAY_BESIDE = re.compile(r"(?:the {1,3})?day {1,3}(?P<side>after|before) {1,3}")


def day_beside(scene: Scene, at: int) -> Reading | None:
    """the day after next Friday, the day before March 3."""
    found = _DAY_BESIDE.match(scene.text, at)
    base = _base(scene, found.end()) if found else None
    if not found or not base or base.span.first != base.span.last:
        return None
    step = timedelta(days=1 if found["side"] == "after" else -1)
    return Reading(one_day(base.span.first + step), base.end)


def _base(scene: Scene, at: int) -> Reading | None:
    readings = [found for one in _BASES if (found := one(scene, at))]
    return max(readings, key=lambda found: found.end, default=None)


_IN = re.compile(r"(?P<word>in|within|after) {1,3}(?:the next {1,3}|about {1,3}|another {1,3})?")
_NO_STRETCH = re.compile(r" {1,3}(?:of|or|ago|in a row|old|flat|long|straight|each|per)\b")


def in_amount(scene: Scene, at: int) -> Reading | None:
    """in two weeks, within 3 days, in four business days; not "finished in two days"."""
    lead = _IN.match(scene.text, at)
    counted = amounts(scene.text, lead.end()) if lead else None
    if not lead or not counted or _NO_STRETCH.match(scene.text, counted[1]):
        return None
    amount, end = counted
    time_word = re.compile(r"'s? {1,3}time\b| {1,3}from {1,3}(?:now|today)\b").match(
        scene.text, end
    )
    if lead["word"] == "after" and not time_word:
        return None
    if scene.lean(at) == LOOK_BACK and not time_word:
        return None
    end = time_word.end() if time_word else end
    span = moved(scene.now, amount, 1)
    if span and lead["word"] == "within" and not amount.has_clock:
        span = TimeSpan(scene.today, span.last, STRETCH)
    return Reading(span, end) if span else None


_STRETCH = re.compile(
    r"(?:(?:over|during|for|in) {1,3})?(?:the {1,3}|these {1,3})?"
    r"(?P<side>last|past|previous|next|coming|following) {1,3}"
)


def stretch(scene: Scene, at: int) -> Reading | None:
    """the last three days, over the next two weeks."""
    lead = _STRETCH.match(scene.text, at)
    counted = amounts(scene.text, lead.end()) if lead else None
    if not lead or not counted or counted[0].has_clock:
        return None
    sign = -1 if lead["side"] in _BACKWARD else 1
    other = moved(scene.now, counted[0], sign)
    if other is None:
        return None
    first, last = sorted((scene.today, other.first))
    return Reading(TimeSpan(first, last, STRETCH), counted[1])


# ---- named days and periods

_NAMED_DAYS = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tmw": 1, "tomorow": 1,
    "the next day": 1, "next day": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
    "the day after tmrw": 2, "day after tmrw": 2, "the day before yesterday": -2,
    "day before yesterday": -2,
}  # fmt: skip
_PARTS_OF_DAYS = {
    "tonight": (0, "in the evening"),
    "tonite": (0, "in the evening"),
    "last night": (-1, "at night"),
    "this morning": (0, "in the morning"),
    "this afternoon": (0, "in the afternoon"),
    "this evening": (0, "in the evening"),
    "this noon": (0, "at noon"),
}
_NAMED = re.compile(
    r"(?:"
    + "|".join(sorted((*_NAMED_DAYS, *_PARTS_OF_DAYS), key=len, reverse=True)).replace(
        " ", " {1,3}"
    )
    + r")(?![a-z])"
)
_MY_DAY = re.compile(
    r"my day(?= (?:look|looking|going|go|like|shaping|today)\b)|(?<=how's )my day\b"
    r"|(?<=how is )my day\b|(?<=on )my day(?=\?)"
)
_LAST_DAY = re.compile(r"last day(?= {0,3}[.!?]?$)")


def named_day(scene: Scene, at: int) -> Reading | None:
    """yesterday, the day after tomorrow, tonight."""
    found = _NAMED.match(scene.text, at)
    if found:
        words = " ".join(found[0].split())
        if words in _PARTS_OF_DAYS:
            days, part = _PARTS_OF_DAYS[words]
            span = one_day(scene.today + timedelta(days=days)).during(part)
            return Reading(span, found.end())
        return Reading(one_day(scene.today + timedelta(days=_NAMED_DAYS[words])), found.end())
    mine = _MY_DAY.match(scene.text, at)
    if mine:
        return Reading(one_day(scene.today), mine.end())
    before = scene.text[max(0, at - 6) : at]
    last = _LAST_DAY.match(scene.text, at)
    if last and not before.endswith(("the ", "my ", "our ", "your ", "his ", "her ", "their ")):
        return Reading(one_day(scene.today - timedelta(days=1)), last.end())
    return None


_SAME_DAY = re.compile(
    r"(?:on {1,3})?(?:the {1,3})?(?:same|this) {1,3}(?P<what>day|time) {1,3}(?:of {1,3})?"
)


def same_day_of_period(scene: Scene, at: int) -> Reading | None:
    """this day last year, the same day last month, this time next week."""
    found = _SAME_DAY.match(scene.text, at)
    relative = _relative_period(scene.text, found.end()) if found else None
    if not found or not relative or not relative[0]:
        return None
    steps, unit, end = relative
    if unit in ("week", "weekend"):
        day = scene.today + timedelta(weeks=steps)
    else:
        day = add_months(scene.today, steps * {"month": 1, "quarter": 3, "year": 12}[unit])
    return Reading(TimeSpan(day, day, AROUND) if found["what"] == "time" else one_day(day), end)


def period(scene: Scene, at: int) -> Reading | None:
    """next week, the month before last, this year."""
    found = _relative_period(scene.text, at)
    if not found:
        return None
    return Reading(_period_span(found[0], found[1], scene.today), found[2])


_EDGE = re.compile(
    r"(?:the {1,3})?(?P<edge>very end|end|start|beginning|middle|first day|last day) {1,3}of {1,3}"
)
_PLAIN_PERIOD = re.compile(
    r"(?:the {1,3})?(?P<unit>week|month|quarter|year)(?![a-z'])(?! (?:after|before))"
)


def edge_of_period(scene: Scene, at: int) -> Reading | None:
    """the end of next month, the beginning of the year, the first day of next week."""
    edge = _EDGE.match(scene.text, at)
    if not edge:
        return None
    relative = _relative_period(scene.text, edge.end())
    plain = _PLAIN_PERIOD.match(scene.text, edge.end())
    if relative and relative[1] != "weekend":
        span, end = _period_span(relative[0], relative[1], scene.today), relative[2]
    elif plain:
        span, end = _period_span(0, plain["unit"], scene.today), plain.end()
    else:
        month = _month_reference(scene, edge.end())
        if not month:
            return None
        span, end = month_of(month[0]), month[1]
    if edge["edge"] == "middle":
        return Reading(one_day(span.first + (span.last - span.first) // 2), end)
    is_last = edge["edge"] in ("very end", "end", "last day")
    return Reading(one_day(span.last if is_last else span.first), end)


# ---- words that name no day, but mean one beside the time they were said

_JUST_NOW = re.compile(
    r"(?:just now|right now|a (?:moment|minute|second) ago|at the moment|moments ago)\b"
)
_VAGUE: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"(?:recently|lately|these days|nowadays|the other day|(?:a while|some time|"
            r"not long) (?:ago|back))\b"
        ),
        AROUND,
    ),
    (re.compile(r"from now on(?:wards?)?\b"), SINCE),
    (
        re.compile(r"(?:soon|shortly|later on|later(?! than)|in a (?:bit|while|moment))\b"),
        AFTER,
    ),
    (re.compile(r"earlier\b(?! than)"), BEFORE),
    (re.compile(r"(?:now|currently|presently)\b(?! that\b)"), AS_OF),
)
_NOT_VAGUE_BEFORE = re.compile(
    r"\b(?:sooner or|until|till|by|for|and|even|much|as|so|how|too|very|any|no|\d+|days?|weeks?|"
    r"months?|years?|hours?|minutes?) {1,3}$"
)


def vague_word(scene: Scene, at: int) -> Reading | None:
    """recently, just now, later, currently."""
    text = scene.text
    found = _JUST_NOW.match(text, at)
    if found:
        return Reading(a_moment(scene.now), found.end())
    for pattern, grain in _VAGUE:
        found = pattern.match(text, at)
        if not found:
            continue
        if grain in (AFTER, BEFORE) and _NOT_VAGUE_BEFORE.search(text[max(0, at - 12) : at]):
            return None
        if grain in (AROUND, AS_OF, SINCE):
            return Reading(TimeSpan(scene.today, scene.today, grain), found.end())
        return Reading(a_moment(scene.now, grain), found.end())
    return None


_BASES: tuple[Production, ...] = (
    numeric_date, month_first, day_first, year_first, weekday_and_date, day_of_relative_month,
    nth_weekday_of_month, weekday, named_day, edge_of_period,
)  # fmt: skip
PRODUCTIONS: tuple[Production, ...] = (
    *_BASES, days_of_one_month, month_alone, relative_month_then_day, day_alone, counted_weekdays,
    amount_away,
    day_beside, in_amount, stretch, same_day_of_period, period, vague_word,
)  # fmt: skip

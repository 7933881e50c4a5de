"""English weekdays: alone, of a week, counted, beside a date."""

import re
from datetime import date, timedelta

from shared.language.times.calendar import (
    LOOK_AHEAD,
    LOOK_BACK,
    fitting_weekday,
    month_of,
    real_date,
    weekday_of,
)
from shared.language.times.dates_en import day_first, month_first, numeric_date
from shared.language.times.months_en import day_of_relative_month
from shared.language.times.numbers_en import cardinal, day_number, is_short_weekday, weekday_number
from shared.language.times.periods_en import THE, after, read_shift, relative_period, spaces, steps
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import one_day

_WEEKDAY_TO_DATE = re.compile(r" {0,3},? {0,3}(?:the {1,3})?")


def weekday_and_date(scene: Scene, at: int) -> Reading | None:
    """Wed, 22 of Jan; Monday January 12th, 2016; Friday the twenty second."""
    weekday = weekday_number(scene.text, at)
    lead = after(_WEEKDAY_TO_DATE, scene.text, weekday[1]) if weekday else None
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

_EVERY = re.compile(r"\b(?:every|each|other|most|usual|regular|alternate|any|the|a) {1,3}$")

_ON = re.compile(r" {0,3},? {0,3}(?:on |this )? {0,2}")

_ONE_EVENT = re.compile(
    r" {1,2}(?:deadline|exam|flight|wedding|funeral|interview|appointment|launch|party|concert)\b"
)
"""The Friday deadline is of one Friday; the Friday meeting may be of each."""

_OF_WEEK = re.compile(r" {0,3},? {0,3}(?:of |in |the )? {0,2}")

_OF_EACH = re.compile(r" {1,3}(?:of|in) {1,3}(?:each|every|any)\b")

_NEXT_BUT = re.compile(r" {1,3}(?P<which>after next|before last|week)\b")

_SINCE = re.compile(r"\bsince {1,3}$")

_DEADLINE = re.compile(r"\b(?:by|before) {1,3}$")
_HOUR = re.compile(r",? {0,3}(?:at |\d|noon|midnight|morning|afternoon|evening|night)")
"""Whoever says on a Wednesday "by Wednesday" means the next, unless an hour of it is named."""
_PLURAL_PART = re.compile(r" (?:mornings|afternoons|evenings|nights)\b")


def weekday(scene: Scene, at: int) -> Reading | None:
    """Friday, next Friday, next week on Friday, Friday of next week, the Friday after next."""
    text, today = scene.text, scene.today
    start = after(THE, text, at) or at
    relative = relative_period(text, start)
    if relative and relative[1] in ("week", "weekend"):
        named = weekday_number(text, after(_ON, text, relative[2]) or relative[2])
        if named:
            return Reading(one_day(weekday_of(today, named[0], relative[0])), named[1])
        return None
    shift = read_shift(text, start)
    if shift:
        named = weekday_number(text, shift[1])
        if not named or _OF_EACH.match(text, named[1]):
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
    lead = after(_OF_WEEK, text, named[1])
    relative = relative_period(text, lead) if lead is not None and lead > named[1] else None
    if relative and relative[1] == "week":
        return Reading(one_day(weekday_of(today, named[0], relative[0])), relative[2])
    is_single = _ONE_EVENT.match(text, named[1]) and text[max(0, at - 4) : at] == "the "
    if start != at or (_EVERY.search(text[max(0, at - 14) : at]) and not is_single):
        return None
    if _PLURAL_PART.match(text, named[1]):
        return None
    if is_short_weekday(text, start) and not _is_weekday(scene, start, named[1]):
        return None
    is_since = _SINCE.search(text[max(0, at - 8) : at])
    day = fitting_weekday(today, named[0], LOOK_BACK if is_since else scene.lean(at))
    is_deadline = _DEADLINE.search(text[max(0, at - 10) : at]) and not _HOUR.match(text, named[1])
    if day == today and is_deadline:
        day += timedelta(weeks=1)
    return Reading(one_day(day), named[1], is_partial=True)


_LEADS_TO_SHORT = re.compile(r"\b(?:on|by|until|till|since|from) {1,3}$")
_ONLY_WEEKDAY = re.compile(r"(?:tues|weds|thurs|thur)\b")
_PART_OR_HOUR = re.compile(
    r",? {1,3}(?:morning|afternoon|evening|night)\b|,? {1,3}(?:at {1,3})?\d{1,2}(?::\d\d)? ?[ap]m\b"
)


def _is_weekday(scene: Scene, at: int, end: int) -> bool:
    """Whether a short form is one: Thurs is nothing else; on Sat, fri night and Sun 5pm are."""
    if _ONLY_WEEKDAY.match(scene.text, at):
        return True
    if _PART_OR_HOUR.match(scene.text, end):
        is_sure = not scene.text.startswith(("sat", "sun"), at) or scene.is_capital(at)
        return is_sure or scene.text[end:].lstrip(", ").startswith(("night", "morning"))
    led = _LEADS_TO_SHORT.search(scene.text[max(0, at - 8) : at])
    return bool(led) and scene.is_capital(at)


def _shifted_weekday(today: date, weekday: int, shift: str) -> date:
    if shift in ("coming", "upcoming", "this coming", "following"):
        return fitting_weekday(today + timedelta(days=1), weekday, LOOK_AHEAD)
    if shift in ("past", "this past"):
        return fitting_weekday(today - timedelta(days=1), weekday, LOOK_BACK)
    return weekday_of(today, weekday, steps(shift))


_WEEKDAYS_ON = re.compile(r" {1,3}(?:from {1,3}(?:now|today)|later|hence)\b")

_WEEKDAYS_AGO = re.compile(r" {1,3}(?:ago|back|earlier)\b")


def counted_weekdays(scene: Scene, at: int) -> Reading | None:
    """two Sundays from now, three Fridays ago."""
    amount = cardinal(scene.text, at)
    if not amount or not 0 < amount[0] < 1000:
        return None
    weekday_at = spaces(scene.text, amount[1])
    named = weekday_number(scene.text, weekday_at, plural=True)
    if not named or weekday_at == amount[1]:
        return None
    ahead = after(_WEEKDAYS_ON, scene.text, named[1])
    if ahead:
        first = fitting_weekday(scene.today + timedelta(days=1), named[0], LOOK_AHEAD)
        return Reading(one_day(first + timedelta(weeks=amount[0] - 1)), ahead)
    back = after(_WEEKDAYS_AGO, scene.text, named[1])
    if back:
        first = fitting_weekday(scene.today - timedelta(days=1), named[0], LOOK_BACK)
        return Reading(one_day(first - timedelta(weeks=amount[0] - 1)), back)
    return None

"""English days of a month that is named by its distance, and days that name no month."""

import re
from datetime import date

from shared.language.times.calendar import (
    fitting_month,
    fitting_nth_weekday,
    month_of,
    nth_weekday,
    real_date,
)
from shared.language.times.dates_en import named_year
from shared.language.times.numbers_en import day_number, month_number, ordinal, weekday_number
from shared.language.times.periods_en import THE, after, day_or_none, relative_period, spaces
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import one_day

_OF_IN = re.compile(r" {0,3}(?:of|in|,)? {0,3}(?:the {1,3})?")

_NTH_DAY = re.compile(r" {1,3}day\b")


def month_reference(scene: Scene, at: int) -> tuple[date, int] | None:
    """The first of: next month, the month, March, March 2024, March next year."""
    relative = relative_period(scene.text, at)
    if relative and relative[1] == "month":
        return month_of(scene.today, relative[0]).first, relative[2]
    this = after(_THE_MONTH, scene.text, at)
    if this:
        return scene.today.replace(day=1), this
    month = month_number(scene.text, at)
    if not month:
        return None
    year = named_year(scene, month[1])
    return date(year[0] if year else scene.today.year, month[0], 1), year[1] if year else month[1]


_THE_MONTH = re.compile(r"(?:the {1,3})?month\b(?! (?:after|before))")


def day_of_relative_month(scene: Scene, at: int) -> Reading | None:
    """the 20th of next month, 31st of this month, the last day of March."""
    text = scene.text
    start = after(THE, text, at) or at
    last = re.compile(r"last {1,3}day {1,3}(?:of|in) {1,3}").match(text, start)
    if last:
        month = month_reference(scene, last.end())
        if month:
            return Reading(one_day(month_of(month[0]).last), month[1])
        return None
    number = day_number(text, start)
    if not number:
        return None
    end = after(_NTH_DAY, text, number[1]) or number[1]
    lead = after(_OF_IN, text, end)
    relative = relative_period(text, lead) if lead is not None else None
    if relative and relative[1] == "month":
        month_day = month_of(scene.today, relative[0]).first
        day = real_date(month_day.year, month_day.month, number[0])
        return Reading(day_or_none(day), relative[2])
    of_the_month = re.compile(r" {1,3}of {1,3}the {1,3}month\b").match(text, end)
    if of_the_month:
        day = real_date(scene.today.year, scene.today.month, number[0])
        return Reading(day_or_none(day), of_the_month.end())
    if end != number[1]:
        of = re.compile(r" {1,3}of {1,3}").match(text, end)
        named = month_reference(scene, of.end()) if of else None
        if named:
            day = real_date(named[0].year, named[0].month, number[0])
            return Reading(day_or_none(day), named[1])
    return None


def relative_month_then_day(scene: Scene, at: int) -> Reading | None:
    """next month on the 5th, last month the 20th."""
    relative = relative_period(scene.text, at)
    if not relative or relative[1] != "month":
        return None
    lead = re.compile(r" {0,3},? {0,3}(?:on {1,3})?the {1,3}").match(scene.text, relative[2])
    number = ordinal(scene.text, lead.end()) if lead else None
    if not number:
        return None
    month = month_of(scene.today, relative[0]).first
    weekday_at = spaces(scene.text, number[1])
    weekday = weekday_number(scene.text, weekday_at)
    if weekday:
        found = nth_weekday(month, number[0], weekday[0])
        return Reading(day_or_none(found), weekday[1])
    return Reading(day_or_none(real_date(month.year, month.month, number[0])), number[1])


def nth_weekday_of_month(scene: Scene, at: int) -> Reading | None:
    """the first Friday of next month, third Tuesday in March, last Monday of the month."""
    text = scene.text
    start = after(THE, text, at) or at
    last = re.compile(r"(?:very )?last {1,3}").match(text, start)
    nth = (-1, last.end()) if last else ordinal(text, start)
    if not nth or nth[0] > 5:
        return None
    weekday_at = nth[1] if last else spaces(text, nth[1])
    weekday = weekday_number(text, weekday_at)
    if not weekday or (weekday_at == nth[1] and not last):
        return None
    of = re.compile(r" {1,3}(?:of|in) {1,3}(?:the {1,3})?|'s? | {0,3}, ?|(?= )").match(
        text, weekday[1]
    )
    month = month_reference(scene, of.end() if of[0] else weekday[1] + 1) if of else None
    if month:
        found = nth_weekday(month[0], nth[0], weekday[0])
        return Reading(day_or_none(found), month[1])
    year = re.compile(r" {1,3}(?:of|in) {1,3}").match(text, weekday[1])
    if year or last:
        return None
    found = fitting_nth_weekday(scene.today, nth[0], weekday[0], scene.lean(at))
    return Reading(one_day(found), weekday[1]) if found else None


_BARE_DAY_END = re.compile(
    r" {0,3}(?:$|[.!?,;)\n]|(?:at|and|we|i|because|or|for|with|so|but|instead|unless|if)\b"
    r"|(?:to|until|till|through) (?:the )?\d)"
)

_BARE_DAY_LEAD = re.compile(r"\b(?:on|for|by|until|till|since|before|after|from|between) {1,3}$")


def day_alone(scene: Scene, at: int) -> Reading | None:
    """on the 27th, for the 21st, on 15: a day of the month with nothing after it."""
    text = scene.text
    with_the = after(THE, text, at)
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
    return Reading(day_or_none(day), number[1], is_partial=True)

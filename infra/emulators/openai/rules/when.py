"""A point or stretch of time that words name, and the calendar arithmetic behind it."""

import calendar
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

DAY, WEEK, WEEKEND, MONTH, QUARTER, YEAR = "day", "week", "weekend", "month", "quarter", "year"
MOMENT, AROUND, AS_OF, AFTER = "moment", "around", "as of", "after"
BEFORE, SINCE, SPAN = "before", "since", "span"


@dataclass(frozen=True)
class When:
    """From `first` to `last`, both included. `part` is a part of the day in the text's own words.

    `clock` is set if a time of day is known; `grain` says how exactly it is meant.
    """

    first: date
    last: date
    grain: str = DAY
    clock: time | None = None
    part: str = ""

    def at(self, clock: time) -> "When":
        return replace(self, clock=clock, part="")

    def during(self, part: str) -> "When":
        return replace(self, part=part)


@dataclass(frozen=True)
class Found:
    """A time expression at `start:end` of a text.

    `is_partial`: a date that only lacks its year or month, so it may also be left as it is.
    """

    start: int
    end: int
    when: When
    is_partial: bool = False


def day(value: date) -> When:
    return When(value, value)


def moment(value: datetime, grain: str = MOMENT) -> When:
    clock = value.time().replace(second=0, microsecond=0)
    return When(value.date(), value.date(), grain, clock)


def week_of(value: date, offset: int = 0) -> When:
    monday = value - timedelta(days=value.weekday()) + timedelta(weeks=offset)
    return When(monday, monday + timedelta(days=6), WEEK)


def weekend_of(value: date, offset: int = 0) -> When:
    monday = week_of(value, offset).first
    return When(monday + timedelta(days=5), monday + timedelta(days=6), WEEKEND)


def weekday_of(value: date, weekday: int, offset: int = 0) -> date:
    """That weekday of this week, counted from Monday, or of the week `offset` weeks away."""
    return week_of(value, offset).first + timedelta(days=weekday)


def month_of(value: date, offset: int = 0) -> When:
    first = add_months(value.replace(day=1), offset)
    length = calendar.monthrange(first.year, first.month)[1]
    return When(first, first.replace(day=length), MONTH)


def quarter_of(value: date, offset: int = 0) -> When:
    first = add_months(value.replace(month=(value.month - 1) // 3 * 3 + 1, day=1), 3 * offset)
    return When(first, month_of(first, 2).last, QUARTER)


def year_of(value: date, offset: int = 0) -> When:
    year = value.year + offset
    return When(date(year, 1, 1), date(year, 12, 31), YEAR)


def add_months(value: date, months: int) -> date:
    """The same day so many months on, or the last day of a shorter month."""
    count = value.year * 12 + value.month - 1 + months
    year, month = divmod(count, 12)
    length = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(value.day, length))


def add_workdays(value: date, days: int) -> date:
    while days > 0:
        value += timedelta(days=1)
        days -= value.weekday() < 5
    return value


def nth_weekday(month: date, nth: int, weekday: int) -> date | None:
    """The nth such weekday of the month; the last for -1."""
    first = month.replace(day=1)
    days = [
        first + timedelta(days=offset)
        for offset in range(calendar.monthrange(first.year, first.month)[1])
        if (first + timedelta(days=offset)).weekday() == weekday
    ]
    if nth == -1:
        return days[-1]
    return days[nth - 1] if nth <= len(days) else None


def real_date(year: int, month: int, day_of_month: int) -> date | None:
    try:
        return date(year, month, day_of_month)
    except ValueError:
        return None


def nearest_year(reference: date, month: int, day_of_month: int, lean: int) -> date | None:
    """The date in the year that fits: lean -1 looks back, 1 ahead, 0 stays in this year."""
    tries = {0: range(5), 1: range(9), -1: range(0, -9, -1)}[lean]
    for offset in tries:
        found = real_date(reference.year + offset, month, day_of_month)
        if found and not (lean > 0 and found < reference) and not (lean < 0 and found > reference):
            return found
    return None


def nearest_month(reference: date, day_of_month: int, lean: int) -> date | None:
    for offset in ({0: (0, 1, 2), 1: (0, 1, 2), -1: (0, -1, -2)})[lean]:
        month = month_of(reference, offset).first
        found = real_date(month.year, month.month, day_of_month)
        if found and not (lean > 0 and found < reference) and not (lean < 0 and found > reference):
            return found
    return None


def nearest_weekday(reference: date, weekday: int, lean: int) -> date:
    """Ahead unless the text looks back; today counts in both."""
    if lean < 0:
        return reference - timedelta(days=(reference.weekday() - weekday) % 7)
    return reference + timedelta(days=(weekday - reference.weekday()) % 7)


def full_year(two_digits: int) -> int:
    """05 is 2005, 71 is 1971."""
    if two_digits >= 100:
        return two_digits
    return two_digits + (2000 if two_digits < 50 else 1900)


def longest_first(found: list[Found]) -> list[Found]:
    """Without overlaps: the earliest, of those the longest."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda each: (each.start, -(each.end - each.start))):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept

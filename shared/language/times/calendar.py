"""Calendar arithmetic: months that differ in length, weeks from Monday, the year that fits."""

import calendar
from datetime import date, timedelta

from shared.language.times.span import MONTH, QUARTER, WEEK, WEEKEND, YEAR, TimeSpan

LOOK_BACK, NO_LEAN, LOOK_AHEAD = -1, 0, 1
"""Whether a sentence tells of what was, says nothing of it, or tells of what will be."""
SOON = 92
"""Days ahead within which a date that names no year is the coming one rather than the one gone."""
MAX_WORKDAYS = 2000
"""Working days are counted one by one; eight years of them are more than anybody means."""


def week_of(value: date, offset: int = 0) -> TimeSpan:
    monday = value - timedelta(days=value.weekday()) + timedelta(weeks=offset)
    return TimeSpan(monday, monday + timedelta(days=6), WEEK)


def weekend_of(value: date, offset: int = 0) -> TimeSpan:
    monday = week_of(value, offset).first
    return TimeSpan(monday + timedelta(days=5), monday + timedelta(days=6), WEEKEND)


def weekday_of(value: date, weekday: int, offset: int = 0) -> date:
    """That weekday of this week, counted from Monday, or of the week `offset` weeks away."""
    return week_of(value, offset).first + timedelta(days=weekday)


def month_of(value: date, offset: int = 0) -> TimeSpan:
    first = add_months(value.replace(day=1), offset)
    return TimeSpan(first, first.replace(day=days_in(first)), MONTH)


def quarter_of(value: date, offset: int = 0) -> TimeSpan:
    first = add_months(value.replace(month=(value.month - 1) // 3 * 3 + 1, day=1), 3 * offset)
    return TimeSpan(first, month_of(first, 2).last, QUARTER)


def year_of(value: date, offset: int = 0) -> TimeSpan:
    year = value.year + offset
    return TimeSpan(date(year, 1, 1), date(year, 12, 31), YEAR)


def days_in(month: date) -> int:
    return calendar.monthrange(month.year, month.month)[1]


def add_months(value: date, months: int) -> date:
    """The same day so many months on, or the last day of a shorter month."""
    year, month = divmod(value.year * 12 + value.month - 1 + months, 12)
    first = date(year, month + 1, 1)
    return first.replace(day=min(value.day, days_in(first)))


def add_workdays(value: date, days: int) -> date | None:
    """So many days on (or back) of which none is a Saturday or Sunday."""
    if abs(days) > MAX_WORKDAYS:
        return None
    step = timedelta(days=1 if days > 0 else -1)
    left = abs(days)
    while left:
        value += step
        left -= value.weekday() < 5
    return value


def nth_weekday(month: date, nth: int, weekday: int) -> date | None:
    """The nth such weekday of the month; the last for -1."""
    first = month.replace(day=1)
    day = first + timedelta(days=(weekday - first.weekday()) % 7)
    if nth == -1:
        return day + timedelta(weeks=(days_in(first) - day.day) // 7)
    day += timedelta(weeks=nth - 1)
    return day if nth > 0 and day.month == first.month else None


def real_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def fitting_year(today: date, month: int, day: int, lean: int) -> date | None:
    """The date in the year that fits the lean; without one, this year, unless the day lies behind
    and comes again within a quarter: 5 January said in December is the next."""
    if lean == NO_LEAN:
        lean = LOOK_AHEAD if _comes_soon(today, month, day) else NO_LEAN
    step = -1 if lean == LOOK_BACK else 1
    # Nine years: 29 February may be eight years away, around 1900 and 2100.
    for offset in range(0, 9 * step, step):
        found = real_date(today.year + offset, month, day)
        if found and _fits(found, today, lean):
            return found
    return None


def _comes_soon(today: date, month: int, day: int) -> bool:
    this, coming = (real_date(today.year + years, month, day) for years in (0, 1))
    if not this or not coming or this >= today:
        return False
    return coming - today <= timedelta(days=SOON)


def fitting_month(today: date, day: int, lean: int) -> date | None:
    """That day of the month that fits the lean; without one, the next: who says on the 29th that
    the rent is due on the 3rd means no day that is over."""
    lean = lean or LOOK_AHEAD
    step = -1 if lean == LOOK_BACK else 1
    for offset in range(0, 3 * step, step):
        month = month_of(today, offset).first
        found = real_date(month.year, month.month, day)
        if found and _fits(found, today, lean):
            return found
    return None


def fitting_weekday(today: date, weekday: int, lean: int) -> date:
    """Ahead unless the text looks back; today counts in both."""
    if lean == LOOK_BACK:
        return today - timedelta(days=(today.weekday() - weekday) % 7)
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def fitting_nth_weekday(today: date, nth: int, weekday: int, lean: int) -> date | None:
    """The nth such weekday of the month that has one and fits the lean, this month first."""
    step = -1 if lean == LOOK_BACK else 1
    # Some month of any six has a fifth weekday of each kind.
    for offset in range(0, 6 * step, step):
        found = nth_weekday(month_of(today, offset).first, nth, weekday)
        if found and _fits(found, today, lean):
            return found
    return None


def _fits(found: date, today: date, lean: int) -> bool:
    return not (lean == LOOK_AHEAD and found < today) and not (lean == LOOK_BACK and found > today)


def full_year(number: int) -> int:
    """05 is 2005, 71 is 1971; a full year stays."""
    if number >= 100:
        return number
    return number + (2000 if number < 50 else 1900)

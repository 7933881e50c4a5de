"""The days that words of time name, and how each kind of them is reckoned. Pure arithmetic."""

import calendar
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

DAY, WEEK, WEEKEND, MONTH, YEAR = "day", "week", "weekend", "month", "year"
STRETCH = "stretch"
LUNAR, NO_SUCH_DAY = "lunar", "no such day"
"""Read, so that they are not read as something else, and then left out: a date of the lunar
calendar (in its own numbers) and one like 30 February."""
SOON = 92
"""Days ahead within which a date without a year is the coming one rather than the one gone."""
FAR_AHEAD, FAR_BEHIND = 340, 240
"""Days beyond which a date without a year is not meant, whatever its clause leans to: chats speak
of what comes, also in the past tense ("booked 3 October")."""


@dataclass(frozen=True, slots=True)
class NamedTime:
    """Words of time at `start:end` of a text, and the days they name, `first` to `last`.

    `grain` is how exactly they are meant: day, week, weekend, month, year or stretch.
    `is_relative`: they mean another day when they are said on another. `clock` is set where the
    words name a time of the day.
    """

    first: date
    last: date
    grain: str = DAY
    is_relative: bool = True
    clock: time | None = None
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class SaidAt:
    """When something was said, and whether its clause tells of what was (-1), of what will be (1),
    or of neither (0). `is_day_first`: 3/7/2017 is the third of July."""

    now: datetime
    leaning: int = 0
    is_day_first: bool = False

    @property
    def today(self) -> date:
        return self.now.date()


Parts = Mapping[str, str]
"""The named groups of a pattern that matched something."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Words of time that a pattern finds, and what makes days of them."""

    pattern: re.Pattern[str]
    days: Callable[[Parts, SaidAt], NamedTime | None]


def one_day(day: date, *, is_relative: bool = True) -> NamedTime:
    return NamedTime(day, day, is_relative=is_relative)


def in_days(said: SaidAt, days: int) -> NamedTime:
    return one_day(said.today + timedelta(days=days))


@dataclass(frozen=True, slots=True)
class Amount:
    """Of time: months and years differ in length, so they are counted apart."""

    months: int = 0
    rest: timedelta = timedelta()


def away(said: SaidAt, amount: Amount, sign: int, start: date | None = None) -> NamedTime:
    """So much time before (-1) or after (1) now, or another day; hours and minutes have a clock."""
    then = datetime.combine(start, said.now.timetz()) if start else said.now
    then = datetime.combine(plus_months(then.date(), sign * amount.months), then.timetz())
    then += sign * amount.rest
    clock = then.time().replace(second=0, microsecond=0)
    return NamedTime(then.date(), then.date(), clock=clock if amount.rest.seconds else None)


def stretch(said: SaidAt, amount: Amount, sign: int) -> NamedTime:
    """The last three days, the next two weeks: to today, or from today."""
    end = away(said, amount, sign).first
    return NamedTime(min(end, said.today), max(end, said.today), STRETCH)


def plus_months(day: date, months: int) -> date:
    """The same day so many months on, or the last day of a shorter month."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def period(said: SaidAt, unit: str, shift: int) -> NamedTime:
    """The week, weekend, month or year so many on from the present one."""
    today = said.today
    if unit in (WEEK, WEEKEND):
        monday = today + timedelta(weeks=shift, days=-today.weekday())
        return NamedTime(
            monday + timedelta(days=5 * (unit == WEEKEND)), monday + timedelta(days=6), unit
        )
    if unit == MONTH:
        return month(plus_months(today.replace(day=1), shift), is_relative=True)
    return NamedTime(date(today.year + shift, 1, 1), date(today.year + shift, 12, 31), YEAR)


def month(first: date, *, is_relative: bool) -> NamedTime:
    return NamedTime(first, plus_months(first, 1) - timedelta(days=1), MONTH, is_relative)


def weekday_of(said: SaidAt, weekday: int, weeks: int) -> NamedTime:
    """That weekday of the week so many on, counted from Monday."""
    return one_day(period(said, WEEK, weeks).first + timedelta(days=weekday))


def bare_weekday(said: SaidAt, weekday: int) -> NamedTime:
    """Ahead unless the clause tells of what was; today counts as both."""
    ahead = (weekday - said.today.weekday()) % 7
    days = ahead if said.leaning >= 0 else -(-ahead % 7)
    return one_day(said.today + timedelta(days=days), is_relative=False)


def counted_weekdays(said: SaidAt, weekday: int, count: int, sign: int) -> NamedTime:
    """Two Sundays from now, three Mondays ago: today is none of them."""
    first = (weekday - said.today.weekday()) * sign % 7 or 7
    return in_days(said, sign * (first + 7 * (count - 1)))


def dated(year: int, month: int, day: int, *, is_relative: bool = False) -> NamedTime:
    try:
        return one_day(date(year, month, day), is_relative=is_relative)
    except ValueError:
        return NamedTime(date.min, date.min, NO_SUCH_DAY, is_relative=False)


def full_year(number: int) -> int:
    """05 is 2005, 71 is 1971."""
    return number + (1900 if 50 <= number < 100 else 2000 if number < 50 else 0)


def without_year(said: SaidAt, month: int, day: int) -> NamedTime:
    """The one that the clause leans to, unless it is so far away that the other must be meant;
    without a leaning this year's, unless it lies behind and comes again soon."""
    # Nine years: 29 February may be eight away.
    near = [dated(said.today.year + years, month, day) for years in range(-8, 9)]
    near = [named for named in near if named.grain == DAY]
    if not near:
        return dated(1, 2, 30)
    gone = max((named for named in near if named.first <= said.today), key=_first, default=near[0])
    coming = min((named for named in near if named.first >= said.today), key=_first, default=gone)
    ahead, behind = (coming.first - said.today).days, (said.today - gone.first).days
    if said.leaning:
        is_ahead = behind > FAR_BEHIND if said.leaning < 0 else ahead <= FAR_AHEAD
    else:
        is_ahead = ahead <= SOON or coming.first.year == said.today.year
    return coming if is_ahead else gone


def _first(named: NamedTime) -> date:
    return named.first


def bare_day(said: SaidAt, day: int) -> NamedTime | None:
    """That day of this month or of the nearest that has it: ahead, unless the clause looks back."""
    step = -1 if said.leaning < 0 else 1
    for months in range(0, 3 * step, step):
        first = plus_months(said.today.replace(day=1), months)
        found = dated(first.year, first.month, day)
        if found.grain == DAY and (found.first - said.today).days * step >= 0:
            return found
    return None


def weekday_with_day(said: SaidAt, weekday: int, day: int) -> NamedTime | None:
    """Friday the 22nd: of the nearest month in which that day is a Friday."""
    months = (plus_months(said.today.replace(day=1), on) for on in range(-11, 12))
    found = [dated(first.year, first.month, day) for first in months]
    found = [named for named in found if named.grain == DAY and named.first.weekday() == weekday]
    return min(found, key=lambda named: abs(named.first - said.today), default=None)


def nth_weekday(first: date, nth: int, weekday: int, *, is_relative: bool) -> NamedTime | None:
    """The nth such weekday of the month that begins then; the last for -1."""
    days = [
        first + timedelta(days=offset)
        for offset in range((plus_months(first, 1) - first).days)
        if (first + timedelta(days=offset)).weekday() == weekday
    ]
    if nth > len(days):
        return None
    return one_day(days[nth if nth < 0 else nth - 1], is_relative=is_relative)


def workdays_on(said: SaidAt, count: int) -> NamedTime:
    day = said.today
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < 5
    return one_day(day)


def part_of(named: NamedTime, part: int) -> NamedTime:
    """Its first (0) or last (-1) day."""
    return one_day(named.last if part else named.first, is_relative=named.is_relative)


def whole_year(year: int) -> NamedTime:
    return NamedTime(date(year, 1, 1), date(year, 12, 31), YEAR, is_relative=False)

"""A length of time in several units, and the time that lies so far from another."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from shared.language.times.calendar import add_months, add_workdays
from shared.language.times.span import AROUND, TimeSpan, a_moment, one_day

MAX_YEARS = 1000
"""Beyond this nobody counts from today, and the calendar of the machine ends."""


@dataclass(frozen=True)
class Amount:
    """`months` holds years and quarters too, `days` holds weeks, `minutes` holds hours.

    `is_vague`: a few, several. `has_clock`: hours or minutes were said, so the result is a moment.
    """

    months: float = 0
    days: float = 0
    workdays: int = 0
    minutes: float = 0
    is_vague: bool = False
    has_clock: bool = False

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(
            self.months + other.months,
            self.days + other.days,
            self.workdays + other.workdays,
            self.minutes + other.minutes,
            self.is_vague or other.is_vague,
            self.has_clock or other.has_clock,
        )


def amount_of(number: float, unit: str, *, is_vague: bool = False) -> Amount:
    """So many of a unit: year, quarter, month, week, day, workday, hour or minute."""
    per_month = {"decade": 120, "year": 12, "quarter": 3, "month": 1}
    if unit in per_month:
        return Amount(months=number * per_month[unit], is_vague=is_vague)
    if unit in ("week", "fortnight", "day"):
        days = number * {"week": 7, "fortnight": 14, "day": 1}[unit]
        if days != int(days) and unit == "day":
            return Amount(minutes=days * 24 * 60, is_vague=is_vague, has_clock=True)
        return Amount(days=days, is_vague=is_vague)
    if unit == "workday":
        return Amount(workdays=int(number), is_vague=is_vague)
    minutes = number * {"hour": 60, "minute": 1, "second": 1 / 60}[unit]
    return Amount(minutes=minutes, is_vague=is_vague, has_clock=True)


def moved(base: datetime, amount: Amount, sign: int) -> TimeSpan | None:
    """The day so far before (-1) or after (1) the base; a moment if hours were named.

    Months go first, as people count: a month and a day before 31 March is 27 February.
    """
    if abs(amount.months) > MAX_YEARS * 12 or abs(amount.days) > MAX_YEARS * 366:
        return None
    if abs(amount.minutes) > MAX_YEARS * 366 * 24 * 60:
        return None
    whole = int(amount.months)
    # Half a month is fifteen days, as in 半个月.
    days = amount.days + (15 if amount.months != whole else 0)
    try:
        day = add_months(base.date(), sign * whole) + timedelta(days=sign * int(days))
        if amount.workdays:
            counted = add_workdays(day, sign * amount.workdays)
            if counted is None:
                return None
            day = counted
        if amount.has_clock:
            then = datetime.combine(day, base.timetz())
            return a_moment(_later(then, timedelta(minutes=sign * amount.minutes)))
    except (ValueError, OverflowError):
        return None
    return TimeSpan(day, day, AROUND) if amount.is_vague else one_day(day)


def _later(then: datetime, passed: timedelta) -> datetime:
    """Hours are hours also where the clocks are changed between."""
    if then.tzinfo is None:
        return then + passed
    return (then.astimezone(UTC) + passed).astimezone(then.tzinfo)


def moved_day(base: date, amount: Amount, sign: int, now: datetime) -> TimeSpan | None:
    return moved(datetime.combine(base, now.timetz()), amount, sign)

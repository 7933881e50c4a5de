"""A stretch of time that words name, and where in a text the words stand."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time

DAY, WEEK, WEEKEND, MONTH, QUARTER, YEAR = "day", "week", "weekend", "month", "quarter", "year"
MOMENT, AROUND, AS_OF, AFTER = "moment", "around", "as of", "after"
BEFORE, SINCE, STRETCH = "before", "since", "stretch"
PART_OF_YEAR = "part of a year"
LUNAR = "lunar"
IMPOSSIBLE = "impossible"

NAMED_GRAINS = frozenset(
    {DAY, WEEK, WEEKEND, MONTH, QUARTER, YEAR, MOMENT, STRETCH, AROUND, PART_OF_YEAR}
)
"""The grains that name days; the others only say before, after, or that something is so now."""


@dataclass(frozen=True)
class TimeSpan:
    """From `first` to `last`, both included. `part` is a part of the day, or of the year, in the
    text's own words.

    `clock` is set if a time of day is known, `last_clock` if it also ends at one; `grain` says how
    exactly it is meant. A `LUNAR` span holds year, month and day of the lunar calendar as they are
    counted there; an `IMPOSSIBLE` one was written as a date, but there is no such day.
    """

    first: date
    last: date
    grain: str = DAY
    clock: time | None = None
    part: str = ""
    last_clock: time | None = None

    def at(self, clock: time, last_clock: time | None = None) -> "TimeSpan":
        return replace(self, clock=clock, last_clock=last_clock, part="")

    def during(self, part: str) -> "TimeSpan":
        return replace(self, part=part)


@dataclass(frozen=True)
class TimeExpression:
    """Words of time at `start:end` of a text.

    `is_partial`: a calendar date or a weekday, of which only the year, the month or the week may be
    missing, so it means the same wherever it is read soon after; the others mean nothing without
    the time of saying.
    """

    start: int
    end: int
    span: TimeSpan
    is_partial: bool = False


def one_day(value: date) -> TimeSpan:
    return TimeSpan(value, value)


def a_moment(value: datetime, grain: str = MOMENT) -> TimeSpan:
    clock = value.time().replace(second=0, microsecond=0)
    return TimeSpan(value.date(), value.date(), grain, clock)


NO_SUCH_DAY = TimeSpan(date.min, date.min, IMPOSSIBLE)

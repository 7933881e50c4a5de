"""What the rest of the system is told of the times that a text names."""

from dataclasses import dataclass
from datetime import date, datetime

from shared.language.patterns import any_of

_MAY_NAME_DAYS = any_of(
    r"""
    \d|[天日月年周週晚早昨今明前后後春夏秋冬节節旬]|星期|禮拜|礼拜|上午|下午|中午|凌晨|刚才|最近|初[一二三四五六七八九十]
    {\w*days?, \w*nights?, weeks?, weekends?, fortnights?, months?, years?, decades?, ago, last}
    {past, since, before, earlier, recently, today, yesterday, tonight, tomorrow, morning, mornings}
    {evening, evenings, afternoon, noon, midnight, spring, summer, autumn, fall, winter, christmas}
    {easter, mon, tues?, wed, thurs?, fri, sat, sun, january, february, march, april, may, june}
    {july, august, september, october, november, december, jan, feb, mar, apr, jun, jul, aug}
    {sept?, oct, nov, dec, new year, eve, tmrw, tmr, first, second, third, fourth, fifth, sixth}
    {seventh, eighth, ninth, tenth, eleventh, twelfth, \w+teenth, twent\w+, thirt\w+}
    """
)
"""Wider than what the grammar of time reads: it is asked only where this finds something."""


@dataclass(frozen=True, slots=True)
class NamedTime:
    """Words of time at `start:end` of a text, and the days they name, `first` to `last`.

    `grain` is how exactly they are meant: day, week, month, year and so on. `is_relative`: they
    mean another day when they are said on another.
    """

    start: int
    end: int
    first: date
    last: date
    grain: str
    is_relative: bool


def times_in(text: str, now: datetime) -> list[NamedTime]:
    """In the order of the text. Times count from `now`, in its zone."""
    if not _MAY_NAME_DAYS.search(text.casefold()):
        return []
    from shared.language.times.find import time_expressions
    from shared.language.times.span import NAMED_GRAINS

    return [
        NamedTime(
            found.start,
            found.end,
            found.span.first,
            found.span.last,
            found.span.grain,
            not found.is_partial,
        )
        for found in time_expressions(text, now)
        if found.span.grain in NAMED_GRAINS
    ]

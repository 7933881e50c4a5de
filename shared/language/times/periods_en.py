"""English words for a week, month or year by its distance, and what productions share."""

import re
from collections.abc import Callable
from datetime import date

from shared.language.times.calendar import month_of, quarter_of, week_of, weekend_of, year_of
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import NO_SUCH_DAY, TimeSpan, one_day

Production = Callable[[Scene, int], Reading | None]


def after(pattern: re.Pattern[str], text: str, at: int) -> int | None:
    """Where the pattern ends if it stands here."""
    found = pattern.match(text, at)
    return found.end() if found else None


def spaces(text: str, at: int) -> int:
    end = at
    while end < at + 3 and text[end : end + 1] == " ":
        end += 1
    return end


def day_or_none(found: date | None) -> TimeSpan:
    return one_day(found) if found else NO_SUCH_DAY


_SHIFT = re.compile(
    r"(?P<word>this coming|this past|this|next|last|past|previous|prior|coming|upcoming|current|"
    r"following)(?= |week|month|year)(?: {0,3})"
)

BACKWARD = ("last", "past", "previous", "prior", "this past")

THE = re.compile(r"the {1,3}")


def read_shift(text: str, at: int) -> tuple[str, int] | None:
    found = _SHIFT.match(text, at)
    return (found["word"], found.end()) if found else None


def steps(shift: str) -> int:
    return 1 if shift in ("next", "following") else -1 if shift in BACKWARD else 0


_PERIOD = re.compile(r"(?P<unit>weekend|week|month|quarter|year)(?:'s)?(?![a-z'])")

_AFTER_NEXT = re.compile(
    r"(?P<unit>weekend|week|month|quarter|year) {1,3}(?P<which>after next|before last)\b"
)


_OF_ITS_OWN = re.compile(r" {1,3}(?:(?P<of>of)|in|before|at)\b")


def _is_of_something(text: str, at: int, end: int) -> bool:
    """The last week of term is the term's last, and not the one before this."""
    found = _OF_ITS_OWN.match(text, end)
    return bool(found and (found["of"] or text[max(0, at - 4) : at] == "the "))


def relative_period(text: str, at: int) -> tuple[int, str, int] | None:
    """ "next month", "the month before last": how many units away, the unit, the end."""
    at = after(THE, text, at) or at
    far = _AFTER_NEXT.match(text, at)
    if far:
        return (2 if far["which"] == "after next" else -2), far["unit"], far.end()
    shift = read_shift(text, at)
    period = _PERIOD.match(text, shift[1]) if shift else None
    if not shift or not period or _is_of_something(text, at, period.end()):
        return None
    return steps(shift[0]), period["unit"], period.end()


def period_span(steps: int, unit: str, today: date) -> TimeSpan:
    makers = {
        "week": week_of, "weekend": weekend_of, "month": month_of, "quarter": quarter_of,
        "year": year_of,
    }  # fmt: skip
    return makers[unit](today, steps)

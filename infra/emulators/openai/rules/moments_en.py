"""Which days an English expression of time means: one reader for each kind of expression."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from .numbers_en import (
    day_number,
    month_number,
    number,
    weekday_number,
    year_number,
)
from .when import (
    AROUND,
    AS_OF,
    SINCE,
    When,
    add_months,
    add_workdays,
    day,
    full_year,
    moment,
    month_of,
    nearest_month,
    nearest_weekday,
    nearest_year,
    nth_weekday,
    quarter_of,
    real_date,
    week_of,
    weekday_of,
    weekend_of,
    year_of,
)


@dataclass(frozen=True)
class Scene:
    """The time it is, and whether the sentence looks back (-1), ahead (1) or neither (0)."""

    now: datetime
    lean: int

    @property
    def today(self) -> date:
        return self.now.date()


Reader = Callable[[re.Match[str], Scene], When | None]


def shift_of(word: str) -> int:
    word = word.lower()
    return 1 if word == "next" else -1 if word in ("last", "past", "previous") else 0


# ---- readers, one a pattern


def year_month_day(match: re.Match[str], _: Scene) -> When | None:
    found = real_date(int(match["y"]), int(match["m"]), int(match["d"]))
    return day(found) if found else None


def numeric(match: re.Match[str], scene: Scene) -> When | None:
    first, second = int(match["m"]), int(match["d"])
    month, number = (second, first) if first > 12 else (first, second)
    year = match.groupdict().get("y")
    if year:
        found = real_date(full_year(int(year)), month, number)
    elif not 1 <= month <= 12:
        return None
    else:
        found = nearest_year(scene.today, month, number, scene.lean)
    return day(found) if found else None


def month_day(match: re.Match[str], scene: Scene) -> When | None:
    number = day_number(match["d"])
    if number is None:
        return None
    month = month_number(match["m"])
    year = year_number(match["y"]) if match["y"] else None
    if year:
        found = real_date(year, month, number)
    else:
        found = nearest_year(scene.today, month, number, scene.lean)
    return day(found) if found else None


def month_alone(match: re.Match[str], scene: Scene) -> When | None:
    month = month_number(match["m"])
    shift = (match["s"] or "").lower()
    year = scene.today.year
    if match["y"]:
        return month_of(date(int(match["y"]), month, 1))
    if shift in ("last", "past", "previous") or (shift != "this" and scene.lean < 0):
        year -= month >= scene.today.month
    elif shift in ("next", "coming", "upcoming") or (not shift and scene.lean > 0):
        year += month < scene.today.month or (shift == "next" and month == scene.today.month)
    return month_of(date(year, month, 1))


def nth_of_month(match: re.Match[str], scene: Scene) -> When | None:
    nth = -1 if match["n"].lower() == "last" else day_number(match["n"])
    if match["m"]:
        month = date(scene.today.year, month_number(match["m"]), 1)
    else:
        month = month_of(scene.today, shift_of(match["s"])).first
    found = nth_weekday(month, nth or 1, weekday_number(match["w"]))
    return day(found) if found else None


def day_of_month(match: re.Match[str], scene: Scene) -> When | None:
    number = day_number(match["d"])
    month = month_of(scene.today, shift_of(match["s"])).first
    found = real_date(month.year, month.month, number or 0)
    return day(found) if found else None


def the_nth(match: re.Match[str], scene: Scene) -> When | None:
    number = day_number(match["d"])
    if number is None or not 1 <= number <= 31:
        return None
    found = nearest_month(scene.today, number, scene.lean)
    return day(found) if found else None


def weekday_the_nth(match: re.Match[str], scene: Scene) -> When | None:
    number, weekday = day_number(match["d"]), weekday_number(match["w"])
    if number is None:
        return None
    months = sorted(range(-12, 13), key=lambda offset: (abs(offset), offset * -(scene.lean or 1)))
    for offset in months:
        month = month_of(scene.today, offset).first
        found = real_date(month.year, month.month, number)
        if found and found.weekday() == weekday:
            return day(found)
    return None


def weekday(match: re.Match[str], scene: Scene) -> When | None:
    weekday = weekday_number(match["w"])
    shift = (match["s"] or "").lower()
    if not shift:
        return day(nearest_weekday(scene.today, weekday, scene.lean))
    if shift in ("coming", "upcoming"):
        return day(nearest_weekday(scene.today + timedelta(days=1), weekday, 1))
    if shift == "past":
        return day(nearest_weekday(scene.today - timedelta(days=1), weekday, -1))
    return day(weekday_of(scene.today, weekday, shift_of(shift)))


_DAY_OFFSETS = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tmw": 1, "the next day": 1,
    "the day after tomorrow": 2, "day after tomorrow": 2, "the day after tmrw": 2,
    "the day before yesterday": -2, "day before yesterday": -2,
}  # fmt: skip
_PARTS_OF_TODAY = {
    "tonight": (0, "in the evening"),
    "last night": (-1, "at night"),
    "this morning": (0, "in the morning"),
    "this afternoon": (0, "in the afternoon"),
    "this evening": (0, "in the evening"),
    "yesterday morning": (-1, "in the morning"),
}


def named_day(match: re.Match[str], scene: Scene) -> When | None:
    words = " ".join(match[0].lower().split())
    if words in _PARTS_OF_TODAY:
        offset, part = _PARTS_OF_TODAY[words]
        return day(scene.today + timedelta(days=offset)).during(part)
    return day(scene.today + timedelta(days=_DAY_OFFSETS[words]))


def shifted(base: datetime, amount: int, unit: str) -> When | None:
    """So many units from a time; the grain follows the unit."""
    unit = unit.lower()
    if unit.startswith(("business", "working", "weekday")):
        return day(add_workdays(base.date(), amount)) if amount > 0 else None
    if unit.startswith(("hour", "hr")):
        return moment(base + timedelta(hours=amount))
    if unit.startswith("min"):
        return moment(base + timedelta(minutes=amount))
    if unit.startswith("weekend"):
        return weekend_of(base.date(), amount)
    if unit.startswith("week"):
        return day(base.date() + timedelta(weeks=amount))
    if unit.startswith("fortnight"):
        return day(base.date() + timedelta(weeks=2 * amount))
    if unit.startswith("day"):
        return day(base.date() + timedelta(days=amount))
    months = {"month": 1, "quarter": 3, "year": 12}[unit.rstrip("s")]
    return day(add_months(base.date(), months * amount))


def two_step(match: re.Match[str], scene: Scene, sign: int) -> When | None:
    amount = number(match["n"])
    if amount is None or amount > 5000:
        return None
    base = shifted(scene.now, sign * amount, match["u"])
    second = match.groupdict().get("n2")
    if base is None or not second:
        return base
    more = number(second)
    if more is None:
        return None
    start = datetime.combine(base.first, scene.now.time(), scene.now.tzinfo)
    return shifted(start, sign * more, match["u2"])


def ago(match: re.Match[str], scene: Scene) -> When | None:
    return two_step(match, scene, -1)


def ahead(match: re.Match[str], scene: Scene) -> When | None:
    return two_step(match, scene, 1)


def from_day(match: re.Match[str], scene: Scene) -> When | None:
    amount = number(match["n"])
    if amount is None:
        return None
    sign = -1 if match["p"].lower() == "before" else 1
    base = scene.now + timedelta(days=_DAY_OFFSETS[match["b"].lower()])
    return shifted(base, sign * amount, match["u"])


def weekdays_ahead(match: re.Match[str], scene: Scene) -> When | None:
    amount = number(match["n"])
    if not amount:
        return None
    first = nearest_weekday(scene.today + timedelta(days=1), weekday_number(match["w"]), 1)
    return day(first + timedelta(weeks=amount - 1))


def period(match: re.Match[str], scene: Scene) -> When | None:
    offset = shift_of(match["s"])
    unit = match["u"].lower()
    makers = {"week": week_of, "weekend": weekend_of, "month": month_of, "quarter": quarter_of,
              "year": year_of}  # fmt: skip
    return makers[unit](scene.today, offset)


def end_of(match: re.Match[str], scene: Scene) -> When | None:
    offset = shift_of(match["s"] or "this")
    unit = match["u"].lower()
    makers = {"week": week_of, "month": month_of, "quarter": quarter_of, "year": year_of}
    period = makers[unit](scene.today, offset)
    return day(period.last if match["e"].lower() == "end" else period.first)


def vague(grain: str) -> Reader:
    def read(_: re.Match[str], scene: Scene) -> When | None:
        if grain in (AROUND, AS_OF, SINCE):
            return When(scene.today, scene.today, grain)
        return moment(scene.now, grain)

    return read


def just_now(_: re.Match[str], scene: Scene) -> When | None:
    return moment(scene.now)


def few_days(match: re.Match[str], scene: Scene) -> When | None:
    found = ago(match, scene)
    return When(found.first, found.last, AROUND) if found else None

"""English seasons and feasts by their distance: last summer, two winters ago, next Christmas."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from shared.language.times.calendar import add_months, nth_weekday
from shared.language.times.numbers_en import cardinal
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import PART_OF_YEAR, TimeSpan, one_day

_FIRST_MONTHS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""In the north: there a season's months are those that most calendars give it."""
_SHIFTED = re.compile(
    r"(?P<shift>this coming|this past|last|past|previous|this|next|coming) {1,3}"
    r"(?P<season>spring|summer|autumn|fall|winter)(?![a-z])"
)
_FAR = re.compile(
    r"(?:the {1,3})?(?P<season>spring|summer|autumn|fall|winter) {1,3}"
    r"(?P<which>before last|after next)\b"
)
_COUNTED = re.compile(r" {1,3}(?P<season>spring|summer|autumn|fall|winter)s {1,3}ago\b")


def season(scene: Scene, at: int) -> Reading | None:
    """last summer, the winter before last, two springs ago."""
    shifted, far = _SHIFTED.match(scene.text, at), _FAR.match(scene.text, at)
    if shifted:
        steps = 1 if shifted["shift"] in ("next", "coming", "this coming") else -1
        steps = 0 if shifted["shift"] == "this" else steps
        return Reading(_season(scene.today, shifted["season"], steps), shifted.end())
    if far:
        steps = -2 if far["which"] == "before last" else 2
        return Reading(_season(scene.today, far["season"], steps), far.end())
    amount = cardinal(scene.text, at)
    counted = _COUNTED.match(scene.text, amount[1]) if amount else None
    if not amount or not counted or not 0 < amount[0] < 100:
        return None
    return Reading(_season(scene.today, counted["season"], -amount[0]), counted.end())


def _season(today: date, name: str, steps: int) -> TimeSpan:
    """The season so many away from today; the nth of those that are over, or that have not begun.
    0 is the one that is on, or else the nearest of this calendar year."""
    month = _FIRST_MONTHS[name]
    begins = [date(today.year + years, month, 1) for years in range(-110, 111)]
    if steps < 0:
        past = [one for one in begins if add_months(one, 3) <= today]
        first = past[steps]
    elif steps > 0:
        first = [one for one in begins if one > today][steps - 1]
    else:
        on = [one for one in begins if one <= today < add_months(one, 3)]
        first = on[0] if on else date(today.year, month, 1)
    return TimeSpan(first, add_months(first, 3) - timedelta(days=1), PART_OF_YEAR, part=name)


def _easter(year: int) -> date:
    """The Sunday after the first full moon of spring, by the Gregorian reckoning."""
    golden, century = year % 19, year // 100
    moon = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    moon -= (moon // 28) * (1 - (moon // 28) * (29 // (moon + 1)) * ((21 - golden) // 11))
    weekday = (year + year // 4 + moon + 2 - century + century // 4) % 7
    shift = moon - weekday
    month = 3 + (shift + 40) // 44
    return date(year, month, shift + 28 - 31 * (month // 4))


def _thanksgiving(year: int) -> date:
    """As the United States keep it."""
    return nth_weekday(date(year, 11, 1), 4, 3) or date(year, 11, 22)


_FEASTS: dict[str, Callable[[int], date]] = {
    "christmas eve": lambda year: date(year, 12, 24),
    "christmas day": lambda year: date(year, 12, 25),
    "christmas": lambda year: date(year, 12, 25),
    "boxing day": lambda year: date(year, 12, 26),
    "new year's eve": lambda year: date(year, 12, 31),
    "new year's day": lambda year: date(year, 1, 1),
    "new year's": lambda year: date(year, 1, 1),
    "halloween": lambda year: date(year, 10, 31),
    "valentine's day": lambda year: date(year, 2, 14),
    "easter": _easter,
    "thanksgiving": _thanksgiving,
}
_FEAST = re.compile(
    rf"(?P<shift>this past|this coming|last|this|next) {{1,3}}"
    rf"(?P<feast>{'|'.join(sorted(_FEASTS, key=len, reverse=True))})(?![a-z'])"
)


def feast(scene: Scene, at: int) -> Reading | None:
    """last Christmas, next Easter; without a word of distance a feast is left alone."""
    found = _FEAST.match(scene.text, at)
    if not found:
        return None
    year, today = scene.today.year, scene.today
    days = [_FEASTS[found["feast"]](year + step) for step in (-1, 0, 1)]
    if found["shift"] in ("last", "this past"):
        day = [one for one in days if one < today][-1]
    elif found["shift"] == "this":
        day = days[1]
    else:
        day = next(one for one in days if one > today)
    return Reading(one_day(day), found.end())

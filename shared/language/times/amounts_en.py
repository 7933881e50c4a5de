"""English lengths of time, and the days so far from now or from another day."""

import re
from datetime import timedelta

from shared.language.times.amounts import Amount, amount_of, moved, moved_day
from shared.language.times.calendar import LOOK_BACK, year_of
from shared.language.times.dates_en import day_first, month_first, numeric_date, year_first
from shared.language.times.months_en import day_of_relative_month, nth_weekday_of_month
from shared.language.times.named_en import NAMED_DAYS, edge_of_period, named_day
from shared.language.times.numbers_en import cardinal
from shared.language.times.periods_en import BACKWARD, Production, after
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import STRETCH, TimeSpan, one_day
from shared.language.times.weekdays_en import weekday, weekday_and_date

_UNIT = re.compile(
    r"(?P<work>business days?|working days?|workdays?|weekdays?)(?![a-z])"
    r"|(?P<unit>decade|year|yr|quarter|month|fortnight|week|wk|day|night|hour|hr|minute|min|"
    r"second|sec)s?(?![a-z])"
)

_SHORT_UNITS = {"yr": "year", "wk": "week", "hr": "hour", "min": "minute", "sec": "second",
                "night": "day"}  # fmt: skip

_FEW = re.compile(r"(?P<few>a few|few|several|some|a couple of|a couple|couple of|couple) {1,3}")

_AN = re.compile(r"(?:an?|one full|another) {1,3}(?=[a-z])")

_HALF = re.compile(r"half {1,3}(?:of {1,3})?(?:an? {1,3})|(?:a )?half[- ](?=year|month|hour|day)")

_AND_A_HALF = re.compile(r" {1,3}and {1,3}a {1,3}half")

_DECIMAL = re.compile(r"(?P<whole>\d{1,3}(?:,\d{3})?)\.(?P<part>\d)(?= )")

_AND = re.compile(r" {0,3}(?:,? {0,3}and|,|&|plus)? {1,3}| {0,1}")


def _one_amount(text: str, at: int) -> tuple[Amount, int] | None:
    number: float
    vague = half = False
    found_half, few, an = _HALF.match(text, at), _FEW.match(text, at), _AN.match(text, at)
    decimal = _DECIMAL.match(text, at)
    if found_half:
        number, end, half = 0.5, found_half.end(), True
    elif few:
        vague = not few["few"].endswith(("couple", "couple of"))
        number, end = (3 if vague else 2), few.end()
    elif an:
        number, end = 1, an.end()
    elif decimal:
        number, end = int(decimal["whole"]) + int(decimal["part"]) / 10, decimal.end() + 1
    else:
        read = cardinal(text, at) or _glued(text, at)
        if not read:
            return None
        number, end = read
        more = _AND_A_HALF.match(text, end)
        if more:
            number, end = number + 0.5, more.end()
        end = after(re.compile(r"[ -]{0,2}"), text, end) or end
    unit = _UNIT.match(text, end)
    if not unit:
        return None
    name = "workday" if unit["work"] else _SHORT_UNITS.get(unit["unit"], unit["unit"])
    end = unit.end()
    more = None if half else _AND_A_HALF.match(text, end)
    if more:
        number, end = number + 0.5, more.end()
    return amount_of(number, name, is_vague=vague), end


def _glued(text: str, at: int) -> tuple[int, int] | None:
    """3days, 2hrs."""
    found = re.compile(
        r"(\d{1,4})(?=(?:years?|months?|weeks?|days?|hours?|hrs?|minutes?|mins?)\b)"
    ).match(text, at)
    return (int(found[1]), found.end()) if found else None


def amounts(text: str, at: int) -> tuple[Amount, int] | None:
    """2 years, 1 month and 21 days."""
    total = _one_amount(text, at)
    if not total:
        return None
    amount, end = total
    # Years, months, weeks, days, hours: no compound has more parts than there are units.
    for _ in range(5):
        lead = after(_AND, text, end)
        more = _one_amount(text, lead) if lead is not None else None
        if not more:
            break
        amount, end = amount + more[0], more[1]
    return amount, end


_AGO = re.compile(r" {1,3}(?:ago|back(?! (?:to|in|and|from)\b)|earlier|prior)\b(?! to\b)")

_LATER = re.compile(r" {1,3}(?:from {1,3}(?:now|today)|later|hence)\b|'s? {1,3}time\b")

_FROM = re.compile(r" {1,3}(?P<side>from|after|before|since|prior to) {1,3}")

_TODAY_LAST = re.compile(r" {1,3}(?:from {1,3})?(?P<base>today|tomorrow|yesterday)\b")

_WEEKS_ON = re.compile(
    r" {1,3}(?:on {1,3}(?=(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?=today\b|tomorrow\b))"
)
"""A week on Saturday, two weeks today: so long after that day."""


_HALF_SAID = re.compile(r"\b(?:or|\w+ to|once|twice|times) $")
"""Two or three days ago, once a week on Friday: no number of its own."""
_COUPLE_OF_YEARS = re.compile(r"(?:a )?couple (?:of )?years ago")
"""Nobody counts the days of those."""

_EITHER = re.compile(r" {1,2}or {1,2}| {0,1}- {0,1}| {1,2}to {1,2}")


def about_so_long_ago(scene: Scene, at: int) -> Reading | None:
    """two or three days ago, 3-4 weeks ago: from the one to the other."""
    least = _LEAST.match(scene.text, at)
    joint = _EITHER.match(scene.text, least.end()) if least else None
    most = amounts(scene.text, joint.end()) if joint else None
    ago = after(_AGO, scene.text, most[1]) if most else None
    if not least or not joint or not most or not ago or most[0].has_clock:
        return None
    unit = scene.text[joint.end() : most[1]].rsplit(maxsplit=1)[-1]
    fewer = amounts(f"{least[0]} {unit}", 0)
    days = [moved(scene.now, one[0], -1) for one in (most, fewer) if one]
    if len(days) < 2 or not days[0] or not days[1] or days[0].first > days[1].first:
        return None
    return Reading(TimeSpan(days[0].first, days[1].first, STRETCH), ago)


_LEAST = re.compile(r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})(?![a-z\d])")


def amount_away(scene: Scene, at: int) -> Reading | None:
    """1 month and 21 days ago, two weeks from now, three days after next Friday."""
    text = scene.text
    counted = amounts(text, at)
    if not counted or _HALF_SAID.search(text[max(0, at - 16) : at]):
        return None
    amount, end = counted
    ago = after(_AGO, text, end)
    if ago:
        span = moved(scene.now, amount, -1)
        if span and _COUPLE_OF_YEARS.match(text, at):
            return Reading(year_of(span.first), ago)
        base = _TODAY_LAST.match(text, ago)
        if base and span and not amount.has_clock:
            shift = timedelta(days=NAMED_DAYS[base["base"]])
            span, ago = moved_day(scene.today + shift, amount, -1, scene.now), base.end()
        return Reading(span, ago) if span else None
    later = after(_LATER, text, end)
    if later:
        span = moved(scene.now, amount, 1)
        return Reading(span, later) if span else None
    side = _FROM.match(text, end)
    weeks_on = _WEEKS_ON.match(text, end) if _is_weeks(amount) else None
    if weeks_on:
        base_reading = _base(scene, weeks_on.end())
        span = moved_day(base_reading.span.first, amount, 1, scene.now) if base_reading else None
        return Reading(span, base_reading.end) if span and base_reading else None
    if not side:
        return None
    base_reading = _base(scene, side.end())
    if not base_reading or base_reading.span.first != base_reading.span.last:
        return None
    sign = -1 if side["side"] in ("before", "prior to") else 1
    span = moved_day(base_reading.span.first, amount, sign, scene.now)
    return Reading(span, base_reading.end) if span else None


def _is_weeks(amount: Amount) -> bool:
    return amount.days >= 7 and amount.days % 7 == 0 and amount == Amount(days=amount.days)


_DAY_BESIDE = re.compile(r"(?:the {1,3})?day {1,3}(?P<side>after|before) {1,3}")


def day_beside(scene: Scene, at: int) -> Reading | None:
    """the day after next Friday, the day before March 3."""
    found = _DAY_BESIDE.match(scene.text, at)
    base = _base(scene, found.end()) if found else None
    if not found or not base or base.span.first != base.span.last:
        return None
    step = timedelta(days=1 if found["side"] == "after" else -1)
    return Reading(one_day(base.span.first + step), base.end)


def _base(scene: Scene, at: int) -> Reading | None:
    readings = [found for one in BASES if (found := one(scene, at))]
    return max(readings, key=lambda found: found.end, default=None)


_IN = re.compile(r"(?P<word>in|within|after) {1,3}(?:the next {1,3}|about {1,3}|another {1,3})?")

_NO_STRETCH = re.compile(
    r" {1,3}(?:of|or|ago|before|after|in a row|old|flat|long|straight|each|per)\b"
)


_CAN_BE_DONE = re.compile(
    r"\b(?:can|could) be (?:[a-z]{3,20}ed|done|made|built|learnt|read) {1,3}$"
)
"""It can be done in two days: how long it takes."""


def in_amount(scene: Scene, at: int) -> Reading | None:
    """in two weeks, within 3 days, in four business days; not "finished in two days"."""
    lead = _IN.match(scene.text, at)
    counted = amounts(scene.text, lead.end()) if lead else None
    if not lead or not counted or _NO_STRETCH.match(scene.text, counted[1]):
        return None
    if _CAN_BE_DONE.search(scene.text[max(0, at - 40) : at]):
        return None
    amount, end = counted
    time_word = re.compile(r"'s? {1,3}time\b| {1,3}from {1,3}(?:now|today)\b").match(
        scene.text, end
    )
    if lead["word"] == "after" and not time_word:
        return None
    if scene.clause_lean(at) == LOOK_BACK and not time_word:
        return None
    end = time_word.end() if time_word else end
    span = moved(scene.now, amount, 1)
    if span and lead["word"] == "within" and not amount.has_clock:
        span = TimeSpan(scene.today, span.last, STRETCH)
    return Reading(span, end) if span else None


_STRETCH = re.compile(
    r"(?:(?:over|during|for|in) {1,3})?(?:the {1,3}|these {1,3})?"
    r"(?P<side>last|past|previous|next|coming|following) {1,3}"
)


def stretch(scene: Scene, at: int) -> Reading | None:
    """the last three days, over the next two weeks."""
    lead = _STRETCH.match(scene.text, at)
    counted = amounts(scene.text, lead.end()) if lead else None
    if not lead or not counted or counted[0].has_clock:
        return None
    if " of " in scene.text[counted[1] : counted[1] + 4]:
        return None
    sign = -1 if lead["side"] in BACKWARD else 1
    other = moved(scene.now, counted[0], sign)
    if other is None:
        return None
    first, last = sorted((scene.today, other.first))
    return Reading(TimeSpan(first, last, STRETCH), counted[1])


BASES: tuple[Production, ...] = (
    numeric_date, month_first, day_first, year_first, weekday_and_date, day_of_relative_month,
    nth_weekday_of_month, weekday, named_day, edge_of_period,
)  # fmt: skip

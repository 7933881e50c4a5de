"""English names of days and periods, and words that mean a time only beside their saying."""

import re
from datetime import timedelta

from shared.language.times.calendar import LOOK_BACK, add_months, month_of, weekend_of
from shared.language.times.months_en import month_reference
from shared.language.times.periods_en import period_span, relative_period
from shared.language.times.scene import Reading, Scene
from shared.language.times.span import (
    AFTER,
    AROUND,
    AS_OF,
    BEFORE,
    SINCE,
    TimeSpan,
    a_moment,
    one_day,
)

NAMED_DAYS = {
    "today": 0, "yesterday": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tmw": 1, "tomorow": 1,
    "the next day": 1, "next day": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
    "the day after tmrw": 2, "day after tmrw": 2, "the day before yesterday": -2,
    "day before yesterday": -2,
}  # fmt: skip

_PARTS_OF_DAYS = {
    "tonight": (0, "in the evening"),
    "tonite": (0, "in the evening"),
    "last night": (-1, "at night"),
    "the night before last": (-2, "at night"),
    "this morning": (0, "in the morning"),
    "this afternoon": (0, "in the afternoon"),
    "this evening": (0, "in the evening"),
    "this noon": (0, "at noon"),
}

_NAMED = re.compile(
    r"(?:"
    + "|".join(sorted((*NAMED_DAYS, *_PARTS_OF_DAYS), key=len, reverse=True)).replace(" ", " {1,3}")
    + r")(?![a-z])"
)

_MY_DAY = re.compile(
    r"my day(?= (?:look|looking|going|go|like|shaping|today)\b)|(?<=how's )my day\b"
    r"|(?<=how is )my day\b|(?<=on )my day(?=\?)"
)

_LAST_DAY = re.compile(r"last day(?= {0,3}[.!?]?$)")


def named_day(scene: Scene, at: int) -> Reading | None:
    """yesterday, the day after tomorrow, tonight."""
    found = _NAMED.match(scene.text, at)
    if found:
        words = " ".join(found[0].split())
        if words in _PARTS_OF_DAYS:
            days, part = _PARTS_OF_DAYS[words]
            span = one_day(scene.today + timedelta(days=days)).during(part)
            return Reading(span, found.end())
        return Reading(one_day(scene.today + timedelta(days=NAMED_DAYS[words])), found.end())
    mine = _MY_DAY.match(scene.text, at)
    if mine:
        return Reading(one_day(scene.today), mine.end())
    before = scene.text[max(0, at - 6) : at]
    last = _LAST_DAY.match(scene.text, at)
    if last and not before.endswith(("the ", "my ", "our ", "your ", "his ", "her ", "their ")):
        return Reading(one_day(scene.today - timedelta(days=1)), last.end())
    return None


_SAME_DAY = re.compile(
    r"(?:on {1,3})?(?:the {1,3})?(?:same|this) {1,3}(?P<what>day|time) {1,3}(?:of {1,3})?"
)


def same_day_of_period(scene: Scene, at: int) -> Reading | None:
    """this day last year, the same day last month, this time next week."""
    found = _SAME_DAY.match(scene.text, at)
    relative = relative_period(scene.text, found.end()) if found else None
    if not found or not relative or not relative[0]:
        return None
    steps, unit, end = relative
    if unit in ("week", "weekend"):
        day = scene.today + timedelta(weeks=steps)
    else:
        day = add_months(scene.today, steps * {"month": 1, "quarter": 3, "year": 12}[unit])
    return Reading(TimeSpan(day, day, AROUND) if found["what"] == "time" else one_day(day), end)


_THIS_YEAR = re.compile(r"the {1,3}year(?![a-z'])")


def period(scene: Scene, at: int) -> Reading | None:
    """next week, the month before last, this year."""
    found = relative_period(scene.text, at)
    this_year = _THIS_YEAR.match(scene.text, at)
    if this_year and scene.text[:at].endswith("half of "):
        return Reading(period_span(0, "year", scene.today), this_year.end())
    if not found:
        return None
    return Reading(period_span(found[0], found[1], scene.today), found[2])


_THE_WEEKEND = re.compile(
    r"(?:over|at|on|during|for) {1,3}the {1,3}weekend(?![a-z'])(?! {1,3}(?:of|before|after|in)\b)"
)


def the_weekend(scene: Scene, at: int) -> Reading | None:
    """over the weekend: the last one if the sentence looks back, else the coming one."""
    found = _THE_WEEKEND.match(scene.text, at)
    if not found:
        return None
    is_past = scene.lean(at) == LOOK_BACK and scene.today.weekday() < 5
    span = weekend_of(scene.today, -1 if is_past else 0)
    return Reading(span, found.end(), is_partial=True)


_EDGE = re.compile(
    r"(?:the {1,3})?(?P<edge>very end|end|start|beginning|middle|first day|last day) {1,3}of {1,3}"
)

_PLAIN_PERIOD = re.compile(
    r"(?:the {1,3})?(?P<unit>week|month|quarter|year)(?![a-z'])(?! (?:after|before))"
)


_NAMED_YEAR = re.compile(r"\d{4}$")


def edge_of_period(scene: Scene, at: int) -> Reading | None:
    """the end of next month, the beginning of the year, the first day of next week."""
    edge = _EDGE.match(scene.text, at)
    if not edge:
        return None
    relative = relative_period(scene.text, edge.end())
    plain = _PLAIN_PERIOD.match(scene.text, edge.end())
    if relative and relative[1] != "weekend":
        span, end = period_span(relative[0], relative[1], scene.today), relative[2]
    elif plain:
        span, end = period_span(0, plain["unit"], scene.today), plain.end()
    else:
        month = month_reference(scene, edge.end())
        if not month:
            return None
        span, end = month_of(month[0]), month[1]
    is_partial = bool(_NAMED_YEAR.search(scene.text[edge.end() : end]))
    if edge["edge"] == "middle":
        middle = span.first + (span.last - span.first) // 2
        return Reading(one_day(middle), end, is_partial)
    is_last = edge["edge"] in ("very end", "end", "last day")
    return Reading(one_day(span.last if is_last else span.first), end, is_partial)


_JUST_NOW = re.compile(
    r"(?:just now|right now|a (?:moment|minute|second) ago|at the moment|moments ago)\b"
)

_VAGUE: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"(?:recently|lately|these days|nowadays|the other day|(?:a while|some time|"
            r"not long) (?:ago|back))\b"
        ),
        AROUND,
    ),
    (re.compile(r"from now on(?:wards?)?\b"), SINCE),
    (
        re.compile(r"(?:soon|shortly|later on|later(?! than\b)|in a (?:bit|while|moment))\b"),
        AFTER,
    ),
    (re.compile(r"earlier\b(?! than)"), BEFORE),
    (
        re.compile(
            r"(?:(?<!for )(?<!day )(?<!minute )now|currently|presently)\b"
            r"(?! that\b| and (?:then|again)\b)"
        ),
        AS_OF,
    ),
)

_NOT_VAGUE_BEFORE = re.compile(
    r"\b(?:sooner or|once|until|till|by|for|and|even|much|as|so|how|too|very|any|no|\d+|days?|"
    r"weeks?|months?|years?|hours?|minutes?) {1,3}$"
)


def vague_word(scene: Scene, at: int) -> Reading | None:
    """recently, just now, later, currently."""
    text = scene.text
    found = _JUST_NOW.match(text, at)
    if found:
        return Reading(a_moment(scene.now), found.end())
    for pattern, grain in _VAGUE:
        found = pattern.match(text, at)
        if not found:
            continue
        if grain in (AFTER, BEFORE) and _NOT_VAGUE_BEFORE.search(text[max(0, at - 12) : at]):
            return None
        if grain in (AROUND, AS_OF, SINCE):
            return Reading(TimeSpan(scene.today, scene.today, grain), found.end())
        return Reading(a_moment(scene.now, grain), found.end())
    return None

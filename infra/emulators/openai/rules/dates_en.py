"""Finds English expressions of time and says which days they mean, as of a reference time."""

import re
from datetime import datetime

from . import moments_en as moments
from .clock_en import with_clock
from .numbers_en import (
    CARDINAL,
    DAY_WORDS,
    FULL_WEEKDAY,
    MONTH,
    NTH,
    WEEKDAY,
    YEAR_WORDS,
)
from .when import (
    AFTER,
    AROUND,
    AS_OF,
    BEFORE,
    SINCE,
    Found,
    longest_first,
)

_AMOUNT = (
    r"(?:a\s+couple\s+(?:of\s+)?|couple\s+(?:of\s+)?|a\s+few\s+|few\s+|several\s+|an?\s+|"
    rf"{CARDINAL}\s+)"
)
_UNIT = (
    r"(?:business\s+days?|working\s+days?|weekdays?|days?|weeks?|fortnights?|months?|years?|"
    r"hours?|hrs?|minutes?|mins?|quarters?|weekends?)"
)
_SHIFT = r"(?:this|next|last|past|previous|coming|upcoming)"


def find(text: str, reference: datetime) -> list[Found]:
    found = []
    scene = moments.Scene(reference, _lean(text))
    for pattern, read, is_partial in _PATTERNS:
        for match in pattern.finditer(text):
            when = read(match, scene)
            if when is not None:
                start, end = match.span("it") if "it" in pattern.groupindex else match.span()
                found.append(Found(start, end, when, is_partial))
    return [with_clock(text, one) for one in longest_first(found)]


_AHEAD = re.compile(
    r"\b(?:will|'ll|won't|going to|gonna|shall|let's|plan|planning|tomorrow|see you|should|must|"
    r"need to|wants? to|available|free|remind|book|schedule|deadline|due)\b|'ll\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:was|were|did|had|went|came|saw|met|bought|said|told|got|made|took|gave|left|left|broke|"
    r"ate|drove|flew|won|lost|found|wrote|sent|paid|ran|began|been|ago|already|[a-z]{3,}ed)\b",
    re.IGNORECASE,
)


def _lean(text: str) -> int:
    if _AHEAD.search(text):
        return 1
    return -1 if _BACK.search(text) else 0


_FLAGS = re.IGNORECASE
_NOT_EVERY = r"(?<!every )(?<!each )(?<!every other )(?<!Every )(?<!Each )"
_LOOSE = r"(?:^|(?<=[\s|(,;:\"'“‘]))"


def _pattern(body: str) -> re.Pattern[str]:
    return re.compile(body, _FLAGS)


_PATTERNS: list[tuple[re.Pattern[str], moments.Reader, bool]] = [
    (
        _pattern(r"\b(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})\b"),
        moments.year_month_day,
        True,
    ),
    (
        _pattern(r"\b(?P<m>\d{1,2})[-/.](?P<d>\d{1,2})[-/.,](?P<y>\d{4}|\d{2})\b"),
        moments.numeric,
        True,
    ),
    (
        _pattern(rf"{_LOOSE}(?P<it>(?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}}))(?![-/.\d%])\b"),
        moments.numeric,
        True,
    ),
    (
        _pattern(
            rf"\b(?P<m>{MONTH})[\s-]*(?:the\s+)?(?P<d>{DAY_WORDS})\b(?![:\d])(?:\s*,"
            rf"?\s+(?P<y>{YEAR_WORDS})\b)?"
        ),
        moments.month_day,
        True,
    ),
    (
        _pattern(
            rf"\b(?:the\s+)?(?P<d>{DAY_WORDS})\.?\s+(?:of\s+)?(?P<m>{MONTH})(?![a-z])(?:\s*,"
            rf"?\s*(?P<y>{YEAR_WORDS})\b)?"
        ),
        moments.month_day,
        True,
    ),
    (
        _pattern(
            rf"\b(?:(?:in|since|until|by|during)\s+)?(?P<it>(?P<s>{_SHIFT})\s+(?P<m>{MONTH})(?![a-z"
            r"])(?P<y>))"
        ),
        moments.month_alone,
        False,
    ),
    (
        _pattern(
            rf"\b(?:in|since|until|by|during)\s+(?P<it>(?P<s>)(?P<m>{MONTH})(?![a-z])(?:\s+(?P<y>\d"
            rf"{{4}}))?)(?!\s*\d)"
        ),
        moments.month_alone,
        True,
    ),
    (
        _pattern(
            rf"\b(?:the\s+)?(?P<n>{NTH}|last|\d(?:st|nd|rd|th))\s+(?P<w>{FULL_WEEKDAY})\s+(?:of|"
            rf"in)\s+(?:(?:the\s+)?(?P<s>{_SHIFT})\s+month|(?P<m>{MONTH})(?![a-z]))"
        ),
        moments.nth_of_month,
        False,
    ),
    (
        _pattern(
            rf"\b(?:the\s+)?(?P<d>{DAY_WORDS})\s+(?:of\s+)?(?:the\s+)?(?P<s>{_SHIFT})\s+month\b"
        ),
        moments.day_of_month,
        False,
    ),
    (
        _pattern(rf"\b(?P<w>{FULL_WEEKDAY})\s*,?\s+the\s+(?P<d>{DAY_WORDS})\b"),
        moments.weekday_the_nth,
        True,
    ),
    (
        _pattern(
            rf"\b(?:(?:on|by|since|until)\s+)?(?P<it>(?:on\s+)?(?P<s>{_SHIFT})\s+(?:week'?s?\s+)?(?"
            rf"P<w>{WEEKDAY}))(?!s)"
        ),
        moments.weekday,
        False,
    ),
    (
        _pattern(rf"\b(?:on\s+)?(?P<w>{WEEKDAY}),?\s+(?:of\s+)?(?P<s>{_SHIFT})\s+week\b"),
        moments.weekday,
        False,
    ),
    (
        _pattern(
            rf"{_NOT_EVERY}\b(?P<it>(?P<s>)(?P<w>{FULL_WEEKDAY}))\b(?!s|\s+(?:nights?|evenings?|"
            r"mornings?|afternoons?)s\b)"
        ),
        moments.weekday,
        False,
    ),
    (
        _pattern(
            rf"\b(?:on|for)\s+(?P<it>the\s+(?P<d>{DAY_WORDS}))(?![\w%])(?!\s+(?:time|day|of|to|"
            rf"floor|place|week|month|year|one|{_UNIT})\b)(?=\s*(?:$|[.!?,;]|at\b|and\b|we\b|i\b|"
            r"because\b))"
        ),
        moments.the_nth,
        True,
    ),
    (
        _pattern(r"\bon\s+(?P<it>(?P<d>\d{1,2}(?:st|nd|rd|th)?))(?=\s*(?:$|[.!?,;]))"),
        moments.the_nth,
        True,
    ),
    (
        _pattern(
            r"\b(?:the\s+)?day\s+(?:after\s+tomorrow|before\s+yesterday|after\s+tmrw)\b|"
            r"\bthe\s+next\s+day\b|\b(?:today|yesterday|tomorrow|tmrw|tmr|tmw|tonight|last\s+night|"
            r"this\s+(?:morning|afternoon|evening))\b"
        ),
        moments.named_day,
        False,
    ),
    (
        _pattern(
            r"\b(?P<n>(?:a\s+)?few|several)\s+(?P<u>days?|weeks?|months?|years?)\s+(?:ago|back|"
            r"earlier)\b"
        ),
        moments.few_days,
        False,
    ),
    (
        _pattern(
            rf"\b(?P<n>{_AMOUNT})(?P<u>{_UNIT})(?:\s+(?:and\s+)?(?P<n2>{_AMOUNT})(?P<u2>{_UNIT}))?"
            r"\s+(?:ago|back|earlier)\b"
        ),
        moments.ago,
        False,
    ),
    (
        _pattern(
            rf"\b(?P<n>{_AMOUNT})(?P<u>{_UNIT})(?:\s+(?:and\s+)?(?P<n2>{_AMOUNT})(?P<u2>{_UNIT}))?"
            r"\s+(?:from\s+now|later|from\s+today|hence)\b"
        ),
        moments.ahead,
        False,
    ),
    (
        _pattern(
            rf"\b(?:with)?in\s+(?:the\s+next\s+)?(?P<n>{_AMOUNT})(?P<u>{_UNIT})(?:'s?\s+time)?\b(?!"
            r"\s+(?:of|or|ago)\b)"
        ),
        moments.ahead,
        False,
    ),
    (
        _pattern(
            rf"\b(?P<n>{_AMOUNT})(?P<u>{_UNIT})\s+(?P<p>from|after|before)\s+(?P<b>today|tomorrow|"
            r"yesterday)\b"
        ),
        moments.from_day,
        False,
    ),
    (
        _pattern(rf"\b(?P<n>{CARDINAL})\s+(?P<w>{FULL_WEEKDAY})s?\s+(?:from\s+now|later)\b"),
        moments.weekdays_ahead,
        False,
    ),
    (
        _pattern(rf"\b(?:the\s+)?(?P<s>{_SHIFT})\s+(?P<u>week|weekend|month|quarter|year)\b(?!')"),
        moments.period,
        False,
    ),
    (
        _pattern(
            rf"\b(?:the\s+)?(?P<e>end|start|beginning)\s+of\s+(?:the\s+)?(?:(?P<s>{_SHIFT})\s+)?(?P"
            r"<u>week|month|quarter|year)\b"
        ),
        moments.end_of,
        False,
    ),
    (
        _pattern(
            r"\b(?:just\s+now|right\s+now|a\s+moment\s+ago|a\s+minute\s+ago|at\s+the\s+moment)\b"
        ),
        moments.just_now,
        False,
    ),
    (
        _pattern(
            r"\b(?:recently|lately|these\s+days|nowadays|the\s+other\s+day|a\s+while\s+ago|"
            r"some\s+time\s+ago)\b"
        ),
        moments.vague(AROUND),
        False,
    ),
    (_pattern(r"\bfrom\s+now\s+on\b"), moments.vague(SINCE), False),
    (
        _pattern(
            r"\b(?:soon|shortly|later\s+on|later(?!\s+than)|in\s+a\s+(?:bit|while|moment)|"
            r"afterwards?)\b"
        ),
        moments.vague(AFTER),
        False,
    ),
    (_pattern(r"\b(?:earlier)\b(?!\s+than)"), moments.vague(BEFORE), False),
    (_pattern(r"\b(?:now|currently|presently)\b(?!\s+that\b)"), moments.vague(AS_OF), False),
]

"""Words of time in English: a table of patterns, each with what makes days of it.

A pattern is written with the pieces below in angle brackets and held against text in lower case.
"""

import re
from collections.abc import Callable
from datetime import date, time, timedelta

from shared.language.times import days
from shared.language.times.days import Amount, NamedTime, Parts, Rule, SaidAt
from shared.language.times.numbers import (
    CARDINAL,
    ORDINAL,
    QUANTITY,
    YEAR,
    english_number,
    english_year,
)

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SHIFTS = {
    "last": -1, "past": -1, "previous": -1, "this": 0, "the": 0, "coming": 1, "next": 1,
    "after next": 2, "before last": -2,
}  # fmt: skip
_DAYS = {
    "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1,
    "tmrw": 1, "tmr": 1, "the next day": 1, "the day before yesterday": -2,
    "day before yesterday": -2, "the day after tomorrow": 2, "day after tomorrow": 2,
    "the day after tmrw": 2,
}  # fmt: skip
_UNIT = r"(?:year|month|fortnight|week|day|hour|minute|min|hr)s?"
_PIECES = {
    "WEEKDAY": r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tues?|weds|thurs?|thu|fri)",
    "SHORT": "(?:<WEEKDAY>|mon|wed|sat|sun)",
    "MONTH": (
        r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
        r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?|(?:jan|oct|nov|dec)(?=\d))"
    ),
    "DAY": rf"(?:{ORDINAL}|(?:0?[1-9]|[12]\d|3[01])(?![\d:]|[.,]\d)|<TENS>)",
    "TENS": r"(?:twenty|thirty)(?:[ -]\w+)?",
    "ORDINAL": ORDINAL,
    "EDGE": "(?:end|beginning|start|first day|last day)",
    "NAMED_DAY": f"(?:{'|'.join(sorted(_DAYS, key=len, reverse=True))})",
    "OF_YEAR": r"(?:(?:[,-]? ?|,? of )(?P<year><YEAR>)| (?:of )?(?P<shift>last|this|next) year)?",
    "YEAR": YEAR,
    "UNIT": _UNIT,
    "COUNT": CARDINAL,
    "AMOUNT": (
        rf"(?:half an? )?(?:{QUANTITY}) ?{_UNIT}(?: and a half)?"
        rf"(?:(?:,| and|, and)? {QUANTITY} ?{_UNIT}){{0,3}}|half an? {_UNIT}"
    ),
    "SHIFT": r"(?:last|past|previous|this|coming|next)",
    "REF": r"(?:(?:last|previous|this|the|coming|next) month|<MONTH>(?:,? (?:of )?<YEAR>)?)",
    "BASE": r"(?:now|today|tomorrow|tmrw|yesterday|(?:(?:last|this|next) )?<WEEKDAY>)",
}
_PART = re.compile(
    rf"(?P<half>half an? )?(?P<count>{QUANTITY})? ?(?P<unit>{_UNIT})(?P<more> and a half)?"
)


def _weekday(words: str) -> int:
    return _WEEKDAYS.index(words[:3])


def _month(words: str) -> int:
    return _MONTHS.index(words[:3]) + 1


def _amount(words: str) -> Amount:
    months, rest = 0.0, timedelta()
    for part in _PART.finditer(words):
        unit = part["unit"].removesuffix("s")
        count = float(english_number(part["count"])) if part["count"] else 1.0
        count = 0.5 if part["half"] else count + 0.5 * bool(part["more"])
        if unit in ("year", "month"):
            months += count * (12 if unit == "year" else 1)
        else:
            rest += count * {
                "fortnight": timedelta(weeks=2), "week": timedelta(weeks=1),
                "day": timedelta(days=1), "hour": timedelta(hours=1), "hr": timedelta(hours=1),
            }.get(unit, timedelta(minutes=1))  # fmt: skip
    return Amount(int(months), rest + timedelta(days=15 * (months % 1 > 0)))


def _base(words: str, said: SaidAt) -> date:
    if words == "now":
        return said.today
    if words in _DAYS:
        return said.today + timedelta(days=_DAYS[words])
    shift, _, weekday = words.rpartition(" ")
    if shift:
        return days.weekday_of(said, _weekday(weekday), _SHIFTS[shift]).first
    return days.bare_weekday(said, _weekday(weekday)).first


def _month_meant(words: str, said: SaidAt) -> NamedTime:
    """Next month, March, March 2027."""
    if words.endswith("month"):
        return days.period(said, days.MONTH, _SHIFTS[words.split(maxsplit=1)[0]])
    year = re.search(rf"{YEAR}$", words)
    if year:
        first = date(english_year(year[0]), _month(words), 1)
    else:
        first = days.without_year(said, _month(words), 1).first
    return days.month(first, is_relative=False)


def _date(parts: Parts, said: SaidAt) -> NamedTime:
    month, day = _month(parts["month"]), english_number(parts["day"])
    if parts.get("year"):
        return days.dated(english_year(parts["year"]), month, day)
    if parts.get("shift"):
        year = said.today.year + _SHIFTS[parts["shift"]]
        return days.dated(year, month, day, is_relative=True)
    return days.without_year(said, month, day)


def _day_of_month(parts: Parts, said: SaidAt) -> NamedTime:
    first = days.period(said, days.MONTH, _SHIFTS[parts["shift"]]).first
    day = english_number(parts["day"])
    return days.dated(first.year, first.month, day, is_relative=True)


def _nth_weekday(parts: Parts, said: SaidAt) -> NamedTime | None:
    meant = _month_meant(parts["ref"], said)
    nth = english_number(parts["nth"]) if parts["nth"] != "last" else -1
    weekday = _weekday(parts["weekday"])
    return days.nth_weekday(meant.first, nth, weekday, is_relative=meant.is_relative)


def _edge(parts: Parts, said: SaidAt) -> NamedTime:
    """The end of the month, the last day of March."""
    whole = (
        days.period(said, parts["unit"], _SHIFTS[parts["shift"]])
        if "unit" in parts
        else _month_meant(parts["ref"], said)
    )
    return days.part_of(whole, -1 if parts["edge"] in ("end", "last day") else 0)


def _period(parts: Parts, said: SaidAt) -> NamedTime:
    return days.period(said, parts["unit"], _SHIFTS[parts["shift"]])


def _beside(parts: Parts, said: SaidAt) -> NamedTime:
    """Two days after tomorrow, a week from Friday, a week ago Monday, the day before yesterday."""
    sign = -1 if parts.get("side") in ("before", "ago") else 1
    return days.away(said, _amount(parts["amount"]), sign, _base(parts["base"], said))


def _bare_weekday(parts: Parts, said: SaidAt) -> NamedTime:
    return days.bare_weekday(said, _weekday(parts["weekday"]))


def _nearest_weekday(parts: Parts, said: SaidAt) -> NamedTime:
    sign = -1 if parts["side"] == "past" else 1
    return days.counted_weekdays(said, _weekday(parts["weekday"]), 1, sign)


def _shifted_weekday(parts: Parts, said: SaidAt) -> NamedTime:
    return days.weekday_of(said, _weekday(parts["weekday"]), _SHIFTS[parts["shift"]])


def _counted_weekdays(parts: Parts, said: SaidAt) -> NamedTime:
    sign = -1 if parts["side"] == "ago" else 1
    count = english_number(parts["count"])
    return days.counted_weekdays(said, _weekday(parts["weekday"]), count, sign)


def _bare_day(parts: Parts, said: SaidAt) -> NamedTime | None:
    return days.bare_day(said, english_number(parts.get("day") or parts["bare"]))


def _ahead(parts: Parts, said: SaidAt) -> NamedTime | None:
    """ "In three hours" may also tell how long something took."""
    return days.away(said, _amount(parts["amount"]), 1) if said.leaning >= 0 else None


_TABLE: dict[str, Callable[[Parts, SaidAt], NamedTime | None]] = {
    r"(?P<words><NAMED_DAY>)": lambda parts, said: days.in_days(said, _DAYS[parts["words"]]),
    r"this (?:morning|afternoon|evening)": lambda _, said: days.in_days(said, 0),
    # Amounts of time
    r"(?P<amount><AMOUNT>|week|month|year) (?:ago|earlier|back)": lambda parts, said: days.away(
        said, _amount(parts["amount"]), -1
    ),
    r"in (?P<amount><AMOUNT>)(?:'s time|' time)?": _ahead,
    r"(?P<amount><AMOUNT>) (?:later|hence|from now|from today)": _ahead,
    r"in (?P<count><COUNT>|\d{1,3}) (?:business|working) days": (
        lambda parts, said: days.workdays_on(said, english_number(parts["count"]))
    ),
    r"(?P<amount><AMOUNT>|the day) (?P<side>before|after|from|on|ago) (?P<base><BASE>)": _beside,
    r"(?:the )?(?P<shift>last|past|coming|next) (?P<amount>(?:\d{1,3}|<COUNT>|few) <UNIT>)": (
        lambda parts, said: days.stretch(said, _amount(parts["amount"]), _SHIFTS[parts["shift"]])
    ),
    # Weeks, months and years
    r"(?P<shift><SHIFT>) (?P<unit>weekend|week|month|year)(?! of\b)": _period,
    r"the (?P<unit>week|month|year) (?P<shift>after next|before last)": _period,
    r"the weekend": lambda _, said: days.period(said, days.WEEKEND, -(said.leaning < 0)),
    r"(?:the )?(?P<edge><EDGE>) of (?P<shift>last|this|the|next) (?P<unit>week|month|year)": _edge,
    r"(?:the )?(?P<edge><EDGE>) of (?P<ref><REF>)": _edge,
    # Weekdays
    r"(?P<weekday><WEEKDAY>)": _bare_weekday,
    r"(?:on|by|until|till) (?P<weekday>mon|wed|sat|sun)": _bare_weekday,
    r"(?P<shift>last|previous|this|next) (?:week (?:on )?)?(?P<weekday><SHORT>)": _shifted_weekday,
    r"(?:this )?(?P<side>past|coming) (?P<weekday><SHORT>)": _nearest_weekday,
    r"(?:on )?(?P<weekday><SHORT>) (?:of )?(?P<shift>last|this|next) week": _shifted_weekday,
    r"(?:the )?(?P<weekday><WEEKDAY>) (?P<shift>after next)": _shifted_weekday,
    r"(?P<base><WEEKDAY>) (?P<amount>week)": _beside,
    r"(?P<count><COUNT>|\d{1,2}) (?P<weekday><WEEKDAY>)s? (?P<side>from now|later|ago)": (
        _counted_weekdays
    ),
    r"(?:the )?(?P<nth><ORDINAL>|last) (?P<weekday><SHORT>) (?:of|in) (?P<ref><REF>)": _nth_weekday,
    r"(?P<weekday><SHORT>)\.?,? the (?P<day><DAY>)": lambda parts, said: days.weekday_with_day(
        said, _weekday(parts["weekday"]), english_number(parts["day"])
    ),
    # Dates
    r"(?:<SHORT>,? )?(?P<month><MONTH>)[ -]{0,2}(?:the )?(?P<day><DAY>)<OF_YEAR>": _date,
    r"(?:<SHORT>,? )?(?:the )?(?P<day><DAY>\.?)[ -](?:of )?(?P<month><MONTH>)<OF_YEAR>": _date,
    r"(?P<year>\d{4}) (?P<month><MONTH>) (?P<day><DAY>)": _date,
    r"(?P<shift>last|this|next) year on (?P<month><MONTH>) (?:the )?(?P<day><DAY>)": _date,
    r"(?:the )?(?P<day><ORDINAL>) (?:of )?(?P<shift>last|this|next) month": _day_of_month,
    r"(?P<shift>last|this|next) month on the (?P<day><DAY>)": _day_of_month,
    r"the (?P<day>\d{1,2}(?:st|nd|rd|th))": _bare_day,
    r"(?:the (?P<day>\d{1,2}|<TENS>)|on (?P<bare>\d{1,2}))(?= ?(?:[.,;!?](?!\d)|$))": _bare_day,
    r"(?P<ref><MONTH>,? (?:of )?\d{4})": lambda parts, said: _month_meant(parts["ref"], said),
    r"(?:in|since|until|till|by|last|next|this) (?P<ref><MONTH>)(?! ?\d)": (
        lambda parts, said: _month_meant(parts["ref"], said)
    ),
    r"in (?P<year>(?:19|20)\d\d)": lambda parts, _: days.whole_year(int(parts["year"])),
}


def _compiled(pattern: str) -> re.Pattern[str]:
    for _ in range(3):  # pieces are made of pieces
        for name, piece in _PIECES.items():
            pattern = pattern.replace(f"<{name}>", piece)
    return re.compile(rf"(?<![a-z\d'])(?<!\d[./:,-])(?:{pattern})(?![a-z\d])")


RULES = tuple(Rule(_compiled(pattern), maker) for pattern, maker in _TABLE.items())

# ---- what surrounds a time

HABIT = re.compile(
    r"\b(?:every|each) (?:(?:other|first|second|third|last) )?"
    r"(?:[a-z]{3,9}(?:,? and |, | to )){0,5}$"
)
_AHEAD_OF = re.compile(r"\b(?:for|to|by|until|till|before|due)(?: the)? $")
_WILL = re.compile(
    r"\b(?:will|won't|shall|gonna|going to|plans?|let's|must|should|needs?|can|could|may|might|next"
    r"|remind|please|until|due|retake|leaves?)\b|'ll\b"
)
_WAS = re.compile(
    r"\b(?:was|were|wasn't|weren't|did|didn't|had|been|since|went|came|(?<!ve )got|saw|met|told"
    r"|said|bought|ate|took|left|made|gave|lost|found|paid|sent|rang|woke|wrote|won|fell|began"
    r"|brought|thought|caught|taught|drove|flew|ran|sat|sold|felt|kept|held|heard|knew|threw|wore"
    r"|spoke|drank|swam|sang|forgot|became|chose|slept|broke)\b|\b[a-z]{2,12}(?<!e)ed\b"
)


def leaning(before: str, after: str) -> int:
    """Of a clause, by what stands before and after the time in it."""
    if _AHEAD_OF.search(before) or _WILL.search(before):
        return 1
    return -1 if _WAS.search(before) or _WAS.search(after) else 1 if _WILL.search(after) else 0


_HOUR = (
    r"(?:(?P<h>\d{1,2})(?:[:.](?P<m>\d\d))? ?(?P<half>[ap])\.?m\b|(?P<h2>\d{1,2}):(?P<m2>\d\d)"
    r"|(?P<noon>noon)\b)"
)
CLOCK_AFTER = re.compile(
    r"(?:,? (?:in the )?(?:morning|afternoon|evening|night)\b)?(?:,? (?:at |by |around )?|t)"
    + _HOUR
)
CLOCK_BEFORE = re.compile(rf"\b(?:at )?{_HOUR}(?:,? on|,)? $")


def clock(found: re.Match[str], words: str) -> time | None:
    """`words` may say which half of the day is meant."""
    if found["noon"]:
        return time(12)
    hour, minute = int(found["h"] or found["h2"]), int(found["m"] or found["m2"] or 0)
    half = found["half"] or ("p" if re.search("afternoon|evening|night", words) else "")
    hour = hour % 12 + 12 * (half == "p") if half and hour <= 12 else hour
    return time(hour, minute) if hour < 24 and minute < 60 else None

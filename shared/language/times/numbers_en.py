"""English words for numbers, days of the month, years, months and weekdays.

Each reader takes a text in lower case and a place in it, and gives what stands there and where it
ends, or None. All look at a bounded number of characters.
"""

import re

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ONES = {
    word: value
    for value, word in enumerate(
        (
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        )
    )
}
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_ORDINALS = {
    word: value
    for value, word in enumerate(
        (
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
        ),
        start=1,
    )
}
_TENTHS = {"twentieth": 20, "thirtieth": 30}

Read = tuple[int, int] | None
"""A value, and the place after it."""

_GAP = r"(?: {1,3}| ?- ?)"
_ONE = "|".join(sorted(_ONES, key=len, reverse=True))
_TEN = "|".join(_TENS)
_BELOW_100 = rf"(?:(?:{_TEN})(?:{_GAP}(?:{_ONE}))?|(?:{_ONE}))"
_CARDINAL = re.compile(
    rf"(?P<digits>\d{{1,4}})(?![\d.,:/]\d|\d|[a-z])"
    rf"|(?P<hundreds>{_BELOW_100}|a){_GAP}hundred"
    rf"(?:{_GAP}(?:and )?(?P<rest>{_BELOW_100}))?(?![a-z])"
    rf"|(?P<words>{_BELOW_100})(?![a-z])"
)
_ORDINAL = re.compile(
    r"(?P<digits>\d{1,3})(?:st|nd|rd|th)(?![a-z\d])"
    rf"|(?P<ten>{_TEN}){_GAP}(?P<one>{'|'.join(_ORDINALS)})(?![a-z])"
    rf"|(?P<word>{'|'.join([*_ORDINALS, *_TENTHS])})(?![a-z])"
)
_YEAR = re.compile(
    r"(?P<digits>\d{4})(?![\d:])"
    r"|'(?P<short>\d{2})(?!\d)"
    rf"|two thousand(?: (?:and )?(?P<after>{_BELOW_100}))?(?![a-z])"
    rf"|(?P<century>nineteen|twenty|eighteen|twenty{_GAP}one){_GAP}"
    rf"(?:(?:zero|oh|o){_GAP}(?P<low>{_ONE})|hundred(?P<even>)|(?P<rest>{_BELOW_100}))(?![a-z])"
)
_MONTH = re.compile(
    r"(?P<name>january|february|march|april|may|june|july|august|september|october|november|"
    r"december|(?:jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\.?)(?![a-z])"
)
_WEEKDAY = re.compile(
    r"(?P<name>(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?P<plural>s?)(?![a-z'])"
    r"|(?P<owner>(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?='s)"
    r"|(?P<short>mon|tues|tue|weds|wed|thurs|thur|thu|fri|sat|sun)\.?(?![a-z'])"
)


def _below_100(words: str) -> int:
    return sum(_TENS.get(word, _ONES.get(word, 0)) for word in re.split(r"[ -]+", words))


def cardinal(text: str, at: int) -> Read:
    """12, twelve, twenty-one, a hundred and five."""
    found = _CARDINAL.match(text, at)
    if not found:
        return None
    if found["digits"]:
        return int(found["digits"]), found.end()
    if found["hundreds"]:
        hundreds = 1 if found["hundreds"] == "a" else _below_100(found["hundreds"])
        return hundreds * 100 + _below_100(found["rest"] or ""), found.end()
    return _below_100(found["words"]), found.end()


def ordinal(text: str, at: int) -> Read:
    """1st, first, twenty-first."""
    found = _ORDINAL.match(text, at)
    if not found:
        return None
    if found["digits"]:
        return int(found["digits"]), found.end()
    if found["ten"]:
        return _TENS[found["ten"]] + _ORDINALS[found["one"]], found.end()
    return {**_ORDINALS, **_TENTHS}[found["word"]], found.end()


_DAY_DIGITS = re.compile(r"\d{1,2}(?![\d:%]|[./-]\d|,\d)(?! ?(?:am|pm|a\.m|p\.m|o'clock)\b)")


def day_number(text: str, at: int) -> Read:
    """A day of the month: 21, 21st, twenty-first, twenty one."""
    found = ordinal(text, at)
    if found is None:
        digits = _DAY_DIGITS.match(text, at)
        if digits and text[digits.end() : digits.end() + 1].isalpha():
            return None
        found = (int(digits[0]), digits.end()) if digits else None
    if found is None and not text[at : at + 1].isdigit():
        found = cardinal(text, at)
    return found if found and 1 <= found[0] <= 31 else None


def year_number(text: str, at: int) -> Read:
    """2016, '16, two thousand and eighteen, nineteen seventy-eight, nineteen zero one."""
    found = _YEAR.match(text, at)
    if not found:
        return None
    if found["digits"]:
        year = int(found["digits"])
        return (year, found.end()) if year else None
    if found["short"]:
        short = int(found["short"])
        return short + (2000 if short < 50 else 1900), found.end()
    if found["century"]:
        century = _below_100(found["century"]) * 100
        return century + _below_100(found["low"] or found["rest"] or ""), found.end()
    return 2000 + _below_100(found["after"] or ""), found.end()


def month_number(text: str, at: int) -> Read:
    found = _MONTH.match(text, at)
    if not found:
        return None
    short = found["name"][:3]
    return next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(short)), found.end()


def weekday_number(text: str, at: int, *, plural: bool = False) -> Read:
    """Monday is 0. "Fridays" only where a number of them is meant."""
    found = _WEEKDAY.match(text, at)
    if not found or (found["plural"] and not plural):
        return None
    short = (found["name"] or found["owner"] or found["short"])[:3]
    return next(n for n, name in enumerate(_WEEKDAYS) if name.startswith(short)), found.end()


def is_short_weekday(text: str, at: int) -> bool:
    """Whether the weekday is written as "sat" or "sun", which are words of their own too."""
    found = _WEEKDAY.match(text, at)
    return bool(found and found["short"])

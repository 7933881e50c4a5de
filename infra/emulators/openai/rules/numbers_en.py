"""English words for numbers, days of the month, years, months and weekdays."""

import re

from .wordlist import words_in

_MONTHS = words_in(
    "january february march april may june july august september october november december"
)
_WEEKDAYS = words_in("monday tuesday wednesday thursday friday saturday sunday")
_SMALL = words_in(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
         "eighty": 80, "ninety": 90}  # fmt: skip
_ORDINALS = words_in(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)

MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
WEEKDAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|"
    r"mon|tues?|wed|thurs?|thur|fri|sat|sun)\b"
)
FULL_WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_ONES = "|".join(sorted((*_SMALL, *_TENS), key=len, reverse=True))
CARDINAL = rf"(?:\d+|(?:{_ONES})(?:[\s-]+(?:{_ONES}))?)"
NTH = "|".join((*_ORDINALS, "thirtieth"))
DAY_WORDS = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|(?:twenty|thirty)[\s-]+(?:{NTH}|{_ONES})|(?:{NTH})|"
    rf"(?:{_ONES}))"
)
YEAR_WORDS = (
    r"(?:\d{4}|(?:nineteen|twenty)[\s-]+(?:\w+)(?:[\s-]+\w+)?|two\s+thousand(?:\s+(?:and\s+)?\w+)?)"
)


def number(words: str) -> int | None:
    words = words.strip().lower().replace("-", " ")
    if words.isdigit():
        return int(words)
    if words in ("a", "an"):
        return 1
    if words.startswith(("couple", "a couple")):
        return 2
    if words in ("few", "a few", "several"):
        return 3
    total = 0
    for word in words.split():
        if word in _TENS:
            total += _TENS[word]
        elif word in _SMALL:
            total += _SMALL.index(word)
        else:
            return None
    return total


def day_number(words: str) -> int | None:
    words = words.strip().lower().replace("-", " ")
    digits = re.match(r"\d+", words)
    if digits:
        return int(digits[0])
    if words == "thirtieth":
        return 30
    total = 0
    for word in words.split():
        if word in _TENS:
            total += _TENS[word]
        elif word in _ORDINALS:
            total += _ORDINALS.index(word) + 1
        elif word in _SMALL:
            total += _SMALL.index(word)
    return total or None


def year_number(words: str) -> int | None:
    words = words.strip().lower().replace("-", " ")
    if words.isdigit():
        return int(words)
    parts = [word for word in words.split() if word != "and"]
    if parts[:2] == ["two", "thousand"]:
        rest = number(" ".join(parts[2:])) if parts[2:] else 0
        return None if rest is None else 2000 + rest
    century = number(parts[0])
    tail = parts[1:]
    if tail and tail[0] in ("zero", "oh", "o"):
        tail = tail[1:]
    rest = number(" ".join(tail))
    return None if century is None or rest is None else century * 100 + rest


def month_number(word: str) -> int:
    return next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(word.lower()[:3]))


def weekday_number(word: str) -> int:
    return next(n for n, name in enumerate(_WEEKDAYS) if name.startswith(word.lower()[:3]))

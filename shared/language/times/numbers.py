"""Number words of English and Chinese, as patterns and as values."""

import re

_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
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
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_FIRST_ONES = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_FIRST_TEENS = [
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
]
_FIRST_TENS = [f"{word[:-1]}ieth" for word in _TENS]
_ENGLISH = {
    **{word: number for number, word in enumerate([*_ONES, *_TEENS], 1)},
    **{word: number for number, word in enumerate([*_FIRST_ONES, *_FIRST_TEENS], 1)},
    **{word: number for number, word in zip(range(20, 100, 10), _TENS, strict=True)},
    **{word: number for number, word in zip(range(20, 100, 10), _FIRST_TENS, strict=True)},
    "a": 1,
    "an": 1,
    "couple": 2,
    "few": 3,
    "several": 3,
    "last": -1,
}


def _either(*words: str) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


CARDINAL = rf"(?:(?:{_either(*_TENS)})(?:[ -](?:{_either(*_ONES)})\b)?|{_either(*_TEENS, *_ONES)})"
ORDINAL = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)|(?:{_either(*_TENS)})[ -](?:{_either(*_FIRST_ONES)})"
    rf"|{_either(*_FIRST_TENS, *_FIRST_TEENS, *_FIRST_ONES)})"
)
QUANTITY = rf"(?:\d{{1,4}}|{CARDINAL}|(?:an? )?(?:few|couple(?: of)?)|several|an?)"
YEAR = (
    rf"(?:\d{{4}}|(?:nineteen|twenty) (?:zero |oh )?{CARDINAL}"
    rf"|two thousand(?: and)?(?: {CARDINAL})?)"
)


def english_number(words: str) -> int:
    """Of a cardinal, an ordinal or a quantity; "a few" counts as three."""
    if digits := re.match(r"\d+", words):
        return int(digits[0])
    told = [_ENGLISH[word] for word in re.split("[ -]", words) if word in _ENGLISH]
    return sum(told) if told[:1] != [1] or len(told) == 1 else told[1]


def english_year(words: str) -> int:
    """2016, nineteen seventy eight, two thousand and four."""
    if words.isdecimal():
        return int(words)
    if words.startswith("two thousand"):
        rest = words.removeprefix("two thousand").removeprefix(" and").strip()
        return 2000 + (english_number(rest) if rest else 0)
    century, _, rest = words.partition(" ")
    return 100 * english_number(century) + english_number(re.sub("^(?:zero|oh) ", "", rest))


CHINESE_NUMBER = r"(?:\d{1,4}|[零一二两三四五六七八九十百千廿]{1,9})"
_DIGITS = {digit: number for number, digit in enumerate("零一二三四五六七八九")} | {"两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}


def chinese_number(words: str) -> int:
    """十五, 二十三, 两百零六, 二零一六 and plain digits; `半` is no number."""
    words = words.replace("廿", "二十")
    if words.isdecimal() and words.isascii():
        return int(words)
    if not _UNITS.keys() & set(words):
        return int("".join(str(_DIGITS[word]) for word in words))
    total = rest = 0
    for word in words:
        if word in _UNITS:
            total += (rest or 1) * _UNITS[word]
            rest = 0
        else:
            rest = _DIGITS[word]
    return total + rest

"""Chinese words for numbers."""

import re

_DIGITS = {"零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
           "八": 8, "九": 9}  # fmt: skip
_UNITS = {"十": 10, "百": 100, "千": 1000}
_TENS = {"廿": "二十", "卅": "三十"}

NUMBER = r"(?:\d{1,4}(?!\d)|[零一二两三四五六七八九十百千廿卅]{1,9})"
"""A number as the grammar reads it: four digits, or as many characters as four digits need."""
_WELL_FORMED = re.compile(
    r"\d{1,4}|[零一二三四五六七八九]{1,4}|两"
    r"|(?:[一二两三四五六七八九]千零?)?(?:[一二两三四五六七八九]百零?)?"
    r"(?:[一二三四五六七八九]?十)?[一二三四五六七八九]?"
)


_NEXT_ONE = re.compile(r"一[二两]|[二两]三|三[四五]|四五|五六|六七|七八|八九")
"""七八 is seven or eight, 三五 three to five."""


def either(words: str) -> tuple[int, int] | None:
    """The least and the most of a number that is only about: 两三, 十七八, 七八十."""
    for tens, rest, times in (
        (0, words, 1),
        (10, words.removeprefix("十"), 1),
        (0, words.removesuffix("十"), 10),
    ):
        if _NEXT_ONE.fullmatch(rest) and (rest == words) == (tens == 0 and times == 1):
            low, high = _DIGITS[rest[0]], _DIGITS[rest[1]]
            return tens + low * times, tens + high * times
    return None


def number(words: str) -> int | None:
    """十五, 二十三, 两百零六, 二零一六 and plain digits; None for what is no number."""
    for short, long in _TENS.items():
        words = words.replace(short, long)
    if not words or not _WELL_FORMED.fullmatch(words):
        return None
    if words.isdecimal():
        return int(words)
    if not any(unit in words for unit in _UNITS):
        return int("".join(str(_DIGITS[word]) for word in words))
    total = rest = 0
    for word in words:
        if word in _DIGITS:
            rest = _DIGITS[word]
        else:
            total += (rest or 1) * _UNITS[word]
            rest = 0
    return total + rest

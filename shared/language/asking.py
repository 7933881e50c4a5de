"""Whether a text asks something, asks how much or when, and whether it holds an amount or a day."""

import re

_ASKS = re.compile(
    r"[?？]|[吗呢么]\s*$"
    r"|^(?:who|what|when|where|why|how|which|anyone|does|do|did|is|are|can|could|any)\b",
    re.IGNORECASE,
)
_ASKS_AMOUNT = re.compile(
    r"\b(?:how (?:much|many|long|far|old|big)|when|which (?:day|date)"
    r"|what (?:time|date|day|number|year|age|price))\b"
    r"|多少|几|什么时候|啥时候|多久|多大|多长|多高",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\d|[一二两三四五六七八九十百千半]"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty"
    r"|hundred|thousand|half|(?:mon|tues|wednes|thurs|fri|satur|sun)(?:day)?)\b",
    re.IGNORECASE,
)


def asks_anything(text: str) -> bool:
    return _ASKS.search(text.strip()) is not None


def asks_amount(text: str) -> bool:
    """How much, how many, how long or when."""
    return _ASKS_AMOUNT.search(text) is not None


def has_amount(text: str) -> bool:
    """A number, in digits or words, or a day of the week."""
    return _AMOUNT.search(text) is not None

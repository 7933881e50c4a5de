"""The chat model's tokens: short runs of letters, digits in threes, single Chinese characters.

No vendor's vocabulary: about four letters or one character a token, so that budgets and costs
come out in the usual range. The pieces of a text joined are the text again.
"""

import re

_PIECE = re.compile(r"\s*(?:[A-Za-z]{1,6}|\d{1,3}|[^\sA-Za-z\d])|\s+")


def pieces(text: str) -> list[str]:
    return _PIECE.findall(text)


def count(text: str) -> int:
    return sum(1 for _ in _PIECE.finditer(text))

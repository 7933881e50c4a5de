"""How many tokens a text costs, estimated without a tokenizer; near what cl100k counts.

The text is cut as cl100k cuts it before merging (words, up to three digits, runs of signs, runs of
space); how many tokens each cut becomes is estimated from its kind and length. Calibrated on
published counts (tests/language/unit/test_tokens.py), within 15 % of them for Chinese, English and
code.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

_PIECE = re.compile(
    r"""
    (?P<contraction> '(?:[sdmtSDMT]|ll|ve|re|LL|VE|RE)\b )
  | (?P<han> [⺀-⿟㐀-鿿豈-﫿\U00020000-\U0003134f]+ )
  | (?P<kana> [぀-ヿㇰ-ㇿ]+ )
  | (?P<hangul> [ᄀ-ᇿ가-힯]+ )
  | (?P<digits> (?P<gap>[ ])?[0-9]+ )
  | (?P<lead> [._(/\[<{$#@-])? (?P<word> [A-Za-z]+ )
  | (?P<accented> (?:[A-Za-zÀ-ɏ])+ )
  | (?P<slavic> [Ͱ-ԯ]+ )
  | (?P<letters> [^\W\d_]+ )
  | (?P<space> \s+ )
  | (?P<signs> [!-/:-@\[-`{-~]+ )
  | (?P<mark> [  -⯿　-〿＀-￯] )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

HAN = 1.1
"""Common characters are one token, rarer ones two or three."""
WORD_LETTERS = 8
"""Words up to this length are nearly always one token; each four letters more are another."""


def estimate_tokens(text: str) -> int:
    """At least one for any text that is not empty."""
    if not text:
        return 0
    cost = 0.0
    for piece in _PIECE.finditer(text):
        cost += _cost(piece)
    return max(1, math.ceil(cost))


def _cost(piece: re.Match[str]) -> float:
    found, length = piece.lastgroup, len(piece[0])
    match found:
        case "han":
            return HAN * length
        case "kana" | "mark":
            return length
        case "hangul":
            return 1.05 * length
        case "digits" | "gap":
            digits = length - bool(piece["gap"])
            return -(-digits // 3) + bool(piece["gap"])
        case "word" | "lead":
            return _word(piece["word"]) + (0.4 if piece["lead"] else 0.0)
        case "accented":
            return 1 + 0.45 * max(0, length - 2)
        case "slavic":
            return 0.5 * length + 0.5
        case "letters":
            return 0.9 * length
        case "space":
            return 0.0 if piece[0] == " " else 1.0
        case "signs":
            return 1 + (length - 1) // 4
        case "other":
            return 2.5
        case _:
            return 1.0


def _word(word: str) -> float:
    cost = 0.0
    for part in _PART.findall(word):
        if part.isupper() and len(part) > 1:
            cost += 1 + (len(part) - 1) / 2.5
        else:
            cost += 1 + max(0, len(part) - WORD_LETTERS) / 4
    return cost or 1.0


T = TypeVar("T")
CUT = " ..."


def shortened(text: str, max_tokens: int) -> str:
    """The text, or as much of its beginning as has room, with a mark that it goes on."""
    if estimate_tokens(text) <= max_tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle] + CUT) <= max_tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low] + CUT if low else ""


def first_that_fit(items: Sequence[T], shown: Callable[[T], str], max_tokens: int) -> list[T]:
    """The first of them, in their order, whose texts together have room: the list ends with the
    first that has none, so that nothing worse stands in for it."""
    kept: list[T] = []
    used = 0
    for item in items:
        used += estimate_tokens(shown(item))
        if used > max_tokens:
            break
        kept.append(item)
    return kept

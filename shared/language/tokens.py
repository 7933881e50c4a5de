"""How many tokens a text costs, estimated without a tokenizer, and texts cut to a budget.

The text is cut as the tokenizers of cl100k's family cut it before merging: words, up to three
digits, runs of signs. What each cut costs is the dearest of those of today's models, so that a
budget is kept whatever model reads it: o200k (js-tiktoken 1.0.21), Llama 3, Qwen 2.5, DeepSeek V3
and Gemma 2 (@lenml/tokenizer-* 3.7.2). On the 61 chats of bench/chats and others like them they
counted, as a share of the estimate:

| | o200k | Llama 3 | Qwen 2.5 | DeepSeek V3 | Gemma 2 | cl100k (GPT-4 and before) |
|---|---|---|---|---|---|---|
| Chinese | 0.88 | 0.91 | 0.82 | 0.73 | 0.78 | 1.24 |
| English | 0.89 | 0.92 | 0.94 | 0.92 | 0.94 | 0.92 |

In no chat does one of the five count more than the estimate. For Chinese the old cl100k counts a
quarter more: whoever serves such a model asks for a smaller budget.
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

_PIECE = re.compile(
    r"""
    (?P<contraction> '(?:[sdmtSDMT]|ll|ve|re|LL|VE|RE)\b )
  | (?P<han> [ ]?[⺀-⿟㐀-鿿豈-﫿\U00020000-\U0003134f]+ )
  | (?P<kana> [぀-ヿㇰ-ㇿ]+ )
  | (?P<hangul> [ᄀ-ᇿ가-힯]+ )
  | (?P<digits> [ ]?[0-9]+ )
  | (?P<word> [A-Za-z]+ )
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

MARGIN = 1.05
"""Some talk is dearer than the average of what was measured."""
HAN = 0.95
"""A character, without the margin."""


def estimate_tokens(text: str) -> int:
    """At least one for any text that is not empty."""
    if not text:
        return 0
    return max(1, math.ceil(MARGIN * sum(_cost(piece) for piece in _PIECE.finditer(text))))


def _cost(piece: re.Match[str]) -> float:
    text = piece[0]
    length, has_space = len(text), text[0] == " "
    match piece.lastgroup:
        case "han":
            return HAN * (length - has_space) + has_space
        case "digits":
            return -(-(length - has_space) // 3) + has_space
        case "word":
            return sum(map(_word, _PART.findall(text))) or 1.0
        case "accented":
            return 1 + 0.45 * max(0, length - 2)
        case "slavic":
            return 0.5 * length + 0.5
        case "hangul":
            return 1.05 * length
        case "letters":
            return 0.9 * length
        case "kana" | "mark":
            return length
        case "space":
            return 0.0 if text == " " else 1 / MARGIN
        case "signs":
            return 1 + (length - 1) // 4
        case "other":
            return 2.5
        case _:
            return 1.0


def _word(part: str) -> float:
    """Common words are one token; names and shouts are cut, and so are long words."""
    length = len(part)
    if part.islower():
        return 1 + 0.09 * max(0, length - 3) + 0.15 * max(0, length - 10)
    return 1 + (0.33 if part.isupper() else 0.25) * max(0, length - 2)


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

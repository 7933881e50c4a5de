"""Texts and lists cut to a number of tokens. Pure."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from shared.language.tokens import estimate_tokens

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

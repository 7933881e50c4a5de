"""The words that texts are compared by. The one place of the ranker that asks for language."""

from collections.abc import Sequence
from functools import lru_cache

from shared.language import asks_amount, asks_anything, character_pairs, has_amount, terms

__all__ = ["asks_amount", "asks_anything", "compared_words", "has_amount", "line_words"]

KEPT_TEXTS = 8_192
"""Texts whose words are kept: the tails of a few groups, asked about again and again."""


@lru_cache(KEPT_TEXTS)
def compared_words(text: str) -> Sequence[str]:
    """Stems, Chinese words, and pairs of Chinese characters, each once: two texts cut into words
    differently still meet in their pairs."""
    return tuple(dict.fromkeys([*terms(text), *character_pairs(text)]))


def line_words(user_name: str, text: str, known: Sequence[str] | None) -> Sequence[str]:
    """Of a name and what was said; the words of the text may be `known` already."""
    if known is None:
        return compared_words(f"{user_name}: {text}" if user_name else text)
    return tuple(dict.fromkeys([*compared_words(user_name), *known, *character_pairs(text)]))

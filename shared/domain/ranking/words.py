"""The words that texts are compared by. The one place of the ranker that asks for language."""

from collections import Counter
from collections.abc import Iterable

from shared.language import character_pairs, terms
from shared.language.asking import asks_amount, asks_anything, has_amount

__all__ = ["asks_amount", "asks_anything", "counted_words", "has_amount"]


def counted_words(text: str) -> Counter[str]:
    """Stems, Chinese words, and pairs of Chinese characters: two texts cut into words differently
    still meet in their pairs."""
    return Counter(_distinct(terms(text), character_pairs(text)))


def _distinct(*parts: Iterable[str]) -> Iterable[str]:
    seen: set[str] = set()
    for part in parts:
        for word in part:
            if word not in seen:
                seen.add(word)
                yield word

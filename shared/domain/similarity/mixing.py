"""How much words and meaning count together when records are searched. Pure."""

from collections.abc import Sequence

from shared.domain.bm25 import shared_rarity

WORDS, MEANING = 0.4, 0.6
"""As the design weighs them, for topics, events and profiles alike."""


def mixed(query: str, texts: list[str], chances: Sequence[float]) -> list[float]:
    """A score for each text: the words it shares with the query, as a share of the best, and how
    probably it is meant. Orders one answer, and does not compare between two."""
    words = shared_rarity(query, texts)
    best = max(words, default=0.0) or 1.0
    return [
        round(WORDS * said / best + MEANING * chance, 4)
        for said, chance in zip(words, chances, strict=True)
    ]

"""Words as evidence: how rare each is in a group, and how well texts match a question by them."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

K1 = 0.9
"""How soon a repeated word says nothing new: in chat, soon."""
B = 0.0
"""How much a long text is held against it. Not at all: messages are long for having more to say,
and with the usual 0.75 "yes, the release" beats the message that explains the release."""
COMMON = 0.2
"""A word in more than this share of what was said tells little about any of it."""
FEW = 2
"""So often a word may be said in the shortest talk without being common."""


@dataclass(frozen=True)
class Heard:
    """In how many of `total` texts each word stands."""

    total: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)

    def rarity(self, word: str) -> float:
        """Above 0 for every word; the highest for one that was never heard."""
        known = self.counts.get(word, 0)
        return math.log1p((self.total - known + 0.5) / (known + 0.5))

    def is_common(self, word: str) -> bool:
        return self.counts.get(word, 0) > max(FEW, COMMON * self.total)


def heard(texts: Iterable[Sequence[str]]) -> Heard:
    distinct = [frozenset(words) for words in texts]
    return Heard(len(distinct), Counter(word for words in distinct for word in words))


def rarest(words: Iterable[str], lately: Heard, limit: int) -> list[str]:
    """What to search the whole past of a group for, the most telling first, common words left out.

    Nobody counts the words of a whole group, so rarity is that of `lately`; among words not heard
    lately the longer go first, as in every language the short ones are the frequent ones.
    """
    telling = [word for word in dict.fromkeys(words) if not lately.is_common(word)]
    telling.sort(key=lambda word: (lately.counts.get(word, 0), -len(word), word))
    return telling[:limit]


def scores(
    words: Iterable[str],
    texts: Sequence[Sequence[str]],
    known: Heard,
    *,
    k1: float = K1,
    b: float = B,
) -> list[float]:
    """How well each text, given by its words, matches: 0 if it has none of them."""
    wanted = {word: known.rarity(word) for word in dict.fromkeys(words)}
    usual = sum(map(len, texts)) / len(texts) if texts else 0.0
    found = []
    for text in texts:
        length = 1 - b + b * len(text) / usual if usual else 1.0
        said = Counter(word for word in text if word in wanted)
        found.append(
            sum(wanted[word] * n * (k1 + 1) / (n + k1 * length) for word, n in said.items())
        )
    return found

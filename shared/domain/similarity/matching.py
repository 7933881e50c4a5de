"""How well records fit a question, on one scale of 0 to 1. Pure.

No number here belongs to an encoder. What a cosine is worth is told by the forty fixed questions:
they are about anything, so what they reach is what a question reaches that a record does not
answer. A space that is rotated, shortened or squeezed gives the same scores.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shared.domain.bm25 import heard
from shared.domain.ranking.words import asks_amount, compared_words, has_amount
from shared.domain.similarity.vectors import Vector

if TYPE_CHECKING:
    from shared.domain.ranking.lines import Matrix

WORDS, MEANING = 0.4, 0.6
"""As the design weighs them, for topics, events and profiles alike."""
SHARED_WORDS, AMOUNT = 4.0, 1.0
"""Beside nearness in units of its spread: all of the question's words, and an amount or a day
where one is asked for."""
FEW = 4
"""Of so many records half of the weight is on how far one stands out among them; of fewer less."""
EVEN, STEEP = 3.0, 1.0
"""The sum at which a record answers as likely as not, and how soon it is surer: of 390 questions
of three sets half the right records score above 0.85, and 19 in 20 wrong ones below 0.45."""
NEAR_EVEN, NEAR_STEEP = 1.0, 2.1
"""The same of a cosine alone, in units of the spread, for records whose vector is not at hand."""


@dataclass(frozen=True)
class Usual:
    """The cosines of texts that have nothing to do with each other: around `mean`, by `spread`."""

    mean: float
    spread: float

    def chance(self, cosine: float) -> float:
        """How likely two texts so near belong together, between 0 and 1."""
        return logistic(NEAR_STEEP * (self.above(cosine) - NEAR_EVEN))

    def above(self, cosine: float) -> float:
        return (cosine - self.mean) / self.spread


UNKNOWN = Usual(0.25, 0.15)
"""Until the fixed questions have vectors: between what short texts of usual encoders reach."""


def usual_nearness(anchors: "Matrix | None", vector: Vector | None = None) -> Usual:
    """Of a question to the fixed ones; without a question, of these to each other."""
    import numpy as np

    if anchors is None or len(anchors) < 2:
        return UNKNOWN
    rows = _units(anchors)
    among = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    spread = max(float(among.std()), 1e-6)
    if vector is None or not len(vector):
        return Usual(float(among.mean()), spread)
    return Usual(float((rows @ _units([vector])[0]).mean()), spread)


@dataclass(frozen=True)
class Match:
    """`score` follows from the sum of the two parts, which have the same unit."""

    score: float
    by_words: float
    by_meaning: float


def matches(
    question: str,
    texts: Sequence[str],
    vectors: Sequence[Vector | None],
    vector: Vector | None,
    anchors: "Matrix | None",
) -> list[Match]:
    """One a text. Without a vector, the question's or its own, a text is matched by its words."""
    amount = AMOUNT * asks_amount(question)
    by_words = [
        SHARED_WORDS * share + amount * has_amount(text)
        for share, text in zip(shared_words(question, texts), texts, strict=True)
    ]
    by_meaning = _by_meaning(vectors, vector, anchors)
    return [
        Match(logistic(STEEP * (words + meaning - EVEN)), words, meaning)
        for words, meaning in zip(by_words, by_meaning, strict=True)
    ]


def shared_words(question: str, texts: Sequence[str]) -> list[float]:
    """Which share of the question's words each text has, rare ones counting more."""
    wanted, units = set(compared_words(question)), [set(compared_words(text)) for text in texts]
    known = heard([*own] for own in units)
    rarity = {word: known.rarity(word) for word in sorted(wanted)}
    whole = sum(rarity.values()) or 1.0
    return [sum(rarity[word] for word in sorted(wanted & own)) / whole for own in units]


def mixed(question: str, texts: Sequence[str], chances: Sequence[float]) -> list[float]:
    """A score for each text, of its share of the question's words and how likely it is meant."""
    shares = shared_words(question, texts)
    return [
        round(WORDS * share + MEANING * chance, 4)
        for share, chance in zip(shares, chances, strict=True)
    ]


def logistic(exponent: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-700.0, min(700.0, exponent))))


def _by_meaning(
    vectors: Sequence[Vector | None], vector: Vector | None, anchors: "Matrix | None"
) -> list[float]:
    """How far each is nearer than usual, by itself and among the others."""
    import numpy as np

    found = [0.0] * len(vectors)
    if vector is None or not len(vector):
        return found
    known = [n for n, own in enumerate(vectors) if own is not None and len(own) == len(vector)]
    if not known:
        return found
    rows = _units([vectors[n] for n in known])
    cosines = rows @ _units([vector])[0]
    if anchors is None or not len(anchors):
        alone = np.array([UNKNOWN.above(cosine) for cosine in cosines])
    else:
        unrelated = rows @ _units(anchors).T
        swings = unrelated.std(axis=1)
        alone = 2 * (cosines - unrelated.mean(axis=1)) / np.maximum(swings + swings.mean(), 1e-6)
    spread = cosines.std()
    among = (cosines - cosines.mean()) / spread if spread > 1e-6 else np.zeros(len(known))
    share = len(known) / (len(known) + FEW)
    for n, worth in zip(known, alone * (1 - share / 2) + among * share, strict=True):
        found[n] = float(worth)
    return found


def _units(rows: Any) -> Any:
    import numpy as np

    matrix = np.asarray(rows, dtype=np.float64)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)

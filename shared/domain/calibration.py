"""What a cosine means: the chance that two texts belong together, per embedding model.

Cosines of two models do not compare, so every threshold of the product is on this chance and
never on a cosine. A row is a logistic, p = 1 / (1 + exp(-(a cos + b))).
"""

import math
from dataclasses import dataclass

from shared.domain.language import Language


@dataclass(frozen=True)
class Logistic:
    """`is_fitted` says whether labelled pairs stand behind it or only judgement."""

    a: float
    b: float
    is_fitted: bool

    def chance(self, cosine: float) -> float:
        exponent = max(-700.0, min(700.0, self.a * cosine + self.b))
        return 1.0 / (1.0 + math.exp(-exponent))


@dataclass(frozen=True)
class Calibration:
    """One model's rows: `overall` for a language that has none of its own.

    `same` is another question: not whether two texts belong together, but whether two statements
    say the same. Statements look alike by their form, so it asks for much more.
    """

    overall: Logistic
    by_language: dict[Language, Logistic]
    same: Logistic

    def row(self, language: Language) -> Logistic:
        return self.by_language.get(language, self.overall)


# Fitted on labelled pairs at 1 right to 20 wrong; p = 0.5 at a cosine of 0.27, 0.7 at 0.31.
_USEM3 = Calibration(
    Logistic(20.7, -5.55, is_fitted=True),
    {
        Language.CHINESE: Logistic(20.5, -6.07, is_fitted=True),
        Language.ENGLISH: Logistic(26.5, -5.55, is_fitted=True),
    },
    # Of 42 pairs of statements in two languages: the same from 0.68 on, others up to 0.80.
    same=Logistic(25.0, -16.0, is_fitted=True),
)

# Not fitted: unrelated chat lines of this model lie near 0.15 and related ones near 0.5, so it
# is 0.5 at a cosine of 0.38 and 0.7 at 0.44. Refit before trusting a gate to it.
_TEXT_EMBEDDING_3_SMALL = Calibration(
    Logistic(14.0, -5.32, is_fitted=False), {}, same=Logistic(25.0, -17.5, is_fitted=False)
)

# Not fitted: of a model nobody measured, only that a higher cosine means more. 0.5 at 0.5.
UNKNOWN = Calibration(
    Logistic(10.0, -5.0, is_fitted=False), {}, same=Logistic(25.0, -20.0, is_fitted=False)
)

TABLE = {"usem3": _USEM3, "text-embedding-3-small": _TEXT_EMBEDDING_3_SMALL}


def calibrated(model: str, language: Language, cosine: float) -> float:
    """The chance, between 0 and 1, that two texts this close belong together."""
    return TABLE.get(model, UNKNOWN).row(language).chance(cosine)


def chance_of_same(model: str, cosine: float) -> float:
    """The chance that two statements this close say the same."""
    return TABLE.get(model, UNKNOWN).same.chance(cosine)


def is_fitted(model: str) -> bool:
    """Whether measurements stand behind this model's row."""
    return TABLE.get(model, UNKNOWN).overall.is_fitted

"""What a cosine means: the chance that two texts belong together, per embedding model.

Cosines of two models do not compare, so every threshold of the product is on this chance and
never on a cosine. A row is a logistic, p = 1 / (1 + exp(-(a cos + b))).
"""

import math
from dataclasses import dataclass, replace

from shared.domain.text.language import Language


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
class Rows:
    """`overall` is for a language that has none of its own."""

    overall: Logistic
    by_language: dict[Language, Logistic]

    def row(self, language: Language) -> Logistic:
        return self.by_language.get(language, self.overall)


@dataclass(frozen=True)
class Calibration(Rows):
    """One model's rows for two texts as they stand, and for other questions.

    `same` is another question: not whether two texts belong together, but whether two statements
    say the same. Statements look alike by their form, so it asks for much more. `asked` and `told`
    are of memories as they are embedded, which is not as they stand: with a question in the same
    words, and with any message as it stands.
    """

    same: Logistic
    asked: Rows | None = None
    told: Rows | None = None


KIND = 2.4
"""In log-odds: what it tells of a memory that its kind is the one a question asks for, or another;
fitted with `asked` and `told`, and of no embedding model."""

# Fitted on labelled pairs at 1 right to 20 wrong; p = 0.5 at a cosine of 0.27, 0.7 at 0.31.
_USEM3 = Calibration(
    Logistic(20.7, -5.55, is_fitted=True),
    {
        Language.CHINESE: Logistic(20.5, -6.07, is_fitted=True),
        Language.ENGLISH: Logistic(26.5, -5.55, is_fitted=True),
    },
    # Of 23 pairs of statements about one matter in two languages, as memories are embedded: the
    # same from 0.72 on, half of them above 0.85; others up to 0.81, half of them below 0.76.
    same=Logistic(25.0, -17.9, is_fitted=True),
    # Of 91 right and 914 wrong pairs of a question and a memory (bench/recall_questions.py).
    asked=Rows(
        Logistic(18.1, -6.96, is_fitted=True),
        {
            Language.CHINESE: Logistic(17.8, -7.26, is_fitted=True),
            Language.ENGLISH: Logistic(20.6, -7.08, is_fitted=True),
        },
    ),
    told=Rows(
        Logistic(17.0, -5.53, is_fitted=True),
        {
            Language.CHINESE: Logistic(17.4, -6.21, is_fitted=True),
            Language.ENGLISH: Logistic(19.3, -5.16, is_fitted=True),
        },
    ),
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


def cosine_scale(model: str) -> tuple[float, float]:
    """Factor and shift under which this model's cosines mean what those of the fitted one do."""
    fitted, own = TABLE["usem3"].overall, TABLE.get(model, UNKNOWN).overall
    return own.a / fitted.a, (own.b - fitted.b) / fitted.a


def chance_of_same(model: str, cosine: float) -> float:
    """The chance that two statements this close say the same."""
    return TABLE.get(model, UNKNOWN).same.chance(cosine)


def chance_of_answer(model: str, language: Language, cosine: float, agreement: int) -> float:
    """The chance that a memory answers a question, both as they are embedded; `agreement` says
    whether it is of the kind that was asked for (1), of another (-1), or that is not known (0)."""
    known = TABLE.get(model, UNKNOWN)
    return _moved((known.asked or known).row(language), cosine, agreement)


def chance_of_matter(model: str, language: Language, cosine: float, agreement: int) -> float:
    """The same for a message that is embedded as it stands."""
    known = TABLE.get(model, UNKNOWN)
    return _moved((known.told or known).row(language), cosine, agreement)


def _moved(row: Logistic, cosine: float, agreement: int) -> float:
    return replace(row, b=row.b + KIND * agreement).chance(cosine)


def is_fitted(model: str) -> bool:
    """Whether measurements stand behind this model's row."""
    return TABLE.get(model, UNKNOWN).overall.is_fitted

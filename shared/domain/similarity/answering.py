"""How probably a text answers a question, from its words and meaning and from the other texts.

One row a model and language, fitted by `python -m bench.fit.calibration`, which writes the file
beside this one. Pure.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.similarity.calibration import ALL
from shared.domain.similarity.fitted import ANSWERING
from shared.language import Language


@dataclass(frozen=True)
class Answering:
    """`meaning` weighs what a cosine is above the `usual` one, `words` what is shared in rarity;
    their sum orders. The confidence is a logistic of the candidate's `own` sum, of the `others`
    taken together, to which `nothing` always belongs (the question that nobody answers), and of a
    constant. With no negative weight a higher sum never has the lower confidence."""

    meaning: float
    words: float
    usual: float
    nothing: float
    own: float
    others: float
    constant: float

    def confidences(self, sums: Sequence[float]) -> list[float]:
        """In the order of the sums, each between 0 and 1."""
        grown = [math.exp(min(one, _MOST)) for one in sums]
        together = sum(grown) + math.exp(self.nothing)
        return [
            _logistic(
                self.own * one
                - self.others * math.log(max(together - own, math.exp(self.nothing)))
                + self.constant
            )
            for one, own in zip(sums, grown, strict=True)
        ]


_MOST = 300.0
"""Beyond any sum of a real text, and still a float when it is exponentiated and summed."""

# Not fitted: a model nobody measured, taken to be like the measured one at cosines of twice the
# size, as those of the usual commercial models are. Fit your own before trusting a confidence.
UNKNOWN = Answering(10.0, 0.5, 0.3, 1.0, 0.8, 0.7, -0.5)


def answering(model: str, language: Language) -> Answering:
    """The model's row for a language, else the one of all languages together."""
    rows = ANSWERING.get(model, {})
    fitted = rows.get(language.value) or rows.get(ALL)
    return Answering(*fitted) if fitted else UNKNOWN


def _logistic(exponent: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-700.0, min(700.0, exponent))))

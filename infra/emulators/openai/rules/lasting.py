"""Whether a sentence tells something lasting: of its speaker, or laid down for all.

A small fitted table reads the sentence's vector and a few function words that mark time, doubt,
hearsay and person. It knows no topic by name, so it hears of a knee or a placement that no list
has; it is unsure where a remark only sounds lasting. The numbers and where they come from stand in
`lasting.json`; `python -m bench.fit.lasting` makes them.
"""

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .lasting_signs import signs

if TYPE_CHECKING:
    from ..network import Matrix

NONE, SELF, RULE = "none", "self", "rule"
KINDS = (NONE, SELF, RULE)


@dataclass(frozen=True)
class Chances:
    """How likely a sentence tells something lasting of its speaker, or a rule for all."""

    of_self: float
    of_rule: float


def chances(sentences: Sequence[str], vectors: "Matrix") -> list[Chances]:
    import numpy as np

    told = np.array([[*signs(one), 1.0] for one in sentences], np.float32)
    scores = np.concatenate([vectors, told], axis=1) @ _weights()
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely /= likely.sum(axis=1, keepdims=True)
    return [Chances(float(one[1]), float(one[2])) for one in likely]


@functools.cache
def _weights() -> Any:
    import numpy as np

    path = Path(__file__).with_name("lasting.json")
    return np.array(json.loads(path.read_text("utf-8"))["weights"], np.float32)

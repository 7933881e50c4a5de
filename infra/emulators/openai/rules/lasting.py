"""Whether a line tells something lasting: of its speaker, or laid down for all.

Two small fitted tables weigh the signs of a line where it stands (`lasting_context`), what it
speaks of, how it is said, what was asked before and what follows, and beside them its vector. The
numbers and where they come from stand in `lasting.json`; `python -m bench.fit.lasting` makes them.
"""

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Chances:
    """How likely a line tells something lasting of its speaker, or a rule for all."""

    of_self: float
    of_rule: float


@dataclass(frozen=True)
class Table:
    signs: Any
    vector: Any
    itself: float

    def likely(self, signs: Sequence[float], vector: Any) -> float:
        import numpy as np

        score = np.dot(self.signs, signs) + np.dot(self.vector, vector) + self.itself
        return float(1 / (1 + np.exp(-score)))


def chances(signs: Sequence[float], vector: Any) -> Chances:
    of_self, of_rule = tables()
    return Chances(of_self.likely(signs, vector), of_rule.likely(signs, vector))


@functools.cache
def tables() -> tuple[Table, Table]:
    import numpy as np

    found = json.loads(Path(__file__).with_name("lasting.json").read_text("utf-8"))
    rows = [found[name] for name in ("of_self", "of_rule")]
    of_self, of_rule = (
        Table(np.array(one["signs"]), np.array(one["vector"]), one["itself"]) for one in rows
    )
    return of_self, of_rule

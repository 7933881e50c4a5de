"""Weights of a group from what its replies used, taken only if lines held back say so too. Pure.

In each context with feedback some of the offered lines were used and others were not. The weights
are fitted so that used lines score above unused ones of the same context (a pairwise logistic, held
near the weights of before), on two contexts of three; the third decides. Lines that were never
offered are not known: this orders what was found, it finds nothing new.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from shared.domain.ids import digest

HELD_BACK = 3
"""Of so many contexts one is held back, always the same ones."""
LEAST_FITTED, LEAST_HELD_BACK = 30, 15
"""Contexts that tell something; fewer tell chance."""
LEAST_GAIN = 0.01
"""Of pairs in the right order, on what was held back: less is not worth a change."""
ERRORS = 2.5
"""The gain must be so many of its own standard errors: chance gets there once in 160 times."""
NEARNESS = 1.0
"""How strongly weights are held where they were, in contexts: a dozen move them."""
STEPS = 400
"""Of the descent; by then it moves in the fourth digit."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Labelled:
    """One context: the signs of the lines that a reply used, and of those it did not."""

    context_id: str
    used: Sequence[Mapping[str, float]]
    unused: Sequence[Mapping[str, float]]


@dataclass(frozen=True)
class Tuned:
    """`before` and `after` are shares of pairs in the right order among what was held back;
    `weights` are what was found, taken or not."""

    is_better: bool
    why: str
    fitted: int
    held_back: int
    before: float | None = None
    after: float | None = None
    weights: Mapping[str, float] = field(default_factory=dict)


def tuned(contexts: Sequence[Labelled], weights: Mapping[str, float], most: float) -> Tuned:
    """`weights` are those of now, `most` what one of them may be at most; none falls below 0."""
    telling = [context for context in contexts if context.used and context.unused]
    aside = [labelled for labelled in telling if is_held_back(labelled.context_id)]
    rest = [labelled for labelled in telling if not is_held_back(labelled.context_id)]
    if len(rest) < LEAST_FITTED or len(aside) < LEAST_HELD_BACK:
        why = f"too few contexts with used and unused lines: {len(rest)} to fit, {len(aside)} aside"
        return Tuned(False, why, len(rest), len(aside))
    names = list(weights)
    start = np.array([weights[name] for name in names])
    fitted = _fitted([_pairs(labelled, names) for labelled in rest], start, most)
    apart = np.clip(_scaled(fitted, start, rest, names), 0.0, most)
    found = np.array([round(float(number), 3) for number in apart])
    held = [_pairs(labelled, names) for labelled in aside]
    before = [_in_order(example @ start) for example in held]
    after = [_in_order(example @ found) for example in held]
    gains = [new - old for new, old in zip(after, before, strict=True)]
    gain = statistics.fmean(gains)
    error = statistics.stdev(gains) / math.sqrt(len(gains))
    is_better = gain >= LEAST_GAIN and gain >= ERRORS * error
    why = (
        "what was held back is in a better order too"
        if is_better
        else "what was held back does not show that it is better"
    )
    return Tuned(
        is_better,
        why,
        len(rest),
        len(aside),
        round(statistics.fmean(before), 4),
        round(statistics.fmean(after), 4),
        dict(zip(names, (float(weight) for weight in found), strict=True)),
    )


def is_held_back(context_id: str) -> bool:
    return int(digest("held back", context_id)[:8], 16) % HELD_BACK == 0


def _pairs(one: Labelled, names: Sequence[str]) -> Matrix:
    """A row a pair: what the used line has more than the unused one."""
    used = np.array([[line.get(name, 0.0) for name in names] for line in one.used])
    unused = np.array([[line.get(name, 0.0) for name in names] for line in one.unused])
    differences: Matrix = used[:, None, :] - unused[None, :, :]
    return differences.reshape(-1, len(names))


def _fitted(pairs: Sequence[Matrix], start: Matrix, most: float) -> Matrix:
    """Each context counts as one, however many lines it had. The loss is convex: a descent with
    steps of a bounded length finds its end."""
    rows = np.concatenate(pairs)
    share = np.concatenate([np.full(len(pair), 1 / len(pair)) for pair in pairs])
    spread = rows.std(axis=0) + 1e-9
    scale = 1 / max(float(np.std(rows @ start)), 1e-6)
    scaled = rows * scale
    curve = 0.25 * float(((scaled**2) * share[:, None]).sum()) + NEARNESS
    found = start.copy()
    hold = NEARNESS * (spread * scale) ** 2
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(np.clip(scaled @ found, -30, 30)))
        slope = -(scaled * (share * chance)[:, None]).sum(axis=0) + hold * (found - start)
        found = np.clip(found - slope / curve, 0.0, most)
    return found


def _scaled(
    found: Matrix, start: Matrix, contexts: Sequence[Labelled], names: Sequence[str]
) -> Matrix:
    """As far apart as scores were before: thresholds keep their meaning."""
    lines = np.array(
        [
            [line.get(name, 0.0) for name in names]
            for context in contexts
            for line in (*context.used, *context.unused)
        ]
    )
    new = float(np.std(lines @ found))
    return found * (float(np.std(lines @ start)) / new) if new > 1e-9 else start


def _in_order(differences: Matrix) -> float:
    """The share of pairs in which the used line is ahead; equals are half."""
    return float(((differences > 1e-9) + 0.5 * (np.abs(differences) <= 1e-9)).mean())

"""Whether confidences mean what they say: what was told, beside how often it was so."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

EDGES = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)


@dataclass(frozen=True)
class Told:
    """One candidate: with which confidence it was offered, and whether it was right."""

    confidence: float
    is_right: bool


def reliability(told: Sequence[Told]) -> list[str]:
    """A line a band, and the expected error: the mean gap between what was told and what was so,
    over the confidences from 0.02 on, as nearly all of the rest is near 0."""
    lines, gaps, counted = [], 0.0, 0
    for low, high in itertools.pairwise(EDGES):
        own = [one for one in told if low <= one.confidence < high or one.confidence == high == 1]
        if not own:
            continue
        said = sum(one.confidence for one in own) / len(own)
        was = sum(one.is_right for one in own) / len(own)
        lines.append(f"    {low:.2f} to {high:.2f}: {len(own):5}  told {said:.2f}  was {was:.2f}")
        if low > 0:
            gaps, counted = gaps + abs(said - was) * len(own), counted + len(own)
    return [*lines, f"    mean gap from {EDGES[1]} on: {gaps / max(1, counted):.3f}"]

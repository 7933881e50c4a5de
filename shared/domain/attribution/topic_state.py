"""What topics look like from a line: who speaks in each, and how alike their last lines are."""

from typing import Any

import numpy as np


def distinct(topic: Any, speaker: Any, count: int) -> Any:
    """How many people speak in each topic."""
    pairs = np.unique(topic * (int(speaker.max()) + 1) + speaker)
    return np.bincount(pairs // (int(speaker.max()) + 1), minlength=count)


def last_three(telling: Any, by_topic: Any) -> Any:
    """A column for each topic: its last three lines that are more than reactions, or its last."""
    chosen = np.zeros_like(by_topic)
    if len(telling):
        rows = by_topic[telling]
        after = rows[::-1].cumsum(0)[::-1]
        chosen[telling] = rows * (after <= 3)
    empty = chosen.sum(0) == 0
    if empty.any():
        after = by_topic[::-1].cumsum(0)[::-1]
        chosen = np.where(empty[None, :], by_topic * (after <= 3), chosen)
    return chosen


def mean_cosine(chosen: Any, cosine: Any, alike: Any) -> Any:
    """Of a line with the mean of each topic's chosen lines."""
    dots = cosine @ chosen
    lengths = ((alike @ chosen) * chosen).sum(0)
    return dots / np.sqrt(np.maximum(lengths, 1e-6))


def best_of_others(values: Any) -> Any:
    """For each the best of all the rest; 0 where there is no other."""
    if len(values) < 2:
        return np.zeros_like(values)
    best = int(values.argmax())
    rest = np.delete(values, best).max()
    others = np.full_like(values, values[best])
    others[best] = rest
    return others

"""Two small fits in plain numpy: a logistic of some columns, and weights that order a list."""

from collections.abc import Sequence
from typing import Any

import numpy as np

STEPS = 60
"""Newton's steps; both fits are convex and settle in about ten."""
RIDGE = 1e-3
"""Keeps a column that tells nothing from growing without end."""


def fitted_logistic(rows: Any, labels: Any) -> list[float]:
    """The weights that make the labels likeliest; give a column of ones for a constant."""
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chances = _logistic(rows @ weights)
        slope = rows.T @ (chances - labels) + RIDGE * weights
        bend = (rows * (chances * (1 - chances))[:, None]).T @ rows
        weights -= np.linalg.solve(bend + RIDGE * np.eye(len(weights)), slope)
    return [float(one) for one in weights]


def fitted_order(lists: Sequence[Any], right: Sequence[Sequence[int]]) -> list[float]:
    """The weights of the columns that make it likeliest that a right one comes first, over lists
    of candidates: a softmax in each list."""
    size = lists[0].shape[1]
    weights = np.zeros(size)
    for _ in range(STEPS):
        slope, bend = RIDGE * weights, RIDGE * np.eye(size)
        for rows, places in zip(lists, right, strict=True):
            chances = _softmax(rows @ weights)
            among = np.zeros(len(rows))
            among[list(places)] = _softmax((rows @ weights)[list(places)])
            mean = chances @ rows
            slope = slope + mean - among @ rows
            bend = bend + (rows * chances[:, None]).T @ rows - np.outer(mean, mean)
        step = np.linalg.solve(bend, slope)
        weights -= step * min(1.0, 5.0 / max(1e-9, float(np.abs(step).max())))
    return [float(one) for one in weights]


def _logistic(exponents: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(exponents, -500, 500)))


def _softmax(sums: Any) -> Any:
    grown = np.exp(sums - sums.max())
    return grown / grown.sum()

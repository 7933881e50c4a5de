"""Minimisers in plain numpy: L-BFGS for what is convex, Adam for what is not."""

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

Loss = Callable[[Any], tuple[float, Any]]
"""The value and the gradient at a point."""


def lbfgs(loss: Loss, start: Any, steps: int, memory: int = 12) -> tuple[Any, float]:
    """The best point seen, and its value; double precision, so that no line search goes astray."""
    point = np.asarray(start, np.float64).copy()
    value, slope = loss(point)
    past: deque[tuple[Any, Any, float]] = deque(maxlen=memory)
    for _ in range(steps):
        direction = -_two_loops(slope, past)
        descent = float(direction @ slope)
        if descent >= 0:
            past.clear()
            direction, descent = -slope, -float(slope @ slope)
        length = 1.0 if past else min(1.0, 1.0 / (np.abs(slope).sum() + 1e-12))
        for _ in range(25):
            moved = point + length * direction
            new_value, new_slope = loss(moved)
            if new_value <= value + 1e-4 * length * descent:
                break
            length *= 0.5
        else:
            break
        step, change = moved - point, new_slope - slope
        if (curved := float(step @ change)) > 1e-12:
            past.append((step, change, 1.0 / curved))
        small = abs(value - new_value) < 1e-7 * max(1.0, abs(value))
        point, value, slope = moved, new_value, new_slope
        if small:
            break
    return point, value


def _two_loops(slope: Any, past: "deque[tuple[Any, Any, float]]") -> Any:
    q = slope.copy()
    alphas = []
    for step, change, rho in reversed(past):
        alpha = rho * float(step @ q)
        q -= alpha * change
        alphas.append(alpha)
    if past:
        step, change, _ = past[-1]
        q *= float(step @ change) / float(change @ change)
    for (step, change, rho), alpha in zip(past, reversed(alphas), strict=True):
        q += step * (alpha - rho * float(change @ q))
    return q


class Adam:
    """Moves arrays in place, each step by its own gradient."""

    def __init__(self, arrays: list[Any], rate: float) -> None:
        self._arrays, self._rate, self._step = arrays, rate, 0
        self._mean = [np.zeros_like(one) for one in arrays]
        self._square = [np.zeros_like(one) for one in arrays]

    def step(self, slopes: list[Any], share: float) -> None:
        """`share` of the rate: it is warmed up and let down."""
        self._step += 1
        for one, mean, square, slope in zip(
            self._arrays, self._mean, self._square, slopes, strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            upward = mean / (1 - 0.9**self._step)
            size = np.sqrt(square / (1 - 0.999**self._step)) + 1e-8
            one -= self._rate * share * upward / size

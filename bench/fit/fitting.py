"""Fits the parts of a table: votes of pairs, weights, the second layer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bench.fit.optimise import Adam, lbfgs
from bench.fit.rolling import Stack
from shared.threads.table import MOST, Residual

TOPIC_SHARE = 0.3
"""Of the loss: that the topic is right; the rest asks for the very line."""


def logistic(rows: Any, labels: Any, penalty: float, weight: Any = None) -> Any:
    """Weights, the bias last."""
    rows = np.asarray(rows, np.float32)
    signs = np.where(labels, 1.0, -1.0)
    weight = np.full(len(rows), 1 / len(rows)) if weight is None else weight / weight.sum()

    def loss(at: Any) -> tuple[float, Any]:
        weights, bias = at[:-1], at[-1]
        margin = signs * (rows @ weights.astype(np.float32) + bias)
        value = (weight * np.logaddexp(0.0, -margin)).sum() + penalty * float(weights @ weights)
        slope = -signs * weight / (1.0 + np.exp(np.clip(margin, -50, 50)))
        down = np.append(rows.T @ slope.astype(np.float32), slope.sum())
        down[:-1] += 2 * penalty * weights
        return float(value), down.astype(np.float64)

    return lbfgs(loss, np.zeros(rows.shape[1] + 1), 80)[0].astype(np.float32)


def scaled_logistic(rows: Any, labels: Any, penalty: float, weight: Any = None) -> Any:
    """The same, the penalty by how far each column spreads."""
    spread = rows.std(0)
    spread[spread < 1e-6] = 1.0
    weights = logistic(rows / spread, labels, penalty, weight)
    return np.append(weights[:-1] / spread, weights[-1]).astype(np.float32)


def fit_weights(stack: Stack, penalty: float) -> tuple[Any, Any, float]:
    """Weights of the lines' features and of the new one's, and the loss."""
    count, slots, wide = stack.lines.shape
    rows = stack.lines.astype(np.float32).reshape(count * slots, wide)
    rows[~stack.exists.ravel()] = 0.0
    new = stack.new.astype(np.float32)
    spread = rows.std(0)
    spread[spread < 1e-6] = 1e9
    new_spread = np.where(new.std(0) < 1e-6, np.abs(new).mean(0) + 1e-6, new.std(0))
    rows /= spread
    new = new / new_spread

    def loss(at: Any) -> tuple[float, Any]:
        scores = (rows @ at[:wide].astype(np.float32)).reshape(count, slots)
        scores[:, -1] += new @ at[wide:].astype(np.float32)
        value, slope = softmax_loss(scores, stack)
        down = np.concatenate([rows.T @ slope.ravel(), new.T @ slope[:, -1]]) / count
        pull = penalty / count
        return value / count + pull * float(at @ at), down.astype(np.float64) + 2 * pull * at

    found, value = lbfgs(loss, np.zeros(wide + new.shape[1]), 80)
    lines = (found[:wide] / spread).astype(np.float32)
    return lines, (found[wide:] / new_spread).astype(np.float32), value


def softmax_loss(scores: Any, stack: Stack, rows: Any = slice(None)) -> tuple[float, Any]:
    """The weighed sum over examples, and its slope by score."""
    kept = np.where(stack.exists[rows], scores, -1e9)
    kept = np.exp(kept - kept.max(1, keepdims=True))
    chance = kept / kept.sum(1, keepdims=True)
    weight = stack.weight[rows]
    value = 0.0
    slope = np.zeros_like(chance)
    for share, right in (
        (1 - TOPIC_SHARE, stack.right[rows]),
        (TOPIC_SHARE, stack.right_topic[rows]),
    ):
        hit = chance * right
        total = np.maximum(hit.sum(1, keepdims=True), 1e-9)
        value -= share * float((weight * np.log(total[:, 0])).sum(dtype=np.float64))
        slope += share * (chance - hit / total)
    return value, (weight[:, None] * slope).astype(np.float32)


def fit_residual(
    stack: Stack,
    lines: Any,
    new: Any,
    *,
    hidden_units: int,
    epochs: int,
    penalty: float,
    dropped: float,
    seed: int,
) -> Residual:
    """One hidden layer on top of the weights, with units dropped out at random meanwhile."""
    dice = np.random.default_rng(seed)
    rows = stack.lines.astype(np.float32)
    flat = rows[stack.exists]
    line_mean, line_spread = flat.mean(0), np.maximum(flat.std(0), 1e-3)
    new_mean, new_spread = stack.new.mean(0), np.maximum(stack.new.std(0), 1e-3)
    base = rows @ lines
    base[:, -1] += stack.new @ new
    rows = np.clip((rows - line_mean) / line_spread, -MOST, MOST)
    rows[:, -1] = 0.0
    around = np.clip((stack.new - new_mean) / new_spread, -MOST, MOST)
    wide, whole = rows.shape[2], rows.shape[2] + around.shape[1]
    of_lines = (dice.normal(size=(wide, hidden_units)) / np.sqrt(whole)).astype(np.float32)
    of_new = (dice.normal(size=(whole - wide, hidden_units)) / np.sqrt(whole)).astype(np.float32)
    hidden, hidden_new = (np.zeros(hidden_units, np.float32) for _ in range(2))
    out = (dice.normal(size=hidden_units) * 0.1 / np.sqrt(hidden_units)).astype(np.float32)
    adam = Adam([of_lines, of_new, hidden_new, hidden, out], 2e-3)
    size = 128
    steps = epochs * (len(stack) // size)
    done = 0
    for _ in range(epochs):
        order = dice.permutation(len(stack))
        for begin in range(0, len(stack) - size + 1, size):
            some = order[begin : begin + size]
            x, g = rows[some], around[some]
            act = x @ of_lines + (g @ of_new + hidden)[:, None]
            act[:, -1] += hidden_new
            on = act > 0
            keep = ((dice.random(hidden_units) > dropped) / (1 - dropped)).astype(np.float32)
            act = act * on * keep
            _, slope = softmax_loss(act @ out + base[some], stack, some)
            slope /= size
            back = slope[..., None] * (out * keep) * on
            done += 1
            flat_x, flat_back = x.reshape(-1, wide), back.reshape(-1, hidden_units)
            adam.step(
                [
                    flat_x.T @ flat_back + penalty * of_lines,
                    g.T @ back.sum(1) + penalty * of_new,
                    back[:, -1].sum(0),
                    flat_back.sum(0),
                    act.reshape(-1, hidden_units).T @ slope.ravel() + penalty * out,
                ],
                min(1.0, done / 50) * (1 - 0.95 * done / steps),
            )
    return Residual(
        of_lines, of_new, hidden, hidden_new, out, line_mean, line_spread, new_mean, new_spread
    )


def averaged(nets: Sequence[Residual]) -> Residual:
    """The mean of several, as one: their units side by side. Nets of one stack only."""
    return replace(
        nets[0],
        of_lines=np.concatenate([net.of_lines for net in nets], 1),
        of_new=np.concatenate([net.of_new for net in nets], 1),
        hidden=np.concatenate([net.hidden for net in nets]),
        hidden_new=np.concatenate([net.hidden_new for net in nets]),
        out=np.concatenate([net.out for net in nets]) / len(nets),
    )

"""Fits the parts of a table: probes of the vectors, votes of pairs, weights, the second layer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bench.fit.optimise import Adam, lbfgs
from bench.fit.rolling import Spoken, Stack
from shared.threads.features import LINE_FEATURES, NEW_FEATURES
from shared.threads.pairs import PAIR_FEATURES, Probes
from shared.threads.tables import MOST, Residual

TOPIC_SHARE = 0.3
"""Of the loss: that the topic is right; the rest asks for the very line."""


def logistic(rows: Any, labels: Any, penalty: float, towards: Any = 0.0) -> Any:
    """Weights, the bias last; drawn to `towards`."""
    rows = np.asarray(rows, np.float32)
    signs = np.where(labels, 1.0, -1.0)

    def loss(at: Any) -> tuple[float, Any]:
        weights, bias = at[:-1], at[-1]
        margin = signs * (rows @ weights.astype(np.float32) + bias)
        pull = weights - towards
        value = np.logaddexp(0.0, -margin).mean() + penalty * float(pull @ pull)
        slope = -signs / (1.0 + np.exp(np.clip(margin, -50, 50))) / len(rows)
        down = np.append(rows.T @ slope.astype(np.float32), slope.sum())
        down[:-1] += 2 * penalty * pull
        return float(value), down.astype(np.float64)

    return lbfgs(loss, np.zeros(rows.shape[1] + 1), 80)[0].astype(np.float32)


def replying(rows: Any, penalty: float, towards: float) -> Any:
    """Weights under which every row is positive, drawn to the plain cosine."""
    rows = np.asarray(rows, np.float32)

    def loss(at: Any) -> tuple[float, Any]:
        margin = rows @ at.astype(np.float32)
        pull = at - towards
        value = np.logaddexp(0.0, -margin).mean() + penalty * float(pull @ pull)
        slope = -1.0 / (1.0 + np.exp(np.clip(margin, -50, 50))) / len(rows)
        return float(value), (rows.T @ slope.astype(np.float32) + 2 * penalty * pull).astype(float)

    return lbfgs(loss, np.full(rows.shape[1], towards), 60)[0].astype(np.float32)


def fit_probes(chats: Sequence[Spoken], opener_penalty: float, reply_penalty: float) -> Probes:
    dice = np.random.default_rng(0)
    texts, opens, pairs = [], [], []
    for chat in chats:
        for place, gold in enumerate(chat.follows):
            if gold is None:
                continue
            texts.append(chat.vectors[place])
            opens.append(not gold)
            if not gold or place < 4:
                continue
            wrong = [
                other
                for other in range(max(0, place - 20), place)
                if chat.topics[other] != chat.topics[place]
            ]
            if wrong:
                other = chat.vectors[wrong[int(dice.integers(len(wrong)))]]
                pairs.append(chat.vectors[place] * (chat.vectors[gold[0]] - other))
    opener = logistic(np.stack(texts), np.array(opens), opener_penalty)
    # Cosines are small numbers: scaled, so that one penalty suits every direction.
    reply = replying(np.stack(pairs) * 20.0, reply_penalty, 0.5) * 20.0
    return Probes(opener[:-1], np.float32(opener[-1]), reply)


def fit_votes(rows: Any, labels: Any) -> Any:
    """The log-odds that two lines are of one topic; weights of `PAIR_FEATURES`, the bias last."""
    spread = rows[:, :-1].std(0)
    spread[spread < 1e-6] = 1.0
    weights = logistic(rows[:, :-1] / spread, labels, 1e-6)
    assert len(weights) == len(PAIR_FEATURES) + 1
    return np.append(weights[:-1] / spread, weights[-1]).astype(np.float32)


def fit_weights(
    stack: Stack, penalty: float, without: frozenset[str] = frozenset()
) -> tuple[Any, Any, float]:
    """Weights of the lines' features and of the new one's, and the loss."""
    use_lines = np.array([name not in without for name in LINE_FEATURES])
    use_new = np.array([name not in without for name in NEW_FEATURES])
    count, slots, _ = stack.lines.shape
    rows = stack.lines[:, :, use_lines].astype(np.float32).reshape(count * slots, -1)
    exists = stack.exists
    rows[~exists.ravel()] = 0.0
    new = stack.new[:, use_new].astype(np.float32)
    spread = rows.std(0)
    spread[spread < 1e-6] = 1e9
    new_spread = np.where(new.std(0) < 1e-6, np.abs(new).mean(0) + 1e-6, new.std(0))
    rows /= spread
    new = new / new_spread
    wide = rows.shape[1]

    def loss(at: Any) -> tuple[float, Any]:
        scores = (rows @ at[:wide].astype(np.float32)).reshape(count, slots)
        scores[:, -1] += new @ at[wide:].astype(np.float32)
        value, slope = softmax_loss(scores, stack)
        down = np.concatenate([rows.T @ slope.ravel(), new.T @ slope[:, -1]]) / count
        pull = penalty / count
        return value / count + pull * float(at @ at), down.astype(np.float64) + 2 * pull * at

    found, value = lbfgs(loss, np.zeros(wide + new.shape[1]), 80)
    lines = np.zeros(len(LINE_FEATURES), np.float32)
    opening = np.zeros(len(NEW_FEATURES), np.float32)
    lines[use_lines] = found[:wide] / spread
    opening[use_new] = found[wide:] / new_spread
    return lines, opening, value


def softmax_loss(scores: Any, stack: Stack, rows: Any = slice(None)) -> tuple[float, Any]:
    """The sum over examples, and its slope by score."""
    kept = np.where(stack.exists[rows], scores, -1e9)
    kept = np.exp(kept - kept.max(1, keepdims=True))
    chance = kept / kept.sum(1, keepdims=True)
    value = 0.0
    slope = np.zeros_like(chance)
    for share, right in (
        (1 - TOPIC_SHARE, stack.right[rows]),
        (TOPIC_SHARE, stack.right_topic[rows]),
    ):
        hit = chance * right
        total = np.maximum(hit.sum(1, keepdims=True), 1e-9)
        value -= share * float(np.log(total).sum(dtype=np.float64))
        slope += share * (chance - hit / total)
    return value, slope.astype(np.float32)


def fit_residual(
    stack: Stack,
    lines: Any,
    new: Any,
    *,
    hidden_units: int = 48,
    epochs: int = 4,
    penalty: float = 3e-4,
    seed: int = 0,
    dropped: float = 0.2,
    without: frozenset[str] = frozenset(),
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
    rows[:, :, [name in without for name in LINE_FEATURES]] = 0.0
    around = np.clip((stack.new - new_mean) / new_spread, -MOST, MOST)
    around[:, [name in without for name in NEW_FEATURES]] = 0.0
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
            adam.step(
                [
                    np.tensordot(x, back, ([0, 1], [0, 1])) + penalty * of_lines,
                    g.T @ back.sum(1) + penalty * of_new,
                    back[:, -1].sum(0),
                    back.sum((0, 1)),
                    np.tensordot(act, slope, ([0, 1], [0, 1])) + penalty * out,
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
        of_lines=np.concatenate([one.of_lines for one in nets], 1),
        of_new=np.concatenate([one.of_new for one in nets], 1),
        hidden=np.concatenate([one.hidden for one in nets]),
        hidden_new=np.concatenate([one.hidden_new for one in nets]),
        out=np.concatenate([one.out for one in nets]) / len(nets),
    )

"""Learns from a group's native replies how much the parts of the score count there.

A native reply says for certain which line a message follows. So each is weighed as if it were none,
and the scales are those under which the replied lines are likeliest; they are taken only if later
replies, which were kept back, become likelier too, by more than chance would give.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shared.domain.attribution.order import answered_by, said_at
from shared.domain.attribution.scaling import OPENS, PARTS, parted
from shared.domain.attribution.tables import Tables
from shared.domain.attribution.talk import Talk
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack_half

LEAST_REPLIES = 60
"""Fewer say too little: a third of them is kept back, and twenty cases are a coin's luck."""
KEPT_BACK = 1 / 3
"""The latest: what is learnt must hold for what comes after."""
PENALTY = 4.0
"""Draws the scales to none, as strongly as some tens of replies pull away."""
MOST = 0.8
"""A scale's size: no part is ever switched off or doubled on the word of one group."""
SURE = 2.0
"""Standard errors that the gain must lie above zero: luck alone gets there once in forty times."""
STEPS = 25


@dataclass(frozen=True)
class Reply:
    """`parts` is a row for each line it may follow, `rest` what else makes its score; `right` is
    the line it does follow."""

    parts: Any
    rest: Any
    right: int


@dataclass(frozen=True)
class Tuning:
    """`before` and `after` are how likely the replied lines were on average (the mean logarithm)
    among the replies that were kept back. `scales` are to be taken only if `is_better`."""

    replies: int
    kept_back: int = 0
    before: float = 0.0
    after: float = 0.0
    is_better: bool = False
    scales: Mapping[str, float] = field(default_factory=dict)


def replies_of(
    messages: Sequence[StoredMessage], model: str, tables: Tables | None = None
) -> list[Reply]:
    """Of attributed messages, as each was seen when it was said."""
    said = sorted((one for one in messages if one.topic_id), key=said_at)
    vectors = {
        one.message_id: unpack_half(one.vector)
        for one in said
        if one.vector and one.vector_model == model
    }
    talk = Talk(model, max(map(len, vectors.values()), default=0), tables)
    found = []
    for one in said:
        vector = vectors.get(one.message_id)
        answered = answered_by(one)
        place = talk.place(answered) if answered else -1
        if place >= 0:
            weighed = talk.weigh(one, vector)
            sight, table = weighed.sight, talk.table(weighed.place)
            scores = table.scores(sight.lines, sight.new)[:-1]
            right = place - sight.start
            if 0 <= right < len(scores) and np.isfinite(scores[right]) and len(scores) > 1:
                parts = parted(table, sight.lines)
                kept = np.isfinite(scores)
                rest = scores[kept] - parts[kept].sum(1)
                found.append(Reply(parts[kept], rest, int(kept[:right].sum())))
        talk.hear(one, vector, str(one.topic_id), one.continues)
    return found


def tuned(replies: Sequence[Reply]) -> Tuning:
    """`replies` in the order they were said."""
    if len(replies) < LEAST_REPLIES:
        return Tuning(len(replies))
    first = round(len(replies) * (1 - KEPT_BACK))
    learnt, later = replies[:first], replies[first:]
    scales = _fitted(learnt)
    before = np.array([_likely(one, np.zeros(len(PARTS))) for one in later])
    after = np.array([_likely(one, scales) for one in later])
    gain = after - before
    error = float(gain.std(ddof=1)) / len(gain) ** 0.5
    shift = np.mean([_total(one, scales) - _total(one, np.zeros(len(PARTS))) for one in learnt])
    return Tuning(
        replies=len(replies),
        kept_back=len(later),
        before=round(float(before.mean()), 4),
        after=round(float(after.mean()), 4),
        is_better=bool(gain.mean() > SURE * error),
        scales={
            **{name: round(float(one), 4) for name, one in zip(PARTS, scales, strict=True)},
            OPENS: round(float(shift), 4),
        },
    )


def _fitted(replies: Sequence[Reply]) -> Any:
    """Newton's steps on a convex loss, each scale within its bounds."""
    scales = np.zeros(len(PARTS))
    for _ in range(STEPS):
        slope, bend = 2 * PENALTY * scales, 2 * PENALTY * np.eye(len(PARTS))
        for one in replies:
            chances = np.exp(_logs(one, scales))
            mean = chances @ one.parts
            slope = slope + mean - one.parts[one.right]
            apart = one.parts - mean
            bend = bend + (apart * chances[:, None]).T @ apart
        scales = np.clip(scales - np.linalg.solve(bend, slope), -MOST, MOST)
    return scales


def _scores(one: Reply, scales: Any) -> Any:
    return one.rest + one.parts @ (1.0 + scales)


def _logs(one: Reply, scales: Any) -> Any:
    return _scores(one, scales) - _total(one, scales)


def _total(one: Reply, scales: Any) -> float:
    scores = _scores(one, scales)
    return float(scores.max() + np.log(np.exp(scores - scores.max()).sum()))


def _likely(one: Reply, scales: Any) -> float:
    return float(_logs(one, scales)[one.right])

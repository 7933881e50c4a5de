"""Fits the learned selector of a context: `python -m bench.fit.context --data DIR`.

How likely is an earlier line of the conversation that a message goes on with? A logistic of what
`follow()` says of it and of where it stands, on public IRC with hand-made conversations (the train
file alone). Prints the numbers that stand in `shared/domain/context/learned_scorer.py`.
"""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.quality.irc import MODEL, Case, Vectors, cases, rooms
from shared.domain.attribution.lines import follow
from shared.domain.context.learned_scorer import FEATURES, Near
from shared.domain.context.relevance import asked_of
from shared.domain.similarity.vectors import unpack_half

PENALTY = 1e-3
STEPS = 30


def examples(case: Case) -> tuple[list[list[float]], list[bool]]:
    """One a line before the message, and whether it is of its conversation."""
    vector = unpack_half(case.asked.vector)
    near = Near(follow(case.asked, vector, case.before, model=MODEL), case.before)
    asked = asked_of(case.asked)
    rows = [near.features(asked, one) for one in case.before]
    return rows, [one.message_id in case.gold for one in case.before]


def fitted(rows: Any, labels: Any, penalty: float = PENALTY) -> Any:
    """Newton's method on the logistic loss, with a small penalty; the constant is the last."""
    table = np.hstack([rows, np.ones((len(rows), 1))])
    weights = np.zeros(table.shape[1])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-table @ weights))
        gradient = table.T @ (chances - labels) / len(table) + penalty * weights
        curvature = (table * (chances * (1 - chances))[:, None]).T @ table / len(table)
        step = np.linalg.solve(curvature + penalty * np.eye(len(weights)), gradient)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def main(argv: Sequence[str] | None = None) -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--rooms", type=int, default=8, help="chats of the train file")
    arguments.add_argument("--every", type=int, default=3, help="each so many-th message")
    wanted = arguments.parse_args(argv)
    chosen = list(rooms(wanted.data / "irc_train.jsonl.gz"))
    random.Random(7).shuffle(chosen)
    rows: list[list[float]] = []
    labels: list[bool] = []
    vectors = Vectors()
    for room in chosen[: wanted.rooms]:
        for case in cases(room, vectors, wanted.every):
            more, right = examples(case)
            rows += more
            labels += right
    vectors.close()
    weights = fitted(np.asarray(rows), np.asarray(labels, float))
    print(f"{len(labels)} pairs, {100 * np.mean(labels):.1f} % of the conversation")
    for name, weight in zip([*FEATURES, "constant"], weights, strict=True):
        print(f'    "{name}": {weight:.3f},')
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

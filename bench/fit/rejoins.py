"""Fits what tells that a topic is an earlier one taken up again.

A fitted table is rolled over labelled chats as it would decide; every ten lines each small topic is
laid beside each earlier one, and the labels say whether both are mostly of one matter.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench.fit.fitting import scaled_logistic
from bench.fit.rolling import Spoken
from shared.threads.pairs import pairs_of
from shared.threads.rejoining import FEATURES, far_apart, rejoinable
from shared.threads.second_look import BACK, EVERY, SMALL, WAIT
from shared.threads.talk import Talk
from shared.threads.window import SEEN


@dataclass
class Beside:
    """Topics beside earlier ones, and whether both are of one matter."""

    rows: list[Any] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)

    def look(self, chat: Spoken, talk: Talk) -> None:
        window, end = talk.window, len(talk.window)
        by_topic: dict[int, list[int]] = {}
        for place, number in enumerate(window.topic[:end].tolist()):
            by_topic.setdefault(number, []).append(place)
        for lines in by_topic.values():
            place = lines[0]
            is_late = max(1, end - BACK - EVERY) <= place < end - WAIT
            if not is_late or len(lines) > SMALL or window.parent[place] >= 0:
                continue
            weighed = talk.weigh_again(place)
            pairs = pairs_of(window, weighed.line, weighed.vector, place, talk.table(place).votes)
            start = max(0, end - BACK - SEEN)
            opens = float(weighed.chances[-1])
            found = rejoinable(window, start, lines, pairs, weighed.masses(), opens, talk.names)
            if found is None:
                continue
            own = _matter(chat, lines)
            for number, row in zip(found.topics, found.rows, strict=True):
                self.rows.append(row)
                self.labels.append(own == _matter(chat, by_topic[number]))


def fit_rejoins(parts: Sequence[tuple[Beside, float]], penalty: float) -> Any:
    """Weights of `FEATURES`: a row for topics of one burst, one for those a pause lies between.
    Each part weighs as much as is said."""
    rows = np.concatenate([np.stack(beside.rows) for beside, _ in parts])
    labels = np.concatenate([beside.labels for beside, _ in parts]).astype(bool)
    weight = np.concatenate([np.full(len(part.rows), by / len(part.rows)) for part, by in parts])
    is_far = far_apart(rows)
    found = np.zeros((2, len(FEATURES)), np.float32)
    for row, part in enumerate((~is_far, is_far)):
        fitted = scaled_logistic(rows[part], labels[part], penalty, weight[part])
        found[row] = fitted[:-1]
        found[row, FEATURES.index("bias")] += fitted[-1]
    return found


def _matter(chat: Spoken, lines: Sequence[int]) -> str | None:
    return Counter(chat.topics[place] for place in lines).most_common(1)[0][0]

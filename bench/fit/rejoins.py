"""Fits what tells that a topic is an earlier one taken up again.

A fitted table is rolled over labelled chats as it would decide; every ten lines each small topic is
laid beside each earlier one, and the labels say whether both are mostly of one matter.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bench.fit.fitting import logistic
from bench.fit.rolling import Spoken, decided, roll_on
from shared.threads.features import Seeing
from shared.threads.rejoining import FEATURES, far_apart, rejoinable
from shared.threads.second_look import BACK, EVERY, SMALL, WAIT
from shared.threads.tables import Table, Tables
from shared.threads.talk import Talk
from shared.threads.window import SEEN, Window

PENALTY = 1e-5


def fit_rejoins(
    chats: Sequence[Spoken],
    seeings: Sequence[Seeing],
    table: Table,
    penalty: float = PENALTY,
    towards: Any = None,
    without: frozenset[str] = frozenset(),
) -> Any:
    """Weights of `FEATURES`: a row for topics of one burst, one for those a pause lies between;
    `towards` are such weights that these are drawn to, those of features `without` are 0."""
    seen = Seen()
    for chat, seeing in zip(chats, seeings, strict=True):
        collect(chat, seeing, table, seen)
    return seen.fitted(penalty, towards, without)


@dataclass
class Seen:
    """Topics beside earlier ones, and whether both are of one matter."""

    rows: list[Any] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)

    def fitted(
        self, penalty: float, towards: Any = None, without: frozenset[str] = frozenset()
    ) -> Any:
        whole, is_one = np.stack(self.rows), np.array(self.labels)
        is_far = far_apart(whole)
        rest = np.zeros((2, len(FEATURES))) if towards is None else towards
        used = np.array([name not in without for name in FEATURES])
        found = np.zeros((2, len(FEATURES)), np.float32)
        for row, (part, one) in enumerate(zip((~is_far, is_far), rest, strict=True)):
            fitted, bias = _fitted(whole[part][:, used], is_one[part], penalty, one[used])
            found[row, used] = fitted
            found[row, FEATURES.index("bias")] += bias
        return found


def _fitted(rows: Any, labels: Any, penalty: float, towards: Any) -> tuple[Any, Any]:
    spread = rows.std(0)
    spread[spread < 1e-6] = 1.0
    weights = logistic(rows / spread, labels, penalty, towards * spread)
    return (weights[:-1] / spread).astype(np.float32), weights[-1]


def collect_on(chat: Spoken, tables: Tables, seen: Seen) -> None:
    """What the product's own second looks see."""

    def look(talk: Talk) -> None:
        window = talk.window
        by_topic: dict[int, list[int]] = {}
        for place, number in enumerate(window.column("topic", 0, len(window))):
            by_topic.setdefault(int(window.topic_ids[number]), []).append(place)
        opened = {
            one: lines
            for one, lines in by_topic.items()
            if window.column("parent", lines[0], lines[0] + 1)[0] < 0
        }
        for lines in opened.values():
            table = talk.table(lines[0])
            seeing = talk.seeing(lines[0])
            _look(chat, seeing, table, window, by_topic, [lines], seen)

    roll_on(chat, tables, on_look=look)


def collect(chat: Spoken, seeing: Seeing, table: Table, seen: Seen) -> None:
    window = Window(chat.vectors.shape[1])
    by_topic: dict[int, list[int]] = {}
    topics: list[int] = []
    for place, (line, vector) in enumerate(zip(chat.lines, chat.vectors, strict=True)):
        sight = seeing.see(window, line, vector, place)
        link, _ = decided(sight, table.scores(sight.lines, sight.new))
        native = chat.natives[place]
        if native is not None and native < place:
            link = native
        topic = topics[link] if link >= 0 else place
        window.add(line, place, str(topic), link, vector, sight.cosines)
        topics.append(topic)
        by_topic.setdefault(topic, []).append(place)
        if (place + 1) % EVERY == 0:
            _look(chat, seeing, table, window, by_topic, by_topic.values(), seen)


def _look(
    chat: Spoken,
    seeing: Seeing,
    table: Table,
    window: Window,
    by_topic: Mapping[int, Sequence[int]],
    small: Iterable[Sequence[int]],
    seen: Seen,
) -> None:
    end = len(window)
    for lines in small:
        place = lines[0]
        if not max(1, end - BACK - EVERY) <= place < end - WAIT or len(lines) > SMALL:
            continue
        line, vector = window.lines[place], window.column("vector", place, place + 1)[0]
        sight = seeing.see(window, line, vector, place)
        scores = table.scores(sight.lines, sight.new)
        weights = np.exp(scores - scores.max())
        weights /= weights.sum()
        sums = np.bincount(sight.topics, weights=weights[:-1])
        masses = {int(one): float(mass) for one, mass in zip(sight.numbers, sums, strict=True)}
        start = max(0, end - BACK - SEEN)
        pairs = seeing.pairs(window, line, vector, place)
        found = rejoinable(window, start, lines, pairs, masses, float(weights[-1]), chat.names)
        if found is None:
            continue
        own = _matter(chat, lines)
        for number, row in zip(found.topics, found.rows, strict=True):
            seen.rows.append(row)
            seen.labels.append(own == _matter(chat, by_topic[int(window.topic_ids[number])]))


def _matter(chat: Spoken, lines: Sequence[int]) -> str | None:
    return Counter(chat.topics[one] for one in lines).most_common(1)[0][0]

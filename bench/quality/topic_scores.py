"""How well predicted conversations match labelled ones: link F, exact-match F and 1-1."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Link = tuple[str, str]
"""A message and the one it follows; who opens a conversation follows itself."""


@dataclass(frozen=True)
class Scores:
    """In percent."""

    link: float
    exact: float
    one_to_one: float

    @property
    def values(self) -> tuple[float, float, float]:
        return self.link, self.exact, self.one_to_one

    def row(self, name: str) -> str:
        return f"{name:<38} {self.link:6.1f} {self.exact:8.1f} {self.one_to_one:6.1f}"


@dataclass
class Tally:
    """Counts over several chats; ids are only compared within one."""

    links: int = 0
    predicted_links: int = 0
    right_links: int = 0
    talks: int = 0
    predicted_talks: int = 0
    right_talks: int = 0
    messages: int = 0
    overlap: float = 0.0

    def add(
        self,
        scored: Sequence[str],
        gold_links: Iterable[Link],
        predicted_links: Iterable[Link],
        gold_talks: Mapping[str, Hashable],
        predicted_talks: Mapping[str, Hashable],
    ) -> None:
        gold, predicted = set(gold_links), set(predicted_links)
        self.links += len(gold)
        self.predicted_links += len(predicted)
        self.right_links += len(gold & predicted)
        ours, theirs = _talks(scored, predicted_talks), _talks(scored, gold_talks)
        many_ours = {talk for talk in ours if len(talk) > 1}
        many_theirs = {talk for talk in theirs if len(talk) > 1}
        self.talks += len(many_theirs)
        self.predicted_talks += len(many_ours)
        self.right_talks += len(many_ours & many_theirs)
        self.messages += len(scored)
        self.overlap += best_assignment([[len(one & other) for other in ours] for one in theirs])

    def scores(self) -> Scores:
        return Scores(
            link=_f(self.right_links, self.predicted_links, self.links),
            exact=_f(self.right_talks, self.predicted_talks, self.talks),
            one_to_one=100 * self.overlap / self.messages if self.messages else 0.0,
        )


def connected(messages: Iterable[str], links: Iterable[Link]) -> dict[str, str]:
    """The conversation of each message: all that links connect."""
    parents: dict[str, str] = {}

    def root(message: str) -> str:
        while parents.setdefault(message, message) != message:
            message = parents[message]
        return message

    for message, antecedent in links:
        parents[root(message)] = root(antecedent)
    return {message: root(message) for message in messages}


def best_assignment(gains: Sequence[Sequence[float]]) -> float:
    """The largest sum when each row takes at most one column: the Hungarian method."""
    table: Any = np.asarray(gains, dtype=float)
    if table.size == 0:
        return 0.0
    if table.shape[0] > table.shape[1]:
        table = table.T
    rows, columns = table.shape
    of_row, of_column = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, dtype=int)
    for row in range(1, rows + 1):
        owner[0], column = row, 0
        slack = np.full(columns + 1, np.inf)
        came_from = np.zeros(columns + 1, dtype=int)
        used = np.zeros(columns + 1, dtype=bool)
        while True:
            used[column] = True
            reduced = -table[owner[column] - 1] - of_row[owner[column]] - of_column[1:]
            nearer = ~used[1:] & (reduced < slack[1:])
            slack[1:][nearer] = reduced[nearer]
            came_from[1:][nearer] = column
            column = int(np.argmin(np.where(used, np.inf, slack)))
            step = slack[column]
            of_row[owner[used]] += step
            of_column[used] -= step
            slack[~used] -= step
            if owner[column] == 0:
                break
        while column:
            owner[column] = owner[came_from[column]]
            column = came_from[column]
    return float(
        sum(
            table[owner[column] - 1, column - 1]
            for column in range(1, columns + 1)
            if owner[column]
        )
    )


def _talks(scored: Sequence[str], talk_of: Mapping[str, Hashable]) -> list[frozenset[str]]:
    found: defaultdict[Hashable, set[str]] = defaultdict(set)
    for message in scored:
        found[talk_of[message]].add(message)
    return [frozenset(talk) for talk in found.values()]


def _f(right: int, predicted: int, gold: int) -> float:
    return 200 * right / (predicted + gold) if predicted + gold else 0.0

"""The last lines of a chat as arrays: who spoke when, to whom, in which topic, how alike they are.

A line is scored from these alone, so a window that is read again after a restart scores the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shared.threads.lines import ThreadLine

Floats: TypeAlias = NDArray[np.floating[Any]]
Integers: TypeAlias = NDArray[np.integer[Any]]

SEEN = 100
"""Lines before a message that it may follow: of public chats one link in 200 reaches further."""
NOBODY = -1
"""In the place of the line that is followed, which is a place from 0 on."""
ENOUGH_PAIRS = 100
"""From so many pairs of lines on, how alike lines usually are is known; with fewer it is trusted in
proportion."""
LEAST_ALIKE, MOST_ALIKE = -3.0, 5.0
"""Standard deviations: a text that is quoted whole is beyond any."""


@dataclass(frozen=True)
class Likeness:
    """How alike lines are, in standard deviations above the mean of all pairs in sight.

    Cosines of two embedding models do not compare, and these do. `kernel` has a row and a column
    for each line (0 for one without a vector); its diagonal is how alike a line is to itself.
    """

    kernel: Floats
    mean: float
    deviation: float
    trust: float

    @property
    def itself(self) -> float:
        return max(1.0, (1.0 - self.mean) / self.deviation)

    def standard(self, cosines: Floats, known: Floats) -> Floats:
        """Of a line with each of those in sight, not yet clipped and trusted."""
        return known * (cosines - self.mean) / self.deviation

    def told(self, standard: Floats) -> Floats:
        return self.trust * np.clip(standard, LEAST_ALIKE, MOST_ALIKE)

    def with_groups(self, standard: Floats, chosen: Floats, known: Floats) -> Floats:
        """Of a line with groups of lines, a column of `chosen` each: as a pair of lines would be
        alike that are as near as the line is to the middle of the group."""
        count = known @ chosen
        dots = standard @ chosen
        length = ((self.kernel @ chosen) * chosen).sum(0)
        length = np.maximum(length, np.maximum(0.25 * count, 1e-3) * self.itself)
        return self.told(dots * np.sqrt(self.itself / length))


class Window:
    """Lines in the order they were said, each with its topic and the line it follows.

    Topics are numbered as they come; a line's place may shift when one is inserted before it.
    """

    at: Floats
    speaker: Integers
    asks: Floats
    reacts: Floats
    words: Floats
    addresses: Floats
    topic: Integers
    parent: Integers
    known: Floats
    """1 where there is a vector."""
    vector: Floats
    cosine: Floats
    """Of all lines with each other."""

    def __init__(self) -> None:
        self.lines: list[ThreadLine] = []
        self.topic_ids: list[str] = []
        self._topics: dict[str, int] = {}
        self._people: dict[str, int] = {}
        self._size = 0
        self._make_room(256)

    def _make_room(self, size: int) -> None:
        kept = self._size
        fresh: dict[str, NDArray[Any]] = {
            "at": np.zeros(size),
            "speaker": np.zeros(size, np.int64),
            "asks": np.zeros(size),
            "reacts": np.zeros(size),
            "words": np.zeros(size),
            "addresses": np.zeros(size),
            "topic": np.zeros(size, np.int64),
            "parent": np.full(size, NOBODY, np.int64),
            "known": np.zeros(size),
            "vector": np.zeros((size, self.vector.shape[1] if kept else 0), np.float32),
            "cosine": np.zeros((size, size), np.float32),
        }
        for name, array in fresh.items():
            if kept and name == "cosine":
                array[:kept, :kept] = self.cosine[:kept, :kept]
            elif kept:
                array[:kept] = getattr(self, name)[:kept]
            setattr(self, name, array)
        self._columns = tuple(fresh)

    def __len__(self) -> int:
        return self._size

    def likeness(self, start: int, end: int) -> Likeness:
        """Of the lines from `start` with each other."""
        known = self.known[start:end]
        cosine = self.cosine[start:end, start:end]
        count = float(known.sum())
        pairs = count * (count - 1)
        if pairs < 2:
            return Likeness(np.zeros_like(cosine), 0.0, 1.0, 0.0)
        mean = (float(cosine.sum()) - count) / pairs
        square = (float((cosine * cosine).sum()) - count) / pairs
        deviation = max(1e-6, square - mean * mean) ** 0.5
        both = known[:, None] * known[None, :]
        return Likeness(
            both * (cosine - mean) / deviation, mean, deviation, min(1.0, pairs / 2 / ENOUGH_PAIRS)
        )

    def person(self, user_id: str) -> int:
        return self._people.setdefault(user_id, len(self._people))

    def people(self, user_ids: frozenset[str]) -> list[int]:
        """Those of them who are known."""
        return [self._people[user_id] for user_id in user_ids if user_id in self._people]

    def topic_number(self, topic_id: str) -> int:
        if topic_id not in self._topics:
            self._topics[topic_id] = len(self.topic_ids)
            self.topic_ids.append(topic_id)
        return self._topics[topic_id]

    def unit(self, vector: Sequence[float] | None) -> Floats:
        """Of length one; all zero (like nothing) where there is none, or one of another length than
        the first."""
        if vector is not None and len(vector) and not self.vector.shape[1]:
            self.vector = np.zeros((len(self.at), len(vector)), np.float32)
        if vector is None or len(vector) != self.vector.shape[1]:
            return np.zeros(self.vector.shape[1], np.float32)
        row = np.asarray(vector, dtype=np.float32)
        return row / np.float32(max(1e-6, float(np.linalg.norm(row))))

    def place_of(self, line: ThreadLine) -> int:
        """After everything said no later."""
        return int(np.searchsorted(self.at[: self._size], line.at, side="right"))

    def add(self, line: ThreadLine, place: int, topic_id: str, parent: int, vector: Floats) -> None:
        """`parent` is the place of the line it follows, or NOBODY; `vector` is from `unit`."""
        if self._size == len(self.at):
            self._make_room(2 * self._size)
        if place < self._size:
            self._shift(place)
            parent += parent >= place
        self._size += 1
        self.lines.insert(place, line)
        self.at[place] = line.at
        self.speaker[place] = self.person(line.speaker)
        self.asks[place] = line.kind == "question"
        self.reacts[place] = line.kind == "casual"
        self.words[place] = len(line.terms)
        self.addresses[place] = bool(line.to)
        self.topic[place] = self.topic_number(topic_id)
        self.parent[place] = parent
        self.known[place] = vector.any()
        if len(vector) != self.vector.shape[1]:  # made before the first vector there was
            vector = np.zeros(self.vector.shape[1], np.float32)
        self.vector[place] = vector
        start, end = max(0, place - 2 * SEEN), min(self._size, place + 2 * SEEN)
        cosine = self.vector[start:end] @ vector
        self.cosine[place, start:end] = cosine
        self.cosine[start:end, place] = cosine

    def move(self, place: int, topic_id: str, parent: int) -> None:
        self.topic[place] = self.topic_number(topic_id)
        self.parent[place] = parent

    def _shift(self, place: int) -> None:
        """Makes a gap: a line came late."""
        size = self._size
        for name in self._columns:
            array = getattr(self, name)
            array[place + 1 : size + 1] = array[place:size].copy()
        self.cosine[:, place + 1 : size + 1] = self.cosine[:, place:size].copy()
        parents = self.parent[: size + 1]
        parents[parents >= place] += 1

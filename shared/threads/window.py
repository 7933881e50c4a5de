"""The last lines of a chat as arrays: who spoke when, to whom, in which topic, how alike they are.

A line is scored from these alone, so a window that is read again after a restart scores the same.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shared.threads.lines import Line

SEEN = 100
"""Lines before a message that it may follow: of public chats one link in 200 reaches further."""
NOBODY = -1
"""In the place of the line that is followed, which is a place from 0 on."""


class Window:
    """Lines in the order they were said, each with its topic and the line it follows.

    Topics are numbered as they come; a line's place may shift when one is inserted before it.
    """

    def __init__(self, dimensions: int = 0) -> None:
        self.lines: list[Line] = []
        self.topic_ids: list[str] = []
        self._topics: dict[str, int] = {}
        self._people: dict[str, int] = {}
        self._size = 0
        self._dimensions = dimensions
        self._arrays: dict[str, Any] = {}
        self._make_room(256)

    def _make_room(self, size: int) -> None:
        old, kept = self._arrays, self._size
        self._arrays = {
            "at": np.zeros(size),
            "speaker": np.zeros(size, np.int64),
            "asks": np.zeros(size),
            "reacts": np.zeros(size),
            "words": np.zeros(size),
            "addresses": np.zeros(size),
            "topic": np.zeros(size, np.int64),
            "parent": np.full(size, NOBODY, np.int64),
            "vector": np.zeros((size, self._dimensions), np.float32),
            "alike": np.zeros((size, size), np.float32),
        }
        for name, array in old.items():
            if name == "alike":
                self._arrays[name][:kept, :kept] = array[:kept, :kept]
            else:
                self._arrays[name][:kept] = array[:kept]

    def __len__(self) -> int:
        return self._size

    def column(self, name: str, start: int, end: int) -> Any:
        return self._arrays[name][start:end]

    def alike(self, start: int, end: int) -> Any:
        """Cosines of the lines from `start` with each other."""
        return self._arrays["alike"][start:end, start:end]

    def person(self, user_id: str) -> int:
        return self._people.setdefault(user_id, len(self._people))

    def people(self, user_ids: frozenset[str]) -> list[int]:
        """Those of them who are known."""
        return [self._people[one] for one in user_ids if one in self._people]

    def topic(self, topic_id: str) -> int:
        if topic_id not in self._topics:
            self._topics[topic_id] = len(self.topic_ids)
            self.topic_ids.append(topic_id)
        return self._topics[topic_id]

    def unit(self, vector: Sequence[float] | None) -> Any:
        """Of length one; all zero (like nothing) where there is no vector of this length."""
        if vector is None or len(vector) != self._dimensions:
            return np.zeros(self._dimensions, np.float32)
        row = np.asarray(vector, dtype=np.float32)
        return row / max(1e-6, float(np.linalg.norm(row)))

    def place_of(self, line: Line) -> int:
        """After everything said no later."""
        ats = self._arrays["at"]
        return int(np.searchsorted(ats[: self._size], line.at, side="right"))

    def add(
        self, line: Line, place: int, topic_id: str, parent: int, vector: Any, cosines: Any = None
    ) -> None:
        """`parent` is the place of the line it follows, or NOBODY; `vector` is of length one."""
        if self._size == len(self._arrays["at"]):
            self._make_room(2 * self._size)
        if place < self._size:
            self._shift(place)
            parent += parent >= place
            cosines = None
        arrays, size = self._arrays, self._size
        self.lines.insert(place, line)
        arrays["at"][place] = line.at
        arrays["speaker"][place] = self.person(line.speaker)
        arrays["asks"][place] = line.kind == "question"
        arrays["reacts"][place] = line.kind == "casual"
        arrays["words"][place] = len(line.terms)
        arrays["addresses"][place] = bool(line.to)
        arrays["topic"][place] = self.topic(topic_id)
        arrays["parent"][place] = parent
        arrays["vector"][place] = vector
        self._size = size + 1
        start = max(0, place - SEEN) if cosines is not None else 0
        if cosines is None:
            cosines = arrays["vector"][: self._size] @ vector
        arrays["alike"][place, start : start + len(cosines)] = cosines
        arrays["alike"][start : start + len(cosines), place] = cosines
        arrays["alike"][place, place] = 1.0 if self._dimensions else 0.0

    def move(self, place: int, topic_id: str, parent: int) -> None:
        self._arrays["topic"][place] = self.topic(topic_id)
        self._arrays["parent"][place] = parent

    def _shift(self, place: int) -> None:
        """Makes a gap: a line came late."""
        size = self._size
        for name, array in self._arrays.items():
            array[place + 1 : size + 1] = array[place:size].copy()
            if name == "alike":
                array[:, place + 1 : size + 1] = array[:, place:size].copy()
        parents = self._arrays["parent"][: size + 1]
        parents[parents >= place] += 1

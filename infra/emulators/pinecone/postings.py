"""An inverted index in memory: for each sparse dimension, the slots that have it.

Postings stand in sorted segments. What was written since the last query becomes a segment of its
own, and neighbours of about the same size are merged, so that there are few of them and each
posting is moved only a few times. A query adds up the lists of its dimensions: the scores are
exact, and the work follows the length of those lists, not the number of records.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .columns import Mask
from .floats import Floats
from .sparse import Indices, Sparse, unpacked

Slots = NDArray[np.int32]

_MANY_DEAD = 4_096
"""Below this the postings of dead slots are not worth a pass over all the others."""


@dataclass(frozen=True)
class Segment:
    """Postings sorted by dimension: those of `dimensions[n]` are `starts[n]` to `starts[n + 1]`."""

    dimensions: Indices
    starts: NDArray[np.int64]
    slots: Slots
    values: Floats

    def __len__(self) -> int:
        return len(self.slots)


class Postings:
    """A slot that died keeps its postings until `compact`, and must not be used again before."""

    def __init__(self, stored: Iterable[tuple[int, bytes]]) -> None:
        self._segments: list[Segment] = []
        self._fresh: list[tuple[int, Sparse]] = []
        self._dead: list[int] = []
        for slot, packed in stored:
            self._fresh.append((slot, unpacked(packed)))
        self._live = len(self._fresh)
        self._many_dead = _MANY_DEAD

    def put(self, slot: int, vector: Sparse) -> None:
        self._fresh.append((slot, vector))
        self._live += 1

    def drop(self, slots: Iterable[int]) -> list[int]:
        """These slots died; answers with those that are free from now on, if any."""
        self._dead.extend(slots)
        if len(self._dead) < max(self._many_dead, self._live // 2):
            return []
        return self._compact()

    def products(self, query: Sparse, size: int) -> tuple[NDArray[np.float64], Mask]:
        """The dot product of each of `size` slots with the query, and which have any dimension of
        it at all."""
        self._settle()
        scores = np.zeros(size)
        touched = np.zeros(size, dtype=bool)
        weights = query.values.astype(np.float64)
        for segment in self._segments:
            places = np.searchsorted(segment.dimensions, query.indices)
            for n, place in enumerate(places.tolist()):
                if (
                    place < len(segment.dimensions)
                    and segment.dimensions[place] == query.indices[n]
                ):
                    part = slice(segment.starts[place], segment.starts[place + 1])
                    slots = segment.slots[part]  # no slot twice: a vector has a dimension once
                    scores[slots] += weights[n] * segment.values[part]
                    touched[slots] = True
        return scores, touched

    def _settle(self) -> None:
        """Make a segment of what is fresh, and merge as long as the last two are alike in size."""
        if self._fresh:
            self._segments.append(_segment_of(self._fresh))
            self._fresh = []
        while len(self._segments) > 1 and 2 * len(self._segments[-1]) > len(self._segments[-2]):
            last, before = self._segments.pop(), self._segments.pop()
            self._segments.append(_merged([before, last], None))

    def _compact(self) -> list[int]:
        """Without the postings of dead slots."""
        self._settle()
        dead = np.array(sorted(self._dead), dtype=np.int32)
        self._segments = [_merged(self._segments, dead)] if self._segments else []
        freed, self._dead = self._dead, []
        self._live -= len(freed)
        return freed


def _segment_of(fresh: list[tuple[int, Sparse]]) -> Segment:
    dimensions = np.concatenate([vector.indices for _, vector in fresh])
    lengths = [len(vector.indices) for _, vector in fresh]
    slots = np.repeat(np.array([slot for slot, _ in fresh], dtype=np.int32), lengths)
    return _sorted(dimensions, slots, np.concatenate([vector.values for _, vector in fresh]))


def _merged(segments: list[Segment], without: Slots | None) -> Segment:
    dimensions = np.concatenate(
        [np.repeat(each.dimensions, np.diff(each.starts)) for each in segments]
    )
    slots = np.concatenate([each.slots for each in segments])
    values = np.concatenate([each.values for each in segments])
    if without is not None:
        kept = ~np.isin(slots, without)
        dimensions, slots, values = dimensions[kept], slots[kept], values[kept]
    return _sorted(dimensions, slots, values)


def _sorted(dimensions: Indices, slots: Slots, values: Floats) -> Segment:
    order = np.argsort(dimensions, kind="stable")  # runs that are sorted already are merged
    dimensions = dimensions[order]
    begins = np.flatnonzero(np.diff(dimensions, prepend=dimensions[:1]))
    begins = np.concatenate([[0], begins]) if len(dimensions) else begins
    return Segment(
        dimensions[begins], np.append(begins, len(dimensions)), slots[order], values[order]
    )

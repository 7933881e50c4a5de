"""What topics look like from a new line: how long each is, who speaks in it, how it ended."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shared.threads.pairs import Pairs
from shared.threads.window import NOBODY, Floats, Integers, Window

LATELY = 12
"""A topic is going on if one of so many last lines is of it."""


@dataclass(frozen=True)
class TopicState:
    """The topics that the lines before are of, one value each in the order of `numbers`. `of_line`
    counts them from 0, so that `size[of_line]` is the size of each line's topic."""

    numbers: Integers
    """In the window."""
    of_line: Integers
    by_topic: Floats
    """A row a line and a column a topic: 1 where the line is of it."""
    telling: Integers
    """The places of the lines that are more than reactions."""
    size: Floats
    people: Integers
    last: Integers
    """The place of its last line."""
    end: Integers
    """The place of its last line that is more than a reaction, if there is one."""
    is_going: NDArray[np.bool_]
    spoke_last: Integers
    spoke_before: Integers
    """Who spoke last that is not `spoke_last`."""
    speaks_in: Floats
    """How many of its lines are the new speaker's own."""

    def __len__(self) -> int:
        return len(self.numbers)

    def most(self, values: Floats) -> Floats:
        """The greatest value of each topic's lines."""
        found = np.full(len(self), -np.inf)
        np.maximum.at(found, self.of_line, values)
        return found

    def last_three(self) -> Floats:
        """A column for each topic: its last three lines that are more than reactions, or of all."""
        chosen = np.zeros_like(self.by_topic)
        rows = self.by_topic[self.telling]
        chosen[self.telling] = rows * (rows[::-1].cumsum(0)[::-1] <= 3)
        after = self.by_topic[::-1].cumsum(0)[::-1]
        return np.where(chosen.any(0), chosen, self.by_topic * (after <= 3))

    def all_telling(self) -> Floats:
        """A column for each topic: its lines that are more than reactions, or all."""
        chosen = np.zeros_like(self.by_topic)
        chosen[self.telling] = self.by_topic[self.telling]
        return np.where(chosen.any(0), chosen, self.by_topic)


def topics_before(window: Window, pair: Pairs, place: int) -> TopicState:
    """Those of the lines that the line at `place` is beside."""
    numbers, of_line = np.unique(window.topic[pair.start : place], return_inverse=True)
    count, lines = len(numbers), len(of_line)
    by_topic = (of_line[:, None] == np.arange(count)[None, :]).astype(np.float32)
    last = np.zeros(count, np.int64)
    last[of_line] = np.arange(lines)
    telling = np.flatnonzero(pair.reacts == 0)
    last_telling = np.full(count, NOBODY)
    last_telling[of_line[telling]] = telling
    end = np.where(last_telling >= 0, last_telling, last)
    spoke_last = pair.speaker[end]
    others = np.flatnonzero((pair.speaker != spoke_last[of_line]) & (pair.reacts == 0))
    spoke_before = np.full(count, NOBODY)
    spoke_before[of_line[others]] = pair.speaker[others]
    return TopicState(
        numbers=numbers,
        of_line=of_line,
        by_topic=by_topic,
        telling=telling,
        size=by_topic.sum(0),
        people=_distinct(of_line, pair.speaker, count),
        last=last,
        end=end,
        is_going=last >= lines - LATELY,
        spoke_last=spoke_last,
        spoke_before=spoke_before,
        speaks_in=pair.same @ by_topic,
    )


def _distinct(topic: Integers, speaker: Integers, count: int) -> Integers:
    """How many people speak in each topic."""
    pairs = np.unique(topic * (int(speaker.max()) + 1) + speaker)
    return np.bincount(pairs // (int(speaker.max()) + 1), minlength=count)


def ahead_of_others(values: Floats) -> Floats:
    """How far each is ahead of the best of all the rest; of a single one as much as it is."""
    if len(values) < 2:
        return values
    best = int(values.argmax())
    others = np.full_like(values, values[best])
    others[best] = np.delete(values, best).max()
    return values - others

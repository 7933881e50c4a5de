"""What topics look like from a new line: how long each is, who speaks in it, how it ended."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shared.threads.pairs import Pairs
from shared.threads.window import NOBODY, Window

LATELY = 12
"""A topic is going on if one of so many last lines is of it."""


@dataclass(frozen=True)
class TopicState:
    """The topics that the lines before are of, one value each in the order of `numbers`. `of_line`
    counts them from 0, so that `size[of_line]` is the size of each line's topic."""

    numbers: Any
    """In the window."""
    of_line: Any
    by_topic: Any
    """A row a line and a column a topic: 1 where the line is of it."""
    telling: Any
    """The places of the lines that are more than reactions."""
    size: Any
    people: Any
    last: Any
    """The place of its last line."""
    end: Any
    """The place of its last line that is more than a reaction, if there is one."""
    is_going: Any
    spoke_last: Any
    spoke_before: Any
    """Who spoke last that is not `spoke_last`."""
    speaks_in: Any
    """How many of its lines are the new speaker's own."""


def topics_before(window: Window, pair: Pairs, place: int) -> TopicState:
    """Those of the lines that the line at `place` is beside."""
    numbers, of_line = np.unique(window.column("topic", pair.start, place), return_inverse=True)
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


def _distinct(topic: Any, speaker: Any, count: int) -> Any:
    """How many people speak in each topic."""
    pairs = np.unique(topic * (int(speaker.max()) + 1) + speaker)
    return np.bincount(pairs // (int(speaker.max()) + 1), minlength=count)


def last_three(topics: TopicState) -> Any:
    """A column for each topic: its last three lines that are more than reactions, or its last."""
    chosen = np.zeros_like(topics.by_topic)
    if len(topics.telling):
        rows = topics.by_topic[topics.telling]
        after = rows[::-1].cumsum(0)[::-1]
        chosen[topics.telling] = rows * (after <= 3)
    empty = chosen.sum(0) == 0
    if empty.any():
        after = topics.by_topic[::-1].cumsum(0)[::-1]
        chosen = np.where(empty[None, :], topics.by_topic * (after <= 3), chosen)
    return chosen


def mean_cosine(chosen: Any, cosine: Any, alike: Any) -> Any:
    """Of a line with the mean of each topic's chosen lines."""
    dots = cosine @ chosen
    lengths = ((alike @ chosen) * chosen).sum(0)
    return dots / np.sqrt(np.maximum(lengths, 1e-6))


def best_of_others(values: Any) -> Any:
    """For each the best of all the rest; 0 where there is no other."""
    if len(values) < 2:
        return np.zeros_like(values)
    best = int(values.argmax())
    rest = np.delete(values, best).max()
    others = np.full_like(values, values[best])
    others[best] = rest
    return others

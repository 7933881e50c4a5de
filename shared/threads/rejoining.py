"""Whether a topic that came up lately is an earlier one taken up again.

People come back to a matter after hours or days, and rarely say so in their first line. A few lines
later it shows: the same words, the same people, the same meaning. What is compared are the lines of
both topics, all that are in sight.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shared.language import keywords
from shared.threads.lines import Names
from shared.threads.pairs import PAUSE_S, Pairs, log1p, rarity_of
from shared.threads.topic_state import ahead_of_others
from shared.threads.window import Floats, Integers, Likeness, Window

FEATURES = (
    *("mass", "opens", "middle", "best", "usual_best", "first", "vote"),
    *("middle_ahead", "best_ahead", "first_ahead", "middle_grown"),
    *("shared", "shared_each", "shared_of_theirs", "shared_ahead", "theirs_ahead", "shared_grown"),
    *("people", "opener_in", "everybody_in", "own_lines", "other_lines", "of_one"),
    *("hours", "lines_between", "goes_on", "is_last", "pause"),
    *("nouns", "nouns_first", "nouns_told", "nouns_ahead", "nouns_of_opener"),
    *("pauses", "pauses_mass", "pauses_nouns", "pauses_middle", "pauses_first", "pauses_theirs"),
    "bias",
)
AHEAD = {
    "middle": "middle_ahead",
    "usual_best": "best_ahead",
    "first": "first_ahead",
    "shared": "shared_ahead",
    "shared_of_theirs": "theirs_ahead",
    "nouns": "nouns_ahead",
}
"""How far each is ahead of the best of the other topics."""
BY_PAUSES = {
    "mass": "pauses_mass",
    "nouns": "pauses_nouns",
    "middle": "pauses_middle",
    "first": "pauses_first",
    "shared_of_theirs": "pauses_theirs",
}
"""Each once more as far as people look in now and then."""
LEAST_CHANCE = 1e-4
"""Below this a chance tells nothing more, and its logarithm would."""
MOST_SHARED = 12.0
"""Rare words in common count up to here, all lines together."""
MOST_PAUSES = 0.1
"""Of all lines: where one in ten comes after a pause, people look in now and then, and matters are
taken up again; where hardly any does, talk flows and they rarely are."""
MOST_NOUNS = 3
"""Things that both speak of and nobody else does: three say it all."""
FIRST_LINES = 2
"""Who takes a matter up again names it soon."""
KNOWN_TEXTS = 4096
"""Lines whose nouns are kept at hand: those of some forty groups' windows."""
HOUR_S = 3600.0


def far_apart(rows: Floats) -> NDArray[np.bool_]:
    """Which rows are of topics that a pause lies between: a matter of its own."""
    far: NDArray[np.bool_] = rows[:, FEATURES.index("hours")] > np.log1p(PAUSE_S / HOUR_S)
    return far


def odds(rows: Floats, weights: Floats) -> Floats:
    """Log-odds that both topics are one; `weights` has a row for near ones and one for far ones."""
    near, far = weights
    chosen: Floats = np.where(far_apart(rows), rows @ far, rows @ near)
    return chosen


@dataclass(frozen=True)
class Enough:
    """Log-odds from which on a topic joins an earlier one: within one burst, and after a pause; one
    of a single line joins from `alone` less. Who looks in now and then writes short lines on
    several matters at once: there one matter in two pieces is the commoner fault, and less is
    enough; where talk flows it is two matters in one."""

    near: float = 0.8
    far: float = 0.0
    alone: float = 0.0

    def least(self, rows: Floats) -> Floats:
        least: Floats = np.where(far_apart(rows), self.far, self.near)
        least -= self.alone * rows[:, FEATURES.index("of_one")]
        return least


@dataclass(frozen=True)
class Rejoinable:
    """The earlier topics, by their numbers in the window, a row of features for each."""

    topics: Sequence[int]
    rows: Floats


def rejoinable(
    window: Window,
    start: int,
    lines: Sequence[int],
    first: Pairs,
    masses: Mapping[int, float],
    opens: float,
    names: Names,
) -> Rejoinable | None:
    """`lines` are those of the topic that came up lately, of those in sight from `start` on;
    `first` is what its first line sees, and `masses` how likely that line alone goes on with each
    topic by its number."""
    late = _late_topic(window, start, lines, first, names)
    numbers = late.earlier
    if not numbers:
        return None
    found = [
        {"mass": np.log(masses.get(number, 0.0) + LEAST_CHANCE), **late.beside(number)}
        for number in numbers
    ]
    columns: dict[str, Any] = {
        name: np.array([values[name] for values in found], np.float32) for name in found[0]
    }
    columns["opens"] = np.log(opens + LEAST_CHANCE)
    columns["bias"] = 1.0
    for name, ahead in AHEAD.items():
        columns[ahead] = ahead_of_others(columns[name])
    for name, weighed in BY_PAUSES.items():
        columns[weighed] = late.pauses * columns[name]
    rows = np.empty((len(numbers), len(FEATURES)), np.float32)
    for index, name in enumerate(FEATURES):
        rows[:, index] = columns[name]
    return Rejoinable(numbers, rows)


@dataclass(frozen=True)
class _LateTopic:
    """The lines in sight, in order, and where among them those of a topic are that came up
    lately."""

    own: Integers
    topic: Integers
    at: Floats
    speaker: Integers
    telling: NDArray[np.bool_]
    known: Floats
    likeness: Likeness
    terms: Sequence[frozenset[str]]
    nouns: Sequence[frozenset[str]]
    votes: Floats
    """Of each line before on whether it and the topic's first line are of one topic."""

    @cached_property
    def begins(self) -> int:
        return int(self.own[0])

    @cached_property
    def earlier(self) -> list[int]:
        """The numbers of the topics that were there before."""
        numbers = np.unique(self.topic[: self.begins]).tolist()
        return [number for number in numbers if number != self.topic[self.begins]]

    @cached_property
    def pauses(self) -> float:
        """How much people look in now and then."""
        return min(MOST_PAUSES, float((np.diff(self.at) > PAUSE_S).mean())) / MOST_PAUSES

    @cached_property
    def pause(self) -> float:
        """Before the topic came up."""
        if not self.begins:
            return 0.0
        return float(np.log1p((self.at[self.begins] - self.at[self.begins - 1]) / 60.0))

    def beside(self, number: int) -> dict[str, float]:
        """The topic beside an earlier one."""
        other = np.flatnonzero(self.topic == number)
        before = other[other < self.begins]
        last = int(before[-1])
        lines = float(np.log1p(len(self.own)))
        return {
            **self._meant_beside(other, lines),
            **self._said_beside(other, lines),
            **self._named_beside(number, before),
            **self._people_beside(other),
            "vote": float(self.votes[before].mean()),
            "own_lines": lines,
            "other_lines": float(np.log1p(len(other))),
            "of_one": len(self.own) == 1,
            "hours": float(log1p((self.at[self.begins] - self.at[last]) / HOUR_S)),
            "lines_between": float(log1p(np.asarray(self.begins - last - 1))),
            "goes_on": bool(other[-1] > self.begins),
            "is_last": number == int(self.topic[self.begins - 1]),
            "pause": self.pause,
            "pauses": self.pauses,
        }

    def _tell(self, places: Integers) -> Integers:
        """Those that are more than reactions, or all where none is."""
        telling = self.telling[places]
        return places[telling] if telling.any() else places

    @cached_property
    def _mine(self) -> Integers:
        return self._tell(self.own)

    def _meant_beside(self, other: Integers, lines: float) -> dict[str, float]:
        theirs = self._tell(other)
        chosen = np.zeros((len(self.topic), 1))
        chosen[theirs] = 1.0
        inside = self.likeness.told(self.likeness.kernel[np.ix_(self._mine, theirs)])
        middle = self._middle(self._mine, chosen)
        return {
            "middle": middle,
            "middle_grown": middle * lines,
            "first": self._middle(self.own[:1], chosen),
            "best": float(inside.max()),
            "usual_best": float(inside.max(1).mean()),
        }

    def _middle(self, own: Integers, chosen: Floats) -> float:
        """How alike the middle of own lines is to that of the chosen ones."""
        kernel, likeness = self.likeness.kernel, self.likeness
        count = float(self.known[own].sum())
        length = float(kernel[np.ix_(own, own)].sum())
        length = max(length, max(0.25 * count, 1e-3) * likeness.itself)
        standard = kernel[own].sum(0) * (likeness.itself / length) ** 0.5
        return float(likeness.with_groups(standard, chosen, self.known)[0])

    @cached_property
    def _rarity(self) -> dict[str, float]:
        return rarity_of(self.terms, len(self.terms))

    @cached_property
    def _own_terms(self) -> frozenset[str]:
        return frozenset().union(*(self.terms[place] for place in self.own))

    def _said_beside(self, other: Integers, lines: float) -> dict[str, float]:
        theirs = frozenset().union(*(self.terms[place] for place in other))
        rare = sum(self._rarity[term] for term in self._own_terms & theirs)
        shared = min(MOST_SHARED, rare)
        return {
            "shared": shared,
            "shared_grown": shared * lines,
            "shared_each": shared / (1.0 + len(self._own_terms)) ** 0.5,
            "shared_of_theirs": shared / (1.0 + len(theirs)) ** 0.5,
        }

    @cached_property
    def _spoken_of(self) -> dict[str, set[int]]:
        """The topics in which each noun is said."""
        found: dict[str, set[int]] = {}
        for place, said in enumerate(self.nouns):
            for noun in said:
                found.setdefault(noun, set()).add(int(self.topic[place]))
        return found

    def _named_beside(self, number: int, before: Integers) -> dict[str, float]:
        """Things that both speak of and nobody else does."""
        both = {number, int(self.topic[self.begins])}
        only = {
            noun
            for place in self.own
            for noun in self.nouns[place]
            if number in self._spoken_of[noun] <= both
        }
        soon = {noun for place in self.own[:FIRST_LINES] for noun in self.nouns[place]} & only
        told = {noun for noun in only if sum(noun in self.nouns[place] for place in before) > 1}
        return {
            "nouns": min(MOST_NOUNS, len(only)),
            "nouns_first": min(MOST_NOUNS, len(soon)),
            "nouns_told": min(MOST_NOUNS, len(told)),
            "nouns_of_opener": bool(only & self.nouns[int(before[0])]),
        }

    def _people_beside(self, other: Integers) -> dict[str, float]:
        own = set(self.speaker[self.own].tolist())
        people = set(self.speaker[other].tolist())
        return {
            "people": len(people & own) / len(own),
            "opener_in": int(self.speaker[self.begins]) in people,
            "everybody_in": own <= people,
        }


def _late_topic(
    window: Window, start: int, lines: Sequence[int], first: Pairs, names: Names
) -> _LateTopic:
    end = len(window)
    own = np.array(lines) - start
    seen = max(start, first.start)
    votes = np.zeros(end - start, np.float32)
    votes[seen - start : own[0]] = first.votes[seen - first.start :]
    in_sight = window.lines[start:end]
    return _LateTopic(
        own=own,
        topic=window.topic[start:end],
        at=window.at[start:end],
        speaker=window.speaker[start:end],
        telling=window.reacts[start:end] == 0,
        known=window.known[start:end],
        likeness=window.likeness(start, end),
        terms=[line.terms for line in in_sight],
        nouns=[
            frozenset(noun for noun in _nouns(line.said) if not names.knows(noun))
            for line in in_sight
        ],
        votes=votes,
    )


@lru_cache(KNOWN_TEXTS)
def _nouns(text: str) -> frozenset[str]:
    return frozenset(keywords(text))

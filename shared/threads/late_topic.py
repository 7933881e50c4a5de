"""A topic that came up lately beside each earlier one: do they mean, say and name the same, and
are the same people in both?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from shared.language import keywords
from shared.threads.lines import Names
from shared.threads.pairs import PAUSE_S, Pairs, log1p
from shared.threads.window import Window

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


@dataclass(frozen=True)
class LateTopic:
    """The lines in sight, in order, and where among them those of a topic are that came up
    lately."""

    own: Any
    topic: Any
    at: Any
    speaker: Any
    telling: Any
    vectors: Any
    terms: Sequence[frozenset[str]]
    nouns: Sequence[frozenset[str]]
    votes: Any
    """Of each line before on whether it and the topic's first line are of one topic..."""
    replies: Any
    """... and how much that line reads like a reply to it."""

    @cached_property
    def begins(self) -> int:
        return int(self.own[0])

    @cached_property
    def earlier(self) -> list[int]:
        """The numbers of the topics that were there before."""
        numbers = np.unique(self.topic[: self.begins])
        return [int(one) for one in numbers if one != self.topic[self.begins]]

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
        lines = log1p(len(self.own))
        return {
            **self._meant_beside(other, lines),
            **self._said_beside(other, lines),
            **self._named_beside(number, before),
            **self._people_beside(other),
            "reply": float(self.replies[before].max()),
            "vote": float(self.votes[before].mean()),
            "own_lines": lines,
            "other_lines": log1p(len(other)),
            "of_one": len(self.own) == 1,
            "hours": log1p((self.at[self.begins] - self.at[last]) / HOUR_S),
            "lines_between": log1p(self.begins - last - 1),
            "goes_on": bool(other[-1] > self.begins),
            "is_last": number == int(self.topic[self.begins - 1]),
            "pause": self.pause,
            "pauses": self.pauses,
        }

    def _tell(self, places: Any) -> Any:
        """Those that are more than reactions, or all where none is."""
        telling = self.telling[places]
        return places[telling] if telling.any() else places

    @cached_property
    def _mine(self) -> Any:
        return self._tell(self.own)

    @cached_property
    def _centre(self) -> Any:
        return self.vectors[self._mine].sum(0)

    @cached_property
    def _usual(self) -> Any:
        """What all lines in sight have in common."""
        telling = self.vectors[self.telling]
        return telling.mean(0) if len(telling) else self.vectors.mean(0)

    @cached_property
    def _cosines(self) -> Any:
        if not self.vectors.shape[1]:
            return np.zeros((len(self._mine), len(self.topic)))
        return self.vectors[self._mine] @ self.vectors.T

    def _meant_beside(self, other: Any, lines: float) -> dict[str, float]:
        theirs = self._tell(other)
        inside = self._cosines[:, theirs]
        mean = _cosine(self._centre, self.vectors[theirs].sum(0))
        apart = self.vectors[theirs].mean(0) - self._usual
        return {
            "mean_cosine": mean,
            "cosine_grown": mean * lines,
            "best_cosine": float(inside.max()),
            "usual_best": float(inside.max(1).mean()),
            "apart": _cosine(self._centre - len(self._mine) * self._usual, apart),
            "first_apart": _cosine(self.vectors[self.begins] - self._usual, apart),
        }

    @cached_property
    def _rarity(self) -> dict[str, float]:
        return _rarity(self.terms)

    @cached_property
    def _own_terms(self) -> frozenset[str]:
        return frozenset().union(*(self.terms[one] for one in self.own))

    def _said_beside(self, other: Any, lines: float) -> dict[str, float]:
        theirs = frozenset().union(*(self.terms[one] for one in other))
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
        return _by_noun(self.nouns, self.topic)

    def _named_beside(self, number: int, before: Any) -> dict[str, float]:
        """Things that both speak of and nobody else does."""
        both = {number, int(self.topic[self.begins])}
        only = {
            noun
            for one in self.own
            for noun in self.nouns[one]
            if number in self._spoken_of[noun] <= both
        }
        soon = {noun for one in self.own[:FIRST_LINES] for noun in self.nouns[one]} & only
        told = {noun for noun in only if sum(noun in self.nouns[one] for one in before) > 1}
        return {
            "nouns": min(MOST_NOUNS, len(only)),
            "nouns_first": min(MOST_NOUNS, len(soon)),
            "nouns_told": min(MOST_NOUNS, len(told)),
            "nouns_of_opener": bool(only & self.nouns[int(before[0])]),
        }

    def _people_beside(self, other: Any) -> dict[str, float]:
        own = {int(self.speaker[one]) for one in self.own}
        people = {int(self.speaker[one]) for one in other}
        return {
            "people": len(people & own) / len(own),
            "opener_in": int(self.speaker[self.begins]) in people,
            "everybody_in": own <= people,
        }


def late_topic(
    window: Window, start: int, lines: Sequence[int], first: Pairs, names: Names
) -> LateTopic:
    """`lines` are its places in the window, of which those from `start` on are in sight; `first` is
    what the first of them sees."""
    end = len(window)
    topic = window.column("topic", start, end)
    own = np.array(lines) - start
    seen = max(start, first.start)
    votes, replies = np.zeros((2, len(topic)), np.float32)
    votes[seen - start : own[0]] = first.votes[seen - first.start :]
    replies[seen - start : own[0]] = first.reply[seen - first.start :]
    return LateTopic(
        own=own,
        topic=topic,
        at=window.column("at", start, end),
        speaker=window.column("speaker", start, end),
        telling=window.column("reacts", start, end) == 0,
        vectors=window.column("vector", start, end),
        terms=[one.terms for one in window.lines[start:end]],
        nouns=[
            frozenset(noun for noun in _nouns(one.said) if not names.knows(noun))
            for one in window.lines[start:end]
        ],
        votes=votes,
        replies=replies,
    )


@lru_cache(KNOWN_TEXTS)
def _nouns(text: str) -> frozenset[str]:
    return frozenset(keywords(text))


def _rarity(terms: Sequence[frozenset[str]]) -> dict[str, float]:
    counts: dict[str, int] = {}
    for one in terms:
        for term in one:
            counts[term] = counts.get(term, 0) + 1
    return {
        term: max(0.0, float(np.log((1 + len(terms)) / (0.5 + count))))
        for term, count in counts.items()
    }


def _by_noun(nouns: Sequence[frozenset[str]], topic: Any) -> dict[str, set[int]]:
    """The topics in which each is said."""
    found: dict[str, set[int]] = {}
    for place, said in enumerate(nouns):
        for noun in said:
            found.setdefault(noun, set()).add(int(topic[place]))
    return found


def _cosine(one: Any, other: Any) -> float:
    length = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / length if length else 0.0

"""Whether a topic that came up lately is an earlier one taken up again.

People come back to a matter after hours or days, and rarely say so in their first line. A few lines
later it shows: the same words, the same people, the same meaning. What is compared are the lines of
both topics, all that are in sight.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from shared.domain.attribution.lines import Names
from shared.domain.attribution.pairs import PAUSE_S, Pairs, log1p
from shared.domain.attribution.topic_state import best_of_others
from shared.domain.attribution.window import Window
from shared.domain.text.phrases import phrases

FEATURES = (
    *("mass", "opens", "mean_cosine", "best_cosine", "usual_best", "cosine_ahead", "best_ahead"),
    *("reply", "shared", "shared_each", "shared_ahead", "people", "opener_in", "everybody_in"),
    *("own_lines", "other_lines", "hours", "lines_between", "goes_on", "vote", "pause"),
    *("of_one", "cosine_grown", "shared_grown", "is_last"),
    *("nouns", "nouns_first", "nouns_told", "nouns_ahead", "nouns_of_opener"),
    *("pauses", "pauses_mass", "pauses_nouns", "bias"),
    # Against what all lines in sight have in common, and for what was said in all.
    *("apart", "apart_ahead", "first_apart", "first_ahead", "shared_of_theirs", "theirs_ahead"),
    *("pauses_apart", "pauses_first", "pauses_theirs"),
)
OF_NATURAL_TALK = frozenset(FEATURES[-9:])
"""Weighed only where people look in now and then: dialogues that are woven into chats differ in
meaning far more than the matters of one group do."""
MOST_SHARED = 12.0
"""Rare words in common count up to here, all lines together."""
LEAST_CHANCE = 1e-4
"""Below this a chance tells nothing more, and its logarithm would."""
HOUR_S = 3600.0
MOST_PAUSES = 0.1
"""Of all lines: where one in ten comes after a pause, people look in now and then, and matters are
taken up again; where hardly any does, talk flows and they rarely are."""
MOST_NOUNS = 3
"""Things that both speak of and nobody else does: three say it all."""
FIRST_LINES = 2
"""Who takes a matter up again names it soon."""
KNOWN_TEXTS = 4096
"""Lines whose nouns are kept at hand: those of some forty groups' windows."""


def far_apart(rows: Any) -> Any:
    """Which rows are of topics that a pause lies between: a matter of its own."""
    return rows[:, FEATURES.index("hours")] > np.log1p(PAUSE_S / HOUR_S)


def odds(rows: Any, weights: Any) -> Any:
    """Log-odds that both topics are one; `weights` has a row for near ones and one for far ones."""
    return np.where(far_apart(rows), rows @ weights[1], rows @ weights[0])


@dataclass(frozen=True)
class Enough:
    """Log-odds from which on a topic joins an earlier one: within one burst, and after a pause; one
    of a single line joins from `alone` less. Who looks in now and then writes short lines on
    several matters at once: there one matter in two pieces is the commoner fault, and less is
    enough; where talk flows it is two matters in one."""

    near: float = 0.8
    far: float = 0.0
    alone: float = 0.0

    def of(self, rows: Any) -> Any:
        least = np.where(far_apart(rows), self.far, self.near)
        return least - self.alone * rows[:, FEATURES.index("of_one")]


@lru_cache(KNOWN_TEXTS)
def _nouns(text: str) -> frozenset[str]:
    return frozenset(one.key for one in phrases(text))


@dataclass(frozen=True)
class Rejoined:
    """The earlier topics, by their numbers in the window, a row of features for each."""

    topics: Sequence[int]
    rows: Any


def rejoinable(
    window: Window,
    start: int,
    lines: Sequence[int],
    first: Pairs,
    masses: Mapping[int, float],
    opens: float,
    names: Names,
) -> Rejoined | None:
    """`lines` are those of the topic that came up lately; `first` is what its first line sees, and
    `masses` how likely that line alone goes on with each topic by its number."""
    end = len(window)
    topic = window.column("topic", start, end)
    own = np.array(lines) - start
    begins = int(own[0])
    numbers = [int(one) for one in np.unique(topic[:begins]) if one != topic[begins]]
    if not numbers:
        return None
    at, speaker = window.column("at", start, end), window.column("speaker", start, end)
    telling = window.column("reacts", start, end) == 0
    vectors = window.column("vector", start, end)
    mine = own[telling[own]] if telling[own].any() else own
    cosines = vectors[mine] @ vectors.T if vectors.shape[1] else np.zeros((len(mine), len(topic)))
    terms = [one.terms for one in window.lines[start:end]]
    rarity = _rarity(terms)
    own_terms = frozenset().union(*(terms[one] for one in own))
    own_people = {int(speaker[one]) for one in own}
    nouns = [
        frozenset(noun for noun in _nouns(one.said) if not names.knows(noun))
        for one in window.lines[start:end]
    ]
    spoken_of = _by_noun(nouns, topic)
    seen = max(start, first.start)
    votes, replies = np.zeros((2, len(topic)), np.float32)
    votes[seen - start : begins] = first.votes[seen - first.start :]
    replies[seen - start : begins] = first.reply[seen - first.start :]
    pause = float(np.log1p((at[begins] - at[begins - 1]) / 60.0)) if begins else 0.0
    pauses = min(MOST_PAUSES, float((np.diff(at) > PAUSE_S).mean())) / MOST_PAUSES
    last_before = int(topic[begins - 1])
    centre = vectors[mine].sum(0)
    usual = vectors[telling].mean(0) if telling.any() else vectors.mean(0)
    found = []
    for number in numbers:
        other = np.flatnonzero(topic == number)
        theirs = other[telling[other]] if telling[other].any() else other
        before = other[other < begins]
        last = int(before[-1])
        mean = _cosine(centre, vectors[theirs].sum(0))
        inside = cosines[:, theirs]
        apart = vectors[theirs].mean(0) - usual
        people = {int(speaker[one]) for one in other}
        their_terms = frozenset().union(*(terms[one] for one in other))
        shared = own_terms & their_terms
        common = min(MOST_SHARED, sum(rarity[term] for term in shared))
        only = {
            noun
            for one in own
            for noun in nouns[one]
            if spoken_of[noun] <= {number, int(topic[begins])} and number in spoken_of[noun]
        }
        soon = {noun for one in own[:FIRST_LINES] for noun in nouns[one]} & only
        told = {noun for noun in only if sum(noun in nouns[one] for one in before) > 1}
        opener = only & nouns[int(before[0])]
        found.append(
            [
                np.log(masses.get(number, 0.0) + LEAST_CHANCE), np.log(opens + LEAST_CHANCE),
                mean, float(inside.max()), float(inside.max(1).mean()), 0.0, 0.0,
                float(replies[before].max()), common, common / (1.0 + len(own_terms)) ** 0.5, 0.0,
                len(people & own_people) / len(own_people), int(speaker[begins]) in people,
                own_people <= people, log1p(len(own)), log1p(len(other)),
                log1p((at[begins] - at[last]) / HOUR_S), log1p(begins - last - 1),
                bool(other[-1] > begins), float(votes[before].mean()), pause,
                len(own) == 1, mean * log1p(len(own)), common * log1p(len(own)),
                number == last_before, min(MOST_NOUNS, len(only)), min(MOST_NOUNS, len(soon)),
                min(MOST_NOUNS, len(told)), 0.0, bool(opener),
                pauses, 0.0, 0.0, 1.0,
                _cosine(centre - len(mine) * usual, apart), 0.0,
                _cosine(vectors[begins] - usual, apart), 0.0,
                common / (1.0 + len(their_terms)) ** 0.5, 0.0, 0.0, 0.0, 0.0,
            ]
        )  # fmt: skip
    rows = np.array(found, np.float32)
    for of, ahead in (("mean_cosine", "cosine_ahead"), ("usual_best", "best_ahead"),
                      ("shared", "shared_ahead"), ("nouns", "nouns_ahead"),
                      ("apart", "apart_ahead"), ("first_apart", "first_ahead"),
                      ("shared_of_theirs", "theirs_ahead")):  # fmt: skip
        values = rows[:, FEATURES.index(of)]
        rows[:, FEATURES.index(ahead)] = values - best_of_others(values)
    for of, beside in (
        ("mass", "pauses_mass"),
        ("nouns", "pauses_nouns"),
        ("apart", "pauses_apart"),
        ("first_apart", "pauses_first"),
        ("shared_of_theirs", "pauses_theirs"),
    ):
        rows[:, FEATURES.index(beside)] = pauses * rows[:, FEATURES.index(of)]
    return Rejoined(numbers, rows)


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

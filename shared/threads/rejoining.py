"""Whether a topic that came up lately is an earlier one taken up again.

People come back to a matter after hours or days, and rarely say so in their first line. A few lines
later it shows: the same words, the same people, the same meaning. What is compared are the lines of
both topics, all that are in sight.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shared.threads.late_topic import HOUR_S, late_topic
from shared.threads.lines import Names
from shared.threads.pairs import PAUSE_S, Pairs
from shared.threads.topic_state import best_of_others
from shared.threads.window import Window

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
AHEAD = {
    "mean_cosine": "cosine_ahead",
    "usual_best": "best_ahead",
    "shared": "shared_ahead",
    "nouns": "nouns_ahead",
    "apart": "apart_ahead",
    "first_apart": "first_ahead",
    "shared_of_theirs": "theirs_ahead",
}
"""How far each is ahead of the best of the other topics."""
BY_PAUSES = {
    "mass": "pauses_mass",
    "nouns": "pauses_nouns",
    "apart": "pauses_apart",
    "first_apart": "pauses_first",
    "shared_of_theirs": "pauses_theirs",
}
"""Each once more as far as people look in now and then."""
OF_NATURAL_TALK = frozenset(FEATURES[-9:])
"""Weighed only where people look in now and then: dialogues that are woven into chats differ in
meaning far more than the matters of one group do."""
LEAST_CHANCE = 1e-4
"""Below this a chance tells nothing more, and its logarithm would."""


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

    def least(self, rows: Any) -> Any:
        least = np.where(far_apart(rows), self.far, self.near)
        return least - self.alone * rows[:, FEATURES.index("of_one")]


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
    late = late_topic(window, start, lines, first, names)
    numbers = late.earlier
    if not numbers:
        return None
    found = [
        {"mass": np.log(masses.get(number, 0.0) + LEAST_CHANCE), **late.beside(number)}
        for number in numbers
    ]
    columns: dict[str, Any] = {
        name: np.array([one[name] for one in found], np.float32) for name in found[0]
    }
    columns["opens"] = np.log(opens + LEAST_CHANCE)
    columns["bias"] = 1.0
    for of, ahead in AHEAD.items():
        columns[ahead] = columns[of] - best_of_others(columns[of])
    for of, weighed in BY_PAUSES.items():
        columns[weighed] = late.pauses * columns[of]
    rows = np.empty((len(numbers), len(FEATURES)), np.float32)
    for index, name in enumerate(FEATURES):
        rows[:, index] = columns[name]
    return Rejoined(numbers, rows)

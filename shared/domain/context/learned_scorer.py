"""The learned score: how likely an earlier line is of the talk that a message goes on with. Pure.

A logistic of what attribution's own engine says of a line (`follow`) and of where it stands; the
numbers were fitted on public IRC (the train half) by `python -m bench.fit.context`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.domain.context.relevance import Asked, Evidence, Relevance
from shared.domain.messages.stored_message import StoredMessage

if TYPE_CHECKING:
    from shared.threads import Following

THREAD = 0.95
"""The platform itself says that it belongs together."""
JOINS = 0.5
"""A message goes on with a topic if that is likelier than all else together."""
LEAST = 1e-4
"""A chance below it is taken for it: logarithms need an end."""

WEIGHTS: Mapping[str, float] = {
    "log_odds_of_topic": 0.240,
    "mass": 1.103,
    "log_chance": 0.284,
    "lines_back": -0.061,
    "minutes_back": -0.351,
    "later_of_topic": 0.329,
    "same_speaker": 0.988,
    "opens": 0.104,
}
CONSTANT = 0.491
FEATURES = tuple(WEIGHTS)
COUNTS = 0.5
"""A line at least this likely is of the talk that goes on."""
REASON = "of the talk that goes on"


@dataclass(frozen=True)
class Learned:
    """The chance of each line; of the reply chain and the platform's own thread it is 1."""

    following: "Following"

    def score(
        self, asked: Asked, candidates: Sequence[StoredMessage], evidence: Evidence
    ) -> list[Relevance]:
        near = Near(self.following, candidates)
        return [self._relevance(asked, one, near, evidence) for one in candidates]

    def _relevance(
        self, asked: Asked, line: StoredMessage, near: "Near", evidence: Evidence
    ) -> Relevance:
        if line.message_id in evidence.chain:
            return Relevance(1.0, {"reply_chain": 1.0}, ("reply chain",))
        if _is_of_thread(asked, line):
            return Relevance(THREAD, {"thread": 1.0}, ("same thread",))
        if line.message_id not in self.following.masses:
            return Relevance(0.0, {}, ())
        values = near.features(asked, line)
        total = CONSTANT + sum(
            weight * value for weight, value in zip(WEIGHTS.values(), values, strict=True)
        )
        chance = 1 / (1 + math.exp(-total))
        factors = {
            "mass": round(self.following.masses[line.message_id], 3),
            "chance": round(self.following.chances[line.message_id], 3),
        }
        return Relevance(round(chance, 4), factors, (REASON,) if chance >= COUNTS else ())

    @property
    def topic_id(self) -> str | None:
        """The topic that is likelier than opening one."""
        if not self.following.masses:
            return None
        best = max(self.following.masses, key=lambda one: (self.following.masses[one], one))
        return self.following.topics[best] if self.following.masses[best] > JOINS else None


def _is_of_thread(asked: Asked, line: StoredMessage) -> bool:
    root = asked.root_message_id
    return bool(
        (asked.thread_id and asked.thread_id == line.thread_id)
        or (root and root in (line.root_message_id, line.message_id))
    )


class Near:
    """The lines before a message, as `follow()` saw them."""

    def __init__(self, following: "Following", before: Sequence[StoredMessage]) -> None:
        self._following = following
        ordered = sorted(before, key=lambda one: (one.create_time, one.message_id))
        self._back = {one.message_id: n for n, one in enumerate(reversed(ordered), 1)}
        self._later: dict[str, int] = {}
        seen: dict[str, int] = {}
        for one in reversed(ordered):
            topic = following.topics.get(one.message_id, one.topic_id or "")
            self._later[one.message_id] = seen.get(topic, 0)
            seen[topic] = seen.get(topic, 0) + 1

    def features(self, asked: Asked, line: StoredMessage) -> list[float]:
        key = line.message_id
        mass = min(1.0, self._following.masses.get(key, 0.0))
        chance = self._following.chances.get(key, 0.0)
        minutes = max(0.0, (asked.create_time - line.create_time).total_seconds() / 60)
        bounded = min(1 - LEAST, max(LEAST, mass))
        return [
            math.log(bounded / (1 - bounded)),
            mass,
            math.log(max(LEAST, chance)),
            math.log1p(self._back.get(key, len(self._back))),
            math.log1p(minutes),
            math.log1p(self._later.get(key, 0)),
            float(line.user_id == asked.user_id),
            self._following.opens,
        ]

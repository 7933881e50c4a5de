"""How a message finds its topic: what a scorer is given, what it says, and the hand-set one.

A scorer weighs every earlier line as what the message may follow, against opening a topic; the
weight of a topic is that of its lines together. What it says of a topic is a chance: that the
message continues it rather than opening one.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from shared.domain.attribution.lines import Line

MAX_SHARED = 8.0
LONG = 10
"""Words from which a message is as long as it gets."""
NEVER = 4.0
"""In the place of the time since somebody spoke who has not spoken yet."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A topic as the message finds it. `likeness` is the log-odds of the calibrated similarity."""

    topic_id: str
    members: frozenset[str]
    last_at: float
    last_message_id: str | None
    likeness: float


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a scorer may look at: nothing of it comes after the message.

    `before` is oldest first; a line whose topic is not in `topics` cannot be continued. `pace_s` is
    the usual time between two lines, `addressing` tells from 0 to 1 whether people here say whom
    they talk to, `rarity` how rare each word of the message is.
    """

    line: Line
    before: Sequence[Line]
    topic_of: Mapping[str, str]
    topics: Mapping[str, Standing]
    pace_s: float
    addressing: float
    rarity: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A topic, the chance that the message continues it, and the line it would follow."""

    topic_id: str
    chance: float
    continues: str | None


class Scorer(Protocol):
    def __call__(self, scene: Scene) -> list[Candidate]:
        """The topics the message may continue, the likeliest first."""
        ...


@dataclass(frozen=True)
class Weights:
    """Log-odds, set by hand on a sample of the Ubuntu IRC conversations (train; Kummerfeld et al.,
    CC BY 4.0) and on woven talks in two languages. Distances are logarithms of one plus the count.

    Where people do not say whom they talk to, more must come from what they say: what ends in
    `_plain` is added then. What ends in `_addressing` is added where they do.
    """

    # An earlier line: how far it is, and who spoke since.
    lines: float = -0.7
    """Lines in between."""
    time: float = -0.2
    """Time in between, in units of the pace."""
    own_since: float = -2.0
    """Lines the speaker has said since: they would rather follow the last of their own."""
    theirs_since: float = -0.5
    """Lines its author has said since."""
    topic_since: float = -0.4
    """Lines of its topic since."""
    # Who speaks to whom.
    same_speaker: float = 1.5
    addresses_author: float = 6.0
    addresses_other: float = -1.0
    """It addresses somebody, but not the author of the line."""
    own_to_other: float = 0.5
    """The speaker's own line, but now somebody else is addressed."""
    own_to_same: float = 2.5
    """The speaker's own line, to the same person."""
    was_addressed: float = 1.5
    """The line addresses the speaker."""
    author_to_other: float = -1.5
    """The line addresses somebody else."""
    addressee_takes_part: float = 1.5
    """Whom it addresses takes part in the line's topic."""
    speaker_takes_part: float = 1.0
    speaker_was_there_last: float = 0.7
    """The line's topic is the one in which the speaker spoke last."""
    names_author: float = 4.0
    after_question: float = 0.7
    """The line asks, and this one, from another, does not."""
    same_thread: float = 4.0
    other_thread: float = -3.0
    """Of the platform's own threads."""
    # What is said.
    shared: float = 0.35
    """Rarity of the words in common."""
    shared_plain: float = 0.4
    likeness: float = 0.2
    """Of the message to its topic as a whole, in log-odds."""
    likeness_plain: float = 0.8
    # Opening a topic.
    opens: float = -2.7
    opens_plain: float = 1.0
    opens_addressed: float = 1.2
    """It addresses somebody; in place of `opens_unaddressed`."""
    opens_unaddressed: float = 0.5
    """It addresses nobody where people do."""
    opens_question: float = 0.8
    opens_question_addressing: float = 0.7
    opens_casual: float = 1.0
    opens_long: float = 2.0
    opens_own: float = 0.7
    """Time since the speaker spoke last, in units of the pace."""
    opens_pause: float = 0.1
    """Time since anybody spoke."""


@dataclass(frozen=True)
class Weighing:
    """The scorer that adds up weights."""

    weights: Weights

    def __call__(self, scene: Scene) -> list[Candidate]:
        mass: dict[str, float] = {}
        best: dict[str, tuple[float, str | None]] = {}
        for topic_id, score, message_id in self._scores(scene):
            mass[topic_id] = mass.get(topic_id, 0.0) + math.exp(score)
            if topic_id not in best or score > best[topic_id][0]:
                best[topic_id] = (score, message_id)
        opens = math.exp(self._opens(scene))
        found = [
            Candidate(topic_id, weight / (weight + opens), best[topic_id][1])
            for topic_id, weight in mass.items()
        ]
        return sorted(found, key=lambda one: (-one.chance, one.topic_id))

    def _scores(self, scene: Scene) -> list[tuple[str, float, str | None]]:
        """Topic, score and id of every line that may be continued, and of topics beyond them."""
        w, line = self.weights, scene.line
        plain = 1.0 - scene.addressing
        by_topic = {
            topic.topic_id: (w.likeness + w.likeness_plain * plain) * topic.likeness
            + w.speaker_takes_part * (line.speaker in topic.members)
            for topic in scene.topics.values()
        }
        shared = w.shared + w.shared_plain * plain
        own = 0
        spoke_last_in: str | None = None
        said: Counter[str] = Counter()
        since: Counter[str] = Counter()
        found: list[tuple[str, float, str | None]] = []
        for distance, other in enumerate(reversed(scene.before)):
            topic_id = scene.topic_of.get(other.message_id)
            is_own = other.speaker == line.speaker
            if is_own and spoke_last_in is None:
                spoke_last_in = topic_id
            if topic_id in by_topic:
                assert topic_id is not None
                score = by_topic[topic_id] + self._between(line, other, scene.topics[topic_id])
                score += w.lines * math.log1p(distance)
                score += w.time * math.log1p((line.at - other.at) / scene.pace_s)
                score += w.own_since * math.log1p(own) + w.topic_since * math.log1p(since[topic_id])
                score += 0.0 if is_own else w.theirs_since * math.log1p(said[other.speaker])
                if common := line.terms & other.terms:
                    rarity = sum(scene.rarity.get(term, 0.0) for term in common)
                    score += shared * min(rarity, MAX_SHARED)
                found.append((topic_id, score, other.message_id))
                since[topic_id] += 1
            own += is_own
            said[other.speaker] += 1
        if spoke_last_in in by_topic:
            bonus = w.speaker_was_there_last
            found = [(one, score + bonus * (one == spoke_last_in), at) for one, score, at in found]
        return [*found, *self._beyond(scene, by_topic, {one for one, _, _ in found})]

    def _between(self, line: Line, other: Line, topic: Standing) -> float:
        """Who speaks to whom."""
        w = self.weights
        score = 0.0
        if other.speaker == line.speaker:
            score += w.same_speaker - w.speaker_takes_part
            if line.to:
                score += w.own_to_same if line.to & other.to else w.own_to_other
        else:
            if other.speaker in line.to:
                score += w.addresses_author
            elif line.to:
                score += w.addresses_other
            if line.speaker in other.to:
                score += w.was_addressed
            elif other.to:
                score += w.author_to_other
            if other.kind == "question" and line.kind != "question":
                score += w.after_question
        if line.to & topic.members and other.speaker not in line.to:
            score += w.addressee_takes_part
        if other.speaker in line.names:
            score += w.names_author
        if line.thread or other.thread:
            score += w.same_thread if line.thread == other.thread else w.other_thread
        return score

    def _beyond(
        self, scene: Scene, by_topic: Mapping[str, float], near: set[str]
    ) -> list[tuple[str, float, str | None]]:
        """Topics with no line in sight: as if their last one were the farthest."""
        w = self.weights
        far = w.lines * math.log1p(len(scene.before))
        return [
            (
                topic.topic_id,
                by_topic[topic.topic_id]
                + far
                + w.time * math.log1p(max(0.0, scene.line.at - topic.last_at) / scene.pace_s),
                topic.last_message_id,
            )
            for topic in scene.topics.values()
            if topic.topic_id not in near
        ]

    def _opens(self, scene: Scene) -> float:
        w, line = self.weights, scene.line
        score = w.opens + w.opens_plain * (1.0 - scene.addressing)
        score += w.opens_long * min(len(line.terms), LONG) / LONG
        score += w.opens_addressed if line.to else w.opens_unaddressed * scene.addressing
        if line.kind == "question":
            score += w.opens_question + w.opens_question_addressing * scene.addressing
        if line.kind == "casual":
            score += w.opens_casual
        own = next((one.at for one in reversed(scene.before) if one.speaker == line.speaker), None)
        score += w.opens_own * (
            NEVER if own is None else math.log1p((line.at - own) / scene.pace_s)
        )
        if scene.before:
            score += w.opens_pause * math.log1p((line.at - scene.before[-1].at) / scene.pace_s)
        return score


HAND_SET = Weighing(Weights())

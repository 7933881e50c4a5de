"""Gives each waiting message a topic, or a question for the model. Looks at nothing later than it.

In this order: an edited message stays where it is; a reply goes where the replied message is; else
the scorer says how likely each topic is, and the thresholds decide: join, ask, or open one.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

from shared.domain.attribution.lines import BOT, Line, Names
from shared.domain.attribution.order import answered_by, in_order, said_at
from shared.domain.attribution.scoring import Candidate, Scene, Scorer, Standing
from shared.domain.attribution.topic_similarity import Likeness
from shared.domain.ids import digest
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.text.language import Language
from shared.domain.topics.topic import Topic

WINDOW = 100
"""Lines before a message that it may follow."""
CHOICES = 3
PACE_LINES = 50
PAUSE_S = 30 * 60.0
"""A longer silence is a pause, and says nothing of the pace."""
LEAST_PACE_S = 5.0
USUAL_PACE_S = 60.0
FEW_LINES = 20
ADDRESSING_SHARE = 0.3
"""People here say whom they talk to, if so large a share of the lines does."""


class Basis(StrEnum):
    """Why a message is where it is."""

    STAYS = "stays"
    REPLY = "reply"
    JOINS = "joins"
    FOLLOWS = "follows"
    """What it continues is itself in question: it goes where that goes."""
    ASKS = "asks"
    OPENS = "opens"


@dataclass(frozen=True)
class Thresholds:
    """`join` and `ask` are chances; a topic idle for longer is not continued but by a reply."""

    join: float = 0.7
    ask: float = 0.5
    idle: timedelta = timedelta(hours=6)


@dataclass(frozen=True)
class Known:
    """What was read before deciding.

    `before` are attributed messages around the waiting ones, `replied` those that they answer,
    `topics` the active ones and those of all these messages.
    """

    before: Sequence[StoredMessage] = ()
    replied: Mapping[str, StoredMessage] = field(default_factory=dict)
    topics: Mapping[str, Topic] = field(default_factory=dict)
    embedding_model: str = ""

    @cached_property
    def heard(self) -> tuple[Names, Sequence[Line]]:
        """Who spoke before, and what they said as lines in order; read once for every proposal."""
        before = sorted(self.before, key=said_at)
        names = Names(before)
        return names, [names.line(message) for message in before]


@dataclass(frozen=True)
class Proposal:
    """`topic_id` holds unless this is a question with another answer, or follows such a one."""

    message: StoredMessage
    basis: Basis
    topic_id: str
    continues: str | None = None
    candidates: tuple[Candidate, ...] = ()


Vectors = Mapping[str, Sequence[float]]
NO_VECTORS: Vectors = {}


def propose(
    waiting: Sequence[StoredMessage],
    known: Known,
    scorer: Scorer,
    thresholds: Thresholds,
    vectors: Vectors = NO_VECTORS,
) -> Iterator[Proposal]:
    """One for each, in the order they were said; a replied message comes before its reply.

    Without `vectors` of the waiting it is a guess: by who speaks to whom, when, in which words.
    """
    run = _Run(known, scorer, thresholds, vectors)
    for message in in_order(waiting):
        yield run.place(message)


def opened_by(message: StoredMessage) -> str:
    """The id of the topic a message opens: the same whenever it is decided again."""
    return digest("topic", message.group_id, message.message_id)


@dataclass
class _Talk:
    """A topic while a run goes on."""

    members: set[str]
    last_at: float
    last_message_id: str | None


class _Run:
    """What is known so far, growing with every message placed."""

    def __init__(
        self, known: Known, scorer: Scorer, thresholds: Thresholds, vectors: Vectors
    ) -> None:
        names, lines = known.heard
        self._known = known
        self._scorer = scorer
        self._thresholds = thresholds
        self._vectors = vectors
        self._names = names.copy()
        self._lines = list(lines)
        self._places = [line.at for line in self._lines]
        self._words = Counter(term for line in self._lines for term in line.terms)
        self._likeness = Likeness(known.embedding_model, list(known.topics.values()))
        self._topic_of = {
            one.message_id: one.topic_id
            for one in (*known.replied.values(), *known.before)
            if one.topic_id
        }
        bots = {one.user_id for one in known.before if one.role == "assistant"}
        self._talks = {
            topic.topic_id: _Talk(
                {BOT if user_id in bots else user_id for user_id in topic.user_ids},
                topic.last_message_at.timestamp(),
                topic.last_message_id or None,
            )
            for topic in known.topics.values()
        }
        self._unsettled: set[str] = set()

    def place(self, message: StoredMessage) -> Proposal:
        self._names.learn(message)
        line = self._names.line(message)
        place = bisect_right(self._places, line.at)
        proposal = self._proposed(message, line, self._lines[max(0, place - WINDOW) : place])
        self._take(proposal, line, place)
        return proposal

    def _proposed(self, message: StoredMessage, line: Line, before: Sequence[Line]) -> Proposal:
        if message.topic_id and message.topic_id in self._known.topics:
            return Proposal(message, Basis.STAYS, message.topic_id, message.continues)
        answered = answered_by(message)
        if answered and answered in self._topic_of:
            topic_id = self._topic_of[answered]
            basis = Basis.FOLLOWS if answered in self._unsettled else Basis.REPLY
            return Proposal(message, basis, topic_id, answered)
        candidates = self._scorer(self._scene(message, line, before))
        best = candidates[0] if candidates else None
        if best is None or best.chance < self._thresholds.ask:
            return Proposal(message, Basis.OPENS, opened_by(message))
        if best.continues in self._unsettled:
            return Proposal(message, Basis.FOLLOWS, best.topic_id, best.continues)
        if best.chance < self._thresholds.join:
            chosen = tuple(candidates[:CHOICES])
            return Proposal(message, Basis.ASKS, best.topic_id, best.continues, chosen)
        return Proposal(message, Basis.JOINS, best.topic_id, best.continues)

    def _take(self, proposal: Proposal, line: Line, place: int) -> None:
        if proposal.basis in (Basis.ASKS, Basis.FOLLOWS):
            self._unsettled.add(line.message_id)
        self._lines.insert(place, line)
        self._places.insert(place, line.at)
        self._topic_of[line.message_id] = proposal.topic_id
        self._words.update(line.terms)
        if proposal.basis is Basis.STAYS:
            return
        talk = self._talks.setdefault(proposal.topic_id, _Talk(set(), line.at, None))
        talk.members.add(line.speaker)
        if line.at >= talk.last_at:
            talk.last_at, talk.last_message_id = line.at, line.message_id
        self._likeness.join(proposal.topic_id, self._vectors.get(line.message_id))

    def _scene(self, message: StoredMessage, line: Line, before: Sequence[Line]) -> Scene:
        idle_s = self._thresholds.idle.total_seconds()
        live = [one for one, talk in self._talks.items() if abs(line.at - talk.last_at) <= idle_s]
        likeness = self._likeness.of(self._vectors.get(line.message_id), language_of(message), live)
        return Scene(
            line=line,
            before=before,
            topic_of=self._topic_of,
            topics={
                topic_id: Standing(
                    topic_id,
                    frozenset(self._talks[topic_id].members),
                    self._talks[topic_id].last_at,
                    self._talks[topic_id].last_message_id,
                    likeness.get(topic_id, 0.0),
                )
                for topic_id in live
            },
            pace_s=_pace(before),
            addressing=_addressing(before),
            rarity={
                term: math.log((1 + len(self._lines)) / (0.5 + self._words[term]))
                for term in line.terms
                if self._words[term]
            },
        )


def language_of(message: StoredMessage) -> Language:
    found = str(message.features.get("language", Language.OTHER))
    return Language(found) if found in list(Language) else Language.OTHER


def _pace(before: Sequence[Line]) -> float:
    """The usual time between two lines, pauses left out."""
    last = before[-PACE_LINES:]
    gaps = [later.at - earlier.at for earlier, later in pairwise(last)]
    flowing = [gap for gap in gaps if gap <= PAUSE_S]
    return max(LEAST_PACE_S, sum(flowing) / len(flowing)) if flowing else USUAL_PACE_S


def _addressing(before: Sequence[Line]) -> float:
    share = sum(bool(line.to) for line in before) / max(FEW_LINES, len(before))
    return min(1.0, share / ADDRESSING_SHARE)

"""Gives each waiting message a topic, or a question for the model. Looks at nothing later than it.

In this order: an edited message stays where it is; a reply goes where the replied message is; else
the talk so far says how likely each topic is, and the thresholds decide: join, ask, or open one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from shared.domain.attribution.lines import (
    answered_by,
    as_said,
    in_order,
    said_at,
    stored_vector,
)
from shared.domain.ids import digest
from shared.domain.messages.stored_message import StoredMessage

if TYPE_CHECKING:
    from shared.threads import Candidate, Tables

CHOICES = 3
"""Topics offered to the model: a fourth is hardly ever the right one."""

Vectors = Mapping[str, Sequence[float]]
NO_VECTORS: Vectors = {}


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
class Known:
    """What was read before deciding.

    `before` are attributed messages around the waiting ones, `replied` those that they answer,
    `kept_topics` those that waiting messages are in already and that are still there. From the
    chance `join` on a message continues a topic, from `ask` on the model is asked. `tables` None:
    the shipped ones.
    """

    before: Sequence[StoredMessage] = ()
    replied: Mapping[str, StoredMessage] = field(default_factory=dict)
    kept_topics: frozenset[str] = frozenset()
    embedding_model: str = ""
    join: float = 0.7
    ask: float = 0.5
    tables: "Tables | None" = None


@dataclass(frozen=True)
class Proposal:
    """`topic_id` holds unless this is a question with another answer, or follows such a one."""

    message: StoredMessage
    basis: Basis
    topic_id: str
    continues: str | None = None
    candidates: "tuple[Candidate, ...]" = ()


def opened_by(message: StoredMessage) -> str:
    """The id of the topic a message opens: the same whenever it is decided again."""
    return digest("topic", message.group_id, message.message_id)


class Proposing:
    """What is known so far, growing with every message placed."""

    def __init__(self, known: Known, vectors: Vectors) -> None:
        from shared.threads import Talk

        self._known = known
        self._vectors = vectors
        self.unsettled: set[str] = set()
        self._topic_of = {
            message.message_id: message.topic_id
            for message in (*known.replied.values(), *known.before)
            if message.topic_id
        }
        model = known.embedding_model
        heard = [
            as_said(message, vectors.get(message.message_id, stored_vector(message, model)))
            for message in sorted(known.before, key=said_at)
        ]
        self.talk = Talk(known.tables)
        for line in heard:
            self.talk.names.learn(line)
        for line in heard:
            if line.topic_id:
                self.talk.hear(line, line.topic_id, line.continues)

    def all(self, waiting: Sequence[StoredMessage]) -> list[Proposal]:
        return [self.place(message) for message in in_order(waiting)]

    def place(self, message: StoredMessage) -> Proposal:
        said = as_said(message, self._vectors.get(message.message_id))
        proposal = self._by_structure(message)
        if proposal is not None:
            self.talk.hear(said, proposal.topic_id, proposal.continues)
        else:
            weighed = self.talk.weigh(said)
            proposal = self._by_weight(message, self.talk.candidates(weighed))
            self.talk.take(weighed, proposal.topic_id, proposal.continues)
        if proposal.basis in (Basis.ASKS, Basis.FOLLOWS):
            self.unsettled.add(message.message_id)
        self._topic_of[message.message_id] = proposal.topic_id
        return proposal

    def _by_structure(self, message: StoredMessage) -> Proposal | None:
        if message.topic_id and message.topic_id in self._known.kept_topics:
            return Proposal(message, Basis.STAYS, message.topic_id, message.continues)
        answered = answered_by(message)
        if answered and answered in self._topic_of:
            basis = Basis.FOLLOWS if answered in self.unsettled else Basis.REPLY
            return Proposal(message, basis, self._topic_of[answered], answered)
        return None

    def _by_weight(self, message: StoredMessage, candidates: "list[Candidate]") -> Proposal:
        best = candidates[0] if candidates else None
        if best is None or best.chance < self._known.ask:
            return Proposal(message, Basis.OPENS, opened_by(message))
        if best.continues in self.unsettled:
            return Proposal(message, Basis.FOLLOWS, best.topic_id, best.continues)
        if best.chance < self._known.join:
            chosen = tuple(candidates[:CHOICES])
            return Proposal(message, Basis.ASKS, best.topic_id, best.continues, chosen)
        return Proposal(message, Basis.JOINS, best.topic_id, best.continues)

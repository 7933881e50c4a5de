"""What attribution does with a batch of messages: places them, then says what is to be stored.

Two steps, as the model may be asked in between: `place_messages` gives each a topic, and tells
what to ask and which topics to read; `decide_attribution` takes the answers and plans the writes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from shared.domain.attribution.proposing import (
    Basis,
    Known,
    Proposal,
    Proposing,
    Vectors,
    opened_by,
)
from shared.domain.attribution.questions import (
    NO_ANSWERS,
    Answers,
    Assignment,
    settle,
    uncertain,
)
from shared.domain.attribution.topic_updates import ClosingRules, Growth, grow
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.topic import Topic

if TYPE_CHECKING:
    from shared.threads import Dissolved


@dataclass(frozen=True)
class Placed:
    """`dissolved` are small topics that a second look put into others, by their ids."""

    proposals: Sequence[Proposal]
    dissolved: "Mapping[str, Dissolved]" = field(default_factory=dict)

    def topics_touched(self, *, is_asking: bool) -> set[str]:
        """Topics whose records are needed now: those that grow, go, or are offered to the model."""
        asked = uncertain(self.proposals) if is_asking else []
        offered = {candidate.topic_id for proposal in asked for candidate in proposal.candidates}
        joined = {
            proposal.topic_id for proposal in self.proposals if proposal.basis is not Basis.OPENS
        }
        return offered | joined | {*self.dissolved, *(o.topic_id for o in self.dissolved.values())}

    def as_it_is(self, topics: Mapping[str, Topic]) -> "Placed":
        """Given the touched topics as they are stored: one that has got a summary since, or is
        gone, is not dissolved, and none goes into one that is not there."""
        opened = {proposal.topic_id for proposal in self.proposals if proposal.basis is Basis.OPENS}
        there = opened | topics.keys()
        return replace(
            self,
            dissolved={
                source: into
                for source, into in self.dissolved.items()
                if into.topic_id in there
                and (source in opened or (source in topics and _may_go(topics[source])))
            },
        )


def place_messages(
    waiting: Sequence[StoredMessage],
    known: Known,
    vectors: Vectors,
    topics: Mapping[str, Topic],
    attributed: int | None,
) -> Placed:
    """Each message with its topic. `attributed` counts all messages of the group before these:
    after every ten a second look is due; None: these are looked at again anyhow. `topics` are the
    active ones; they may be dissolved by it, and closed ones of a single line."""
    from shared.threads import is_due, look_back

    placing = Proposing(known, vectors)
    proposals = placing.all(waiting)
    if attributed is None or not is_due(attributed, len(proposals)):
        return Placed(proposals)
    new = [proposal for proposal in proposals if proposal.basis is not Basis.STAYS]
    sizes = {
        topic.topic_id: topic.message_count for topic in topics.values() if _is_provisional(topic)
    }
    for proposal in new:
        if proposal.topic_id in sizes or proposal.topic_id not in topics:
            sizes[proposal.topic_id] = sizes.get(proposal.topic_id, 0) + 1
    opened = {proposal.topic_id for proposal in new if proposal.basis is Basis.OPENS}
    sizes = {key: size for key, size in sizes.items() if key in opened or key in topics}
    sizes = (
        _closed_alone(known.before, {*topics, *(proposal.topic_id for proposal in proposals)})
        | sizes
    )
    return Placed(proposals, look_back(placing.talk, len(new), sizes, placing.unsettled))


def _closed_alone(before: Sequence[StoredMessage], others: Set[str]) -> dict[str, int]:
    """Topics that are not among the others and of which one line is left, the one that opened them:
    in a quiet group they close long before ten more lines have come."""
    sizes = Counter(message.topic_id for message in before if message.topic_id)
    return {
        message.topic_id: 1
        for message in before
        if message.topic_id
        and sizes[message.topic_id] == 1
        and message.topic_id == opened_by(message)
        if message.topic_id not in others
    }


def _is_provisional(topic: Topic) -> bool:
    """Nothing was made of it yet but the topic itself."""
    return _may_go(topic) and topic.is_active


def _may_go(topic: Topic) -> bool:
    """Nobody summed it up, and if it is closed nobody will: it is of one line."""
    is_untold = topic.summary_version == 0 and topic.summary_asked_count == 0
    return is_untold and (topic.is_active or topic.message_count == 1)


@dataclass(frozen=True)
class AttributionPlan:
    """`assignments` are the waiting messages with their topics; `moves` earlier ones that change
    theirs, by message id: topic and what it continues. `gone` are topics that lost every line;
    `again` are messages that were placed before, `late_topics` got vectors of lines they had."""

    assignments: Sequence[Assignment]
    moves: Mapping[str, tuple[str, str | None]]
    growth: Growth
    gone: frozenset[str]
    refused: frozenset[str]
    again: frozenset[str] = frozenset()
    late_topics: frozenset[str] = frozenset()

    @property
    def attributed(self) -> int:
        return sum(
            assignment.basis is not Basis.STAYS and assignment.message.message_id not in self.again
            for assignment in self.assignments
        )


def decide_attribution(
    placed: Placed,
    before: Sequence[StoredMessage],
    topics: Mapping[str, Topic],
    vectors: Vectors,
    rules: ClosingRules,
    *,
    embedding_model: str,
    answers: Answers | None = None,
    title_wishes: Sequence[str] = (),
    refused: frozenset[str] = frozenset(),
    roles: Mapping[str, str],
) -> AttributionPlan:
    """`topics` are the active ones and all that `placed` touches. Without `answers` the doubtful
    go where they most likely belong. The same data gives the same plan."""
    answers = answers or NO_ANSWERS
    settled = settle(placed.proposals, answers)
    grown = {assignment.topic_id for assignment in settled if assignment.basis is not Basis.STAYS}
    there = topics.keys() | grown
    dissolved = {
        source: into for source, into in _whole(placed.dissolved).items() if into.topic_id in there
    }
    assignments = [_moved(assignment, dissolved) for assignment in settled]
    moves = {
        message.message_id: _place(message, dissolved[message.topic_id])
        for message in before
        if message.topic_id in dissolved
    }
    growth = grow(
        assignments,
        topics,
        vectors,
        rules,
        embedding_model=embedding_model,
        titles=answers.titles,
        title_wishes=title_wishes if answers is not NO_ANSWERS else (),
        roles=roles,
        absorbed={source: into.topic_id for source, into in dissolved.items() if source in topics},
    )
    gone = frozenset(topic_id for topic_id in dissolved if topic_id in topics)
    return AttributionPlan(assignments, moves, growth, gone, refused)


def _whole(dissolved: "Mapping[str, Dissolved]") -> "dict[str, Dissolved]":
    """Where one goes into another that goes into a third, both go into the third."""
    found = dict(dissolved)
    for source, into in dissolved.items():
        while into.topic_id in dissolved:
            into = replace(into, topic_id=dissolved[into.topic_id].topic_id)
        found[source] = into
    return found


def _moved(assignment: Assignment, dissolved: "Mapping[str, Dissolved]") -> Assignment:
    into = dissolved.get(assignment.topic_id)
    if into is None:
        return assignment
    is_first = assignment.message.message_id == into.first
    basis = Basis.JOINS if assignment.basis is Basis.OPENS else assignment.basis
    return replace(
        assignment,
        topic_id=into.topic_id,
        continues=into.continues if is_first else assignment.continues,
        basis=basis,
    )


def _place(message: StoredMessage, into: "Dissolved") -> tuple[str, str | None]:
    is_first = message.message_id == into.first
    return into.topic_id, into.continues if is_first else message.continues

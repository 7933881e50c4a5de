"""Takes the model's answers: an unreadable or missing one means the most similar topic."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from shared.domain.attribution.proposing import Basis, Proposal, opened_by
from shared.domain.messages.stored_message import StoredMessage

if TYPE_CHECKING:
    from shared.threads import Candidate


@dataclass(frozen=True)
class Title:
    title: str
    description: str = ""


@dataclass(frozen=True)
class Choice:
    """`candidate` counts the offered topics from 1; None opens a topic, by this title if any."""

    candidate: int | None
    title: Title | None = None


@dataclass(frozen=True)
class Answers:
    """By message id, and titles by topic id. None at all: the model was not there."""

    choices: Mapping[str, Choice] = field(default_factory=dict)
    titles: Mapping[str, Title] = field(default_factory=dict)


NO_ANSWERS = Answers()


@dataclass(frozen=True)
class Assignment:
    """`continues` is the message that this one follows, if any."""

    message: StoredMessage
    topic_id: str
    continues: str | None
    basis: Basis


@dataclass(frozen=True)
class Settled:
    assignments: Sequence[Assignment]
    titles: Mapping[str, Title]


def settle(proposals: Sequence[Proposal], answers: Answers = NO_ANSWERS) -> Settled:
    """Every message with its topic, in the same order."""
    titles = {topic_id: one for topic_id, one in answers.titles.items() if one.title.strip()}
    topics: dict[str, str] = {}
    assignments = []
    for proposal in proposals:
        message = proposal.message
        topic_id, continues, basis = proposal.topic_id, proposal.continues, proposal.basis
        choice = answers.choices.get(message.message_id) if basis is Basis.ASKS else None
        if choice is not None and choice.candidate is None:
            topic_id, continues, basis = opened_by(message), None, Basis.OPENS
            if choice.title and choice.title.title.strip():
                titles[topic_id] = choice.title
        elif choice is not None and (chosen := _chosen(proposal, choice)):
            topic_id, continues = chosen.topic_id, chosen.continues
        elif basis is Basis.FOLLOWS and continues in topics:
            topic_id = topics[continues]
        topics[message.message_id] = topic_id
        assignments.append(Assignment(message, topic_id, continues, basis))
    return Settled(assignments, titles)


def _chosen(proposal: Proposal, choice: Choice) -> "Candidate | None":
    """None if there is no candidate of that number."""
    offered = dict(enumerate(proposal.candidates, 1))
    return offered.get(choice.candidate or 0)

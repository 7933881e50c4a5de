"""What the model is asked in one call, and what its answers make of a run's proposals.

All questions of a run and the titles it still lacks go together; an unreadable or missing answer
means the most similar topic.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from shared.domain.attribution.proposing import Basis, Proposal, opened_by
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.topics.bursts import is_noise
from shared.domain.topics.keywords import keywords_of
from shared.domain.topics.topic import Topic, heaviest_first

LAST_MESSAGES = 5
"""Lines that show what a topic is about, to whoever has to choose."""
MAX_QUESTIONS = 8
"""Of a run; the least certain are asked, and the others join what they are most like."""
MAX_TITLES = 15
"""Of one question, so that its reply stays short; the others are asked next time."""
ASKED_CHARACTERS = 400
QUOTED_CHARACTERS = 120
"""Of the message that is asked about, and of those that only show its topics."""
KEYWORDS = 5
"""Of a candidate, beside its last lines."""
TITLE_HINTS = 4
"""Keywords that go along with what is to be named: a small model names better with them."""
TITLE_TRIES = 3
"""A topic that the model named none of these times keeps the title of its own words."""

Quoted = Mapping[str, Sequence[StoredMessage]]
"""The messages that can be quoted for each topic, oldest first."""


@dataclass(frozen=True)
class Questions:
    """`data` is what the prompt is given; the lists say what each number `n`, from 1, means."""

    data: Mapping[str, Any]
    asked: Sequence[Proposal] = ()
    untitled: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.asked or self.untitled)


NO_QUESTIONS = Questions({})


@dataclass(frozen=True)
class Title:
    title: str
    description: str = ""


@dataclass(frozen=True)
class Answers:
    """`choices` count the offered topics from 1, None opens a topic; by message id. `titles` are by
    topic id. None at all: the model was not there."""

    choices: Mapping[str, int | None] = field(default_factory=dict)
    titles: Mapping[str, Title] = field(default_factory=dict)


NO_ANSWERS = Answers()


@dataclass(frozen=True)
class Assignment:
    """`continues` is the message that this one follows, if any."""

    message: StoredMessage
    topic_id: str
    continues: str | None
    basis: Basis


def quotable(before: Sequence[StoredMessage], proposals: Sequence[Proposal]) -> Quoted:
    """Of what is at hand: the messages around, and those of the run."""
    by_topic: dict[str, list[StoredMessage]] = {}
    for message in before:
        if message.topic_id:
            by_topic.setdefault(message.topic_id, []).append(message)
    for proposal in proposals:
        if proposal.basis is not Basis.ASKS:
            by_topic.setdefault(proposal.topic_id, []).append(proposal.message)
    return by_topic


def unquoted(quoted: Quoted, proposals: Sequence[Proposal]) -> list[str]:
    """Topics that the model is to choose from, and of which nothing can be quoted."""
    offered = {
        candidate.topic_id for proposal in uncertain(proposals) for candidate in proposal.candidates
    }
    return sorted(topic_id for topic_id in offered if not quoted.get(topic_id))


def uncertain(proposals: Sequence[Proposal]) -> list[Proposal]:
    """The questions of a run, in order; of too many those nearest to the toss of a coin."""
    asked = [proposal for proposal in proposals if proposal.basis is Basis.ASKS]
    kept = sorted(asked, key=lambda proposal: proposal.candidates[0].chance)[:MAX_QUESTIONS]
    wanted = {proposal.message.message_id for proposal in kept}
    return [proposal for proposal in asked if proposal.message.message_id in wanted]


def questions(
    proposals: Sequence[Proposal], topics: Mapping[str, Topic], quoted: Quoted
) -> Questions:
    """All of a run. Titles are wished for new topics, then for those that never got one."""
    asked = uncertain(proposals)
    opened = [proposal.topic_id for proposal in proposals if proposal.basis is Basis.OPENS]
    lacking = [
        topic.topic_id
        for topic in sorted(topics.values(), key=lambda topic: topic.last_message_at, reverse=True)
        if not topic.is_titled and topic.title_tries < TITLE_TRIES
    ]
    shown = {topic_id: _telling(quoted.get(topic_id, ())) for topic_id in (*opened, *lacking)}
    untitled = [topic_id for topic_id, lines in shown.items() if lines][:MAX_TITLES]
    data = {
        "questions": [
            {
                "n": n,
                "message": _shown(proposal.message, ASKED_CHARACTERS),
                "keywords": _hints([proposal.message]),
                "candidates": [
                    _candidate(
                        number,
                        topics.get(choice.topic_id),
                        list(quoted.get(choice.topic_id, ()))[-LAST_MESSAGES:],
                    )
                    for number, choice in enumerate(proposal.candidates, 1)
                ],
            }
            for n, proposal in enumerate(asked, 1)
        ],
        "titles": [
            {
                "n": n,
                "messages": [
                    message.content.strip()[:QUOTED_CHARACTERS] for message in shown[topic_id]
                ],
                "keywords": _hints(shown[topic_id]),
            }
            for n, topic_id in enumerate(untitled, 1)
        ],
    }
    return Questions(data, asked, untitled)


def _telling(lines: Sequence[StoredMessage]) -> list[StoredMessage]:
    """The first of those that tell something: nobody can name a talk by its greetings."""
    return list(islice((line for line in lines if not is_noise(line)), LAST_MESSAGES))


def _hints(lines: Sequence[StoredMessage]) -> list[str]:
    return list(keywords_of([line.content for line in lines], limit=TITLE_HINTS))


def _candidate(number: int, topic: Topic | None, last: Sequence[StoredMessage]) -> dict[str, Any]:
    """A topic that this very run opened has no title yet, only its messages."""
    return {
        "number": number,
        "title": topic.title if topic else "",
        "description": topic.description if topic else "",
        "keywords": list(heaviest_first(topic.keywords))[:KEYWORDS] if topic else [],
        "last_messages": [_shown(message, QUOTED_CHARACTERS) for message in last],
    }


def _shown(message: StoredMessage, characters: int) -> dict[str, str]:
    return {
        "user_name": message.user_name or message.user_id,
        "content": message.content.strip()[:characters],
        "create_time": message.create_time.isoformat(timespec="seconds"),
    }


def settle(proposals: Sequence[Proposal], answers: Answers = NO_ANSWERS) -> list[Assignment]:
    """Every message with its topic, in the same order."""
    topics: dict[str, str] = {}
    assignments = []
    for proposal in proposals:
        message = proposal.message
        topic_id, continues, basis = proposal.topic_id, proposal.continues, proposal.basis
        if basis is Basis.ASKS and message.message_id in answers.choices:
            choice = answers.choices[message.message_id]
            chosen = dict(enumerate(proposal.candidates, 1)).get(choice or 0)
            if choice is None:
                topic_id, continues, basis = opened_by(message), None, Basis.OPENS
            elif chosen is not None:
                topic_id, continues = chosen.topic_id, chosen.continues
        elif basis is Basis.FOLLOWS and continues in topics:
            topic_id = topics[continues]
        topics[message.message_id] = topic_id
        assignments.append(Assignment(message, topic_id, continues, basis))
    return assignments

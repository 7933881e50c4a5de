"""What the model is asked in one call: the questions of a run, and the titles it still lacks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from shared.domain.attribution.proposing import Basis, Proposal
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
class Quotable:
    """The messages that can be quoted for each topic, oldest first."""

    by_topic: Mapping[str, Sequence[StoredMessage]] = field(default_factory=dict)

    def last(self, topic_id: str) -> list[StoredMessage]:
        return list(self.by_topic.get(topic_id, ()))[-LAST_MESSAGES:]

    def first(self, topic_id: str) -> list[StoredMessage]:
        """Of those that tell something: nobody can name a talk by its greetings."""
        telling = (one for one in self.by_topic.get(topic_id, ()) if not is_noise(one))
        return list(islice(telling, LAST_MESSAGES))

    def lacking(self, proposals: Sequence[Proposal]) -> list[str]:
        """Topics that the model is to choose from, and of which nothing can be quoted."""
        offered = {one.topic_id for proposal in uncertain(proposals) for one in proposal.candidates}
        return sorted(one for one in offered if not self.last(one))

    def also(self, more: Mapping[str, Sequence[StoredMessage]]) -> "Quotable":
        return Quotable({**self.by_topic, **more})


def quotable(before: Sequence[StoredMessage], proposals: Sequence[Proposal]) -> Quotable:
    """Of what is at hand: the messages around, and those of the run."""
    by_topic: dict[str, list[StoredMessage]] = {}
    for message in before:
        if message.topic_id:
            by_topic.setdefault(message.topic_id, []).append(message)
    for proposal in proposals:
        if proposal.basis is not Basis.ASKS:
            by_topic.setdefault(proposal.topic_id, []).append(proposal.message)
    return Quotable(by_topic)


def uncertain(proposals: Sequence[Proposal]) -> list[Proposal]:
    """The questions of a run, in order; of too many those nearest to the toss of a coin."""
    asked = [one for one in proposals if one.basis is Basis.ASKS]
    kept = sorted(asked, key=lambda one: one.candidates[0].chance)[:MAX_QUESTIONS]
    wanted = {one.message.message_id for one in kept}
    return [one for one in asked if one.message.message_id in wanted]


def questions(
    proposals: Sequence[Proposal], topics: Mapping[str, Topic], quoted: Quotable
) -> Questions:
    """All of a run. Titles are wished for new topics, then for those that never got one."""
    asked = uncertain(proposals)
    opened = [one.topic_id for one in proposals if one.basis is Basis.OPENS]
    lacking = [
        topic.topic_id
        for topic in sorted(topics.values(), key=lambda one: one.last_message_at, reverse=True)
        if not topic.is_titled and topic.title_tries < TITLE_TRIES and quoted.first(topic.topic_id)
    ]
    untitled = [one for one in (*opened, *lacking) if quoted.first(one)][:MAX_TITLES]
    data = {
        "questions": [
            {
                "n": n,
                "message": _shown(one.message, ASKED_CHARACTERS),
                "keywords": list(keywords_of([one.message.content], limit=TITLE_HINTS)),
                "candidates": [
                    _candidate(number, choice.topic_id, topics.get(choice.topic_id), quoted)
                    for number, choice in enumerate(one.candidates, 1)
                ],
            }
            for n, one in enumerate(asked, 1)
        ],
        "titles": [
            {
                "n": n,
                "messages": [_quoted(one) for one in quoted.first(topic_id)],
                "keywords": list(
                    keywords_of([one.content for one in quoted.first(topic_id)], limit=TITLE_HINTS)
                ),
            }
            for n, topic_id in enumerate(untitled, 1)
        ],
    }
    return Questions(data, asked, untitled)


def _candidate(number: int, topic_id: str, topic: Topic | None, quoted: Quotable) -> dict[str, Any]:
    """A topic that this very run opened has no title yet, only its messages."""
    return {
        "number": number,
        "title": topic.title if topic else "",
        "description": topic.description if topic else "",
        "keywords": list(heaviest_first(topic.keywords))[:KEYWORDS] if topic else [],
        "last_messages": [_shown(one, QUOTED_CHARACTERS) for one in quoted.last(topic_id)],
    }


def _shown(message: StoredMessage, characters: int) -> dict[str, str]:
    return {
        "user_name": message.user_name or message.user_id,
        "content": message.content.strip()[:characters],
        "create_time": message.create_time.isoformat(timespec="seconds"),
    }


def _quoted(message: StoredMessage) -> str:
    return message.content.strip()[:QUOTED_CHARACTERS]

"""Relevance: how much each earlier message matters to the one that is asked about. Pure.

One interface, `Scorer`, that sees all candidates at once: `learned_scorer` is fitted, and
`five_factor_scorer` hand-set.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

from shared.domain.messages.addressing import find_mentions
from shared.domain.messages.message import EVERYONE
from shared.domain.messages.stored_message import StoredMessage

_LEADING_NAME = re.compile(r"\A\s*([^\s:,，：@]{1,32})\s?[:,，：]")


@dataclass(frozen=True)
class Asked:
    """What the bot is about to answer: a stored message, or words it has only just heard. `said_as`
    is the stored line of such words, where the bot sent it on before it asked."""

    create_time: datetime
    content: str = ""
    message_id: str | None = None
    said_as: str | None = None
    user_id: str | None = None
    user_name: str = ""
    reply_message_id: str | None = None
    root_message_id: str | None = None
    thread_id: str | None = None
    topic_id: str | None = None
    continues: str | None = None
    addressed: frozenset[str] = frozenset()
    terms: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Evidence:
    """What other reads know: which ids are the reply chain, how near each is in meaning (0..1),
    and which were found by words or meaning alone, however long ago they were said."""

    chain: frozenset[str] = frozenset()
    similarity: Mapping[str, float] = field(default_factory=dict)
    found: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Relevance:
    """Between 0 and 1, with the factors it is made of and words for those that counted."""

    score: float
    factors: Mapping[str, float]
    reasons: tuple[str, ...]


class Scorer(Protocol):
    def score(
        self, asked: Asked, candidates: Sequence[StoredMessage], evidence: Evidence
    ) -> list[Relevance]:
        """One for each candidate, in their order."""
        ...


JUST_NOW = timedelta(minutes=2)
"""A bot asks within seconds of hearing; whoever says the same words later says them again."""


def with_its_line(asked: Asked, recent: Sequence[StoredMessage]) -> Asked:
    """Words that were stored a moment ago are not offered as something that was said before."""
    if asked.message_id is not None:
        return asked
    own = [
        one.message_id
        for one in recent
        if one.content.strip() == asked.content.strip()
        and asked.user_id in (None, one.user_id)
        and abs(asked.create_time - one.create_time) <= JUST_NOW
    ]
    return replace(asked, said_as=own[-1]) if own else asked


def asked_of(message: StoredMessage) -> Asked:
    return Asked(
        create_time=message.create_time,
        content=message.content,
        message_id=message.message_id,
        user_id=message.user_id,
        user_name=message.user_name,
        reply_message_id=message.reply_message_id,
        root_message_id=message.root_message_id,
        thread_id=message.thread_id,
        topic_id=message.topic_id,
        continues=message.continues,
        addressed=addressed(message),
        terms=frozenset(message.terms),
    )


def addressed(message: StoredMessage) -> frozenset[str]:
    """Ids and names of those it speaks to, by mention or by a name it begins with."""
    found: set[str] = set()
    for mention in find_mentions(message):
        if mention != EVERYONE:
            found |= {mention.user_id, mention.user_id.lstrip("@").casefold()}
            found |= {mention.name.casefold()} - {""}
    if leading := _LEADING_NAME.match(message.content):
        found.add(leading[1].casefold())
    return frozenset(found)


def called(message: StoredMessage) -> frozenset[str]:
    """What its author answers to."""
    return frozenset({message.user_id, message.user_name.casefold()} - {""})

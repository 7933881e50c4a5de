"""Stored messages as attribution reads them: in which order, and which of their texts are embedded.

What was said, alone and without names, decides: names would make everything alike that one person
says. What is indexed has more to be found by: who says it, and the message before it in its topic.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from shared.domain.messages.addressing import find_mentions
from shared.domain.messages.message import EVERYONE, without_placeholders
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack_half

if TYPE_CHECKING:
    from shared.threads import Following, Said

BEFORE_CHARACTERS = 1_000
"""Of the message before: the beginning, so that the message itself is never cut off."""
LAST = 100
"""Lines that are looked at: the engine sees no further."""
READ = 6_000
"""Characters of a message that are looked through for names: as many as are embedded of it."""


def answered_by(message: StoredMessage) -> str | None:
    """The message it answers: the one it replies to, or the first of its thread."""
    replied = message.reply_message_id or message.root_message_id
    return replied if replied != message.message_id else None


def said_at(message: StoredMessage) -> tuple[datetime, datetime, int, str]:
    """Platforms that count seconds also count their ids: the longer number is the later one."""
    received = message.received_at or message.create_time
    return message.create_time, received, len(message.message_id), message.message_id


def in_order(messages: Sequence[StoredMessage]) -> list[StoredMessage]:
    """As they were said, but none before what it answers."""
    waiting = {message.message_id: message for message in sorted(messages, key=said_at)}
    ordered: dict[str, StoredMessage] = {}
    for message in waiting.values():
        chain = [message]
        while (answered := answered_by(chain[-1])) in waiting and answered not in ordered:
            assert answered is not None
            if waiting[answered] in chain:
                break  # two that answer each other: neither is first
            chain.append(waiting[answered])
        for earlier in reversed(chain):
            ordered.setdefault(earlier.message_id, earlier)
    return list(ordered.values())


@dataclass(frozen=True)
class IndexedText:
    """`after` is the message whose text stands before its own, if any does."""

    text: str
    after: str | None


def own_text(message: StoredMessage) -> str:
    """What a person wrote; empty for a lone picture."""
    return without_placeholders(message.content).strip()


def indexed_texts(
    waiting: Sequence[StoredMessage], messages: Mapping[str, StoredMessage]
) -> dict[str, IndexedText]:
    """By message id. The topics are not decided yet, so the one before is a guess: what it
    replies to, or what was said last."""
    found: dict[str, IndexedText] = {}
    said = sorted(messages.values(), key=said_at)
    times = [said_at(message) for message in said]
    for message in waiting:
        own = own_text(message)
        if not own:
            continue
        text, after = f"{_name(message)}: {own}", None
        place = bisect_left(times, said_at(message))
        last = said[place - 1] if place else None
        before = messages.get(answered_by(message) or "", last)
        if before is not None and (words := own_text(before)[:BEFORE_CHARACTERS]):
            text, after = f"{_name(before)}: {words}\n{text}", before.message_id
        found[message.message_id] = IndexedText(text, after)
    return found


def _name(message: StoredMessage) -> str:
    return message.user_name or message.user_id


def as_said(message: StoredMessage, vector: Sequence[float] | None) -> "Said":
    """As `shared.threads` takes it."""
    from shared.threads import Said

    if len(message.content) > READ:
        message = replace(message, content=message.content[:READ])
    mentions = [mention for mention in find_mentions(message) if mention != EVERYONE]
    return Said(
        message_id=message.message_id,
        user_id=message.user_id,
        user_name=message.user_name,
        at=message.create_time.timestamp(),
        text=without_placeholders(message.content),
        is_bot=message.role == "assistant",
        calls_bot=message.is_mention_bot,
        mentions=tuple((mention.name, mention.user_id) for mention in mentions),
        terms=message.terms,
        kind=message.message_type or "",
        thread=message.thread_id,
        answers=answered_by(message),
        topic_id=message.topic_id,
        continues=message.continues,
        vector=vector,
    )


def stored_vector(message: StoredMessage, model: str) -> Sequence[float] | None:
    """None if it was made by another embedding model: the two do not compare."""
    is_of_model = message.vector and message.vector_model == model
    return unpack_half(message.vector) if is_of_model else None


def follow(
    message: StoredMessage,
    vector: Sequence[float] | None,
    before: Sequence[StoredMessage],
    *,
    model: str,
) -> "Following":
    """What it follows. `before` are lines with what is stored of them, in any order; the message
    itself and what was said later may be among them and are passed over. `vector` is of the
    message's own text, of embedding `model`; None tells nothing of its meaning."""
    from shared import threads

    earlier = [
        line
        for line in sorted(before, key=said_at)
        if line.message_id != message.message_id and line.create_time <= message.create_time
    ][-LAST:]
    return threads.follow(
        as_said(message, vector),
        [as_said(line, stored_vector(line, model)) for line in earlier],
    )

"""Which texts of a message are embedded.

What was said, alone and without names, decides: names would make everything alike that one person
says. What is indexed has more to be found by: who says it, and the message before it in its topic.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.domain.attribution.model_answers import Assignment
from shared.domain.attribution.order import answered_by, said_at
from shared.domain.messages.message import without_placeholders
from shared.domain.messages.stored_message import StoredMessage

BEFORE_CHARACTERS = 1_000
"""Of the message before: the beginning, so that the message itself is never cut off."""


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
    times = [said_at(one) for one in said]
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


def was_guessed_right(
    text: IndexedText, assignment: Assignment, topic_of: Mapping[str, str]
) -> bool:
    """Whether the message before, if there is one, ended up in the same topic."""
    return text.after is None or topic_of.get(text.after) == assignment.topic_id


def _name(message: StoredMessage) -> str:
    return message.user_name or message.user_id

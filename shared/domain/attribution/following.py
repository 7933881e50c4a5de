"""Stored messages as `shared.threads` takes them, and what one of them follows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shared.domain.attribution.order import answered_by, said_at
from shared.domain.messages.addressing import find_mentions
from shared.domain.messages.message import EVERYONE, without_placeholders
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.calibration import cosine_scale
from shared.domain.similarity.vectors import unpack_half

if TYPE_CHECKING:
    from shared.threads import Following, Said

LAST = 100
"""Lines that are looked at: the engine sees no further."""
READ = 6_000
"""Characters of a message that are looked through for names: as many as are embedded of it."""


def as_said(message: StoredMessage, vector: Sequence[float] | None) -> "Said":
    from shared.threads import Said

    if len(message.content) > READ:
        message = replace(message, content=message.content[:READ])
    mentions = [one for one in find_mentions(message) if one != EVERYONE]
    return Said(
        message_id=message.message_id,
        user_id=message.user_id,
        user_name=message.user_name,
        at=message.create_time.timestamp(),
        text=without_placeholders(message.content),
        is_bot=message.role == "assistant",
        calls_bot=message.is_mention_bot,
        mentions=tuple((one.name, one.user_id) for one in mentions),
        terms=message.terms,
        kind=str(message.features.get("message_type", "")),
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
    """`before` are lines with what is stored of them, in any order; the message itself and what
    was said later may be among them and are passed over. `vector` is of the message's own text,
    of embedding `model`; None tells nothing of its meaning."""
    from shared import threads

    earlier = [
        one
        for one in sorted(before, key=said_at)
        if one.message_id != message.message_id and one.create_time <= message.create_time
    ][-LAST:]
    return threads.follow(
        as_said(message, vector),
        [as_said(one, stored_vector(one, model)) for one in earlier],
        model,
        cosine_scale(model),
    )

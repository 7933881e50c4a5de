"""What is summarised of a talk: noise dropped, what one person said in one go joined. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.domain.messages.stored_message import StoredMessage
from shared.language import MessageType, estimate_tokens

BURST = timedelta(minutes=2)
"""Who goes on within so short a time is still saying the same thing."""
BURST_CHARACTERS = 600
"""Together; beyond it the lines are told one by one, so that one can be left out."""
MAX_CHARACTERS = 2_000
"""Of one message; a longer one is a paste, and its beginning says what it is."""
CUT = " […]"

_NOTHING_SAID = re.compile(r"(?>\[[^\[\]\n]{1,20}\]|[\W_])*+")
"""Pictures, faces and signs only."""


@dataclass(frozen=True)
class Burst:
    """One or several messages of one person with nothing between them."""

    message_ids: tuple[str, ...]
    user_id: str
    user_name: str
    role: str
    content: str
    at: datetime
    until: datetime
    terms: frozenset[str]
    message_type: str = ""

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.content)


def bursts(messages: Sequence[StoredMessage]) -> list[Burst]:
    """In the order they were said. A talk of nothing but noise stays: it is all there is."""
    ordered = sorted(messages, key=lambda one: (one.create_time, one.message_id))
    telling = [one for one in ordered if one.is_readable and not is_noise(one)]
    joined: list[Burst] = []
    for message in telling or [one for one in ordered if one.is_readable and one.content.strip()]:
        own = _burst(message)
        last = joined[-1] if joined else None
        if last is not None and _goes_on(last, own):
            joined[-1] = _joined(last, own)
        else:
            joined.append(own)
    return joined


def is_noise(message: StoredMessage) -> bool:
    """Nothing that anybody would look for: laughter, thanks, a picture without words."""
    if _NOTHING_SAID.fullmatch(message.content):
        return True
    telling = [term for term in message.terms if len(set(term)) > 1]
    return message.message_type is MessageType.CASUAL and not telling


def _burst(message: StoredMessage) -> Burst:
    content = " ".join(message.content.split())
    if len(content) > MAX_CHARACTERS:
        content = content[:MAX_CHARACTERS] + CUT
    return Burst(
        message_ids=(message.message_id,),
        user_id=message.user_id,
        user_name=message.user_name or message.user_id,
        role=message.role,
        content=content,
        at=message.create_time,
        until=message.create_time,
        terms=frozenset(message.terms),
        message_type=message.message_type or "",
    )


def _goes_on(last: Burst, own: Burst) -> bool:
    return (
        last.user_id == own.user_id
        and last.role == own.role
        and own.at - last.until <= BURST
        and len(last.content) + len(own.content) <= BURST_CHARACTERS
    )


def _joined(last: Burst, own: Burst) -> Burst:
    return replace(
        last,
        message_ids=(*last.message_ids, *own.message_ids),
        content=f"{last.content} / {own.content}",
        until=own.until,
        terms=last.terms | own.terms,
        message_type=last.message_type if last.message_type == "question" else own.message_type,
    )

"""What is summarised of a talk: noise dropped, what one person said in one go joined. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.secrets import mask_secrets
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
    """One or several messages of one person with nothing between them, without the secrets in
    them: what is derived of a talk is derived of these."""

    message_ids: tuple[str, ...]
    user_id: str
    user_name: str
    role: str
    content: str
    at: datetime
    until: datetime
    terms: frozenset[str]
    message_type: str = ""
    has_secret: bool = False

    @property
    def tokens(self) -> int:
        return estimate_tokens(self.content)


def bursts(messages: Sequence[StoredMessage]) -> list[Burst]:
    """In the order they were said. A talk of nothing but noise stays: it is all there is."""
    ordered = sorted(messages, key=lambda message: (message.create_time, message.message_id))
    telling = [message for message in ordered if message.is_readable and not is_noise(message)]
    joined: list[Burst] = []
    for message in telling or [
        message for message in ordered if message.is_readable and message.content.strip()
    ]:
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
    masked, secrets = mask_secrets(message.content)
    content = " ".join(masked.split())
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
        has_secret=bool(secrets),
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
        has_secret=last.has_secret or own.has_secret,
    )


MAX_TOKENS = 2_400
"""What a small model still summarises well, with room for its reply."""
MIN_BURSTS = 6
"""A shorter part costs a call and says little."""
PAUSE = timedelta(minutes=30)
"""People who come back after so long often come with something else."""
WINDOW = 6
"""Bursts on either side whose words are compared."""
PAUSE_WORTH = 0.5
"""What a pause counts for beside a full turn of subject, which is 1."""


def segments(talk: Sequence[Burst], max_tokens: int = MAX_TOKENS) -> list[list[Burst]]:
    """Parts of at most `max_tokens`, cut where the subject turns or the talk pauses.

    A talk that fits is one part: cutting it would only cost calls.
    """
    if not talk:
        return []
    if sum(burst.tokens for burst in talk) <= max_tokens or len(talk) == 1:
        return [list(talk)]
    cut = _best_cut(talk, max_tokens)
    return [*segments(talk[:cut], max_tokens), *segments(talk[cut:], max_tokens)]


def _best_cut(talk: Sequence[Burst], max_tokens: int) -> int:
    """The best place before the first part grows too long, and not at its very beginning."""
    tokens, latest = 0, 1
    for place, burst in enumerate(talk):
        tokens += burst.tokens
        if tokens > max_tokens:
            latest = max(1, place)
            break
    earliest = min(max(MIN_BURSTS, latest // 2), latest)
    places = range(earliest, latest + 1)
    return max(places, key=lambda place: (_turn(talk, place), place))


def _turn(talk: Sequence[Burst], place: int) -> float:
    """How much a new part begins at this place: the words change, or time has passed."""
    before = frozenset[str]().union(
        *(burst.terms for burst in talk[max(0, place - WINDOW) : place])
    )
    after = frozenset[str]().union(*(burst.terms for burst in talk[place : place + WINDOW]))
    smaller = min(len(before), len(after))
    shared = len(before & after) / smaller if smaller else 0.0
    pause = talk[place].at - talk[place - 1].until >= PAUSE if place < len(talk) else False
    return 1.0 - shared + PAUSE_WORTH * pause

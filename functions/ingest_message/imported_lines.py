"""Lines of an old chat that the group has already, from its webhook or from another export."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from shared.domain.messages.message import Message, Recall
from shared.domain.secrets import without_secrets
from shared.stores.messages import Messages

OF_HISTORY = "h-"
"""How the ids begin that `annals import` makes of time, sender and text, where a file has none that
a webhook gives too."""
ONE_SECOND = timedelta(seconds=1)
MOST_IN_A_SECOND = 20
"""More is no talk."""


async def known_by_their_words(
    group_id: str, arrivals: Sequence[Message | Recall], messages: Messages
) -> list[Message | Recall]:
    """The same sender, second and words is the same line: it comes under the id that it has. Where
    the group has nothing of that time, one query tells."""
    lines = [
        arrival for arrival in arrivals if isinstance(arrival, Message) and _is_of_history(arrival)
    ]
    if not lines:
        return list(arrivals)
    times = [line.create_time.replace(microsecond=0) for line in lines]
    if not await messages.said_between(group_id, min(times), max(times) + ONE_SECOND, None, 1):
        return list(arrivals)
    found = await asyncio.gather(*(_known_as(line, messages) for line in lines))
    ids = {line.message_id: known for line, known in zip(lines, found, strict=True) if known}
    return [
        _renamed(arrival, ids) if isinstance(arrival, Message) else arrival for arrival in arrivals
    ]


def _is_of_history(message: Message) -> bool:
    return message.message_id.startswith(OF_HISTORY)


async def _known_as(line: Message, messages: Messages) -> str | None:
    since = line.create_time.replace(microsecond=0)
    until = since + ONE_SECOND - timedelta.resolution
    said = await messages.said_between(line.group_id, since, until, None, MOST_IN_A_SECOND)
    same = [message.message_id for message in said if _words(message) == _words(line)]
    return None if line.message_id in same else next(iter(same), None)


def _words(message: Message) -> tuple[str, list[str]]:
    """Masked, as the stored line may be masked where the one of the file is not."""
    return message.user_id, without_secrets(message.content).split()


def _renamed(message: Message, ids: Mapping[str, str]) -> Message:
    answered = message.reply_message_id
    return replace(
        message,
        message_id=ids.get(message.message_id, message.message_id),
        reply_message_id=ids.get(answered, answered) if answered else None,
    )

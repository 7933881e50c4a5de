"""The order in which messages were said, and what each answers by the platform's own word."""

from collections.abc import Sequence
from datetime import datetime

from shared.domain.messages.stored_message import StoredMessage


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
    waiting = {one.message_id: one for one in sorted(messages, key=said_at)}
    ordered: dict[str, StoredMessage] = {}
    for message in waiting.values():
        chain = [message]
        while (answered := answered_by(chain[-1])) in waiting and answered not in ordered:
            assert answered is not None
            if waiting[answered] in chain:
                break  # two that answer each other: neither is first
            chain.append(waiting[answered])
        for one in reversed(chain):
            ordered.setdefault(one.message_id, one)
    return list(ordered.values())

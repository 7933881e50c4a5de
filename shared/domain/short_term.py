"""Short-term memory of a message: what it answers, its topic, and what was said last. Pure."""

from collections.abc import Sequence

from shared.domain.messages.stored_message import StoredMessage


def short_term(
    chain: Sequence[StoredMessage],
    topic: Sequence[StoredMessage],
    recent: Sequence[StoredMessage],
    limit: int,
) -> list[StoredMessage]:
    """At most `limit`, oldest first, none twice.

    The reply chain comes first; then the newest of the topic; the last messages of the group only
    fill up. Whatever has to go, it is the oldest of the least related.
    """
    kept: dict[str, StoredMessage] = {}
    for way in (chain, topic, recent):
        for message in sorted(way, key=_when, reverse=True):
            if len(kept) < limit:
                kept.setdefault(message.message_id, message)
    return sorted(kept.values(), key=_when)


def _when(message: StoredMessage) -> tuple[object, str]:
    return message.create_time, message.message_id

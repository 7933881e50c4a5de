"""A message as a record: where it stands, how it is read, and the writes that change it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.domain.ids import safe_id, shard_of
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.similarity.vectors import pack_half
from shared.stores.firestore import Snapshot, Write, create, delete, gone, server_time, update
from shared.stores.groups import group_path
from shared.stores.records import Codec

MESSAGES = Codec(StoredMessage)


@dataclass(frozen=True)
class FoundMessage:
    """A message with the revision it was read at: a write can insist that it is still the same."""

    message: StoredMessage
    revision: datetime


def message_path(group_id: str, message_id: str) -> str:
    return f"{group_path(group_id)}/messages/{safe_id(message_id)}"


def found_message(snapshot: Snapshot) -> FoundMessage:
    return FoundMessage(MESSAGES.read(snapshot), snapshot.updated_at)


def new_message(message: StoredMessage) -> Write:
    """Conflict if there is one by that id already."""
    fields = _fields(message)
    fields["received_at"] = server_time()
    if message.state is MessageState.PENDING:
        fields |= _pending(message.group_id)
    return create(message_path(message.group_id, message.message_id), fields)


def changed_message(message: StoredMessage, revision: datetime) -> Write:
    """An edit or a recall: everything but the time it was received. Conflict if it moved."""
    fields = _fields(message)
    is_pending = message.state is MessageState.PENDING
    fields |= _pending(message.group_id) if is_pending else {"pending_since": gone()}
    return update(message_path(message.group_id, message.message_id), fields, revision)


def attributed_message(
    found: FoundMessage,
    topic_id: str,
    continues: str | None,
    vector: Sequence[float] | None = None,
    vector_model: str = "",
) -> Write:
    """`vector` is of its own text: the lines after it are compared with it."""
    message = found.message
    return update(
        message_path(message.group_id, message.message_id),
        {
            "state": MessageState.ATTRIBUTED.value,
            "topic_id": topic_id,
            "continues": continues,
            "vector": pack_half(vector) if vector is not None else b"",
            "vector_model": vector_model if vector is not None else "",
            "reply_message_id": message.reply_message_id,
            "state_reason": None,
            "pending_since": gone(),
            "updated_at": server_time(),
        },
        found.revision,
    )


def moved_message(found: FoundMessage, topic_id: str, continues: str | None) -> Write:
    """Into another topic, which nothing else of it depends on. Conflict if it changed meanwhile."""
    message = found.message
    return update(
        message_path(message.group_id, message.message_id),
        {"topic_id": topic_id, "continues": continues, "updated_at": server_time()},
        found.revision,
    )


def passed_over(found: FoundMessage, reason: str) -> Write:
    """One poison message never blocks a group: it is marked, named, and left."""
    return update(
        message_path(found.message.group_id, found.message.message_id),
        {
            "state": MessageState.UNATTRIBUTABLE.value,
            "state_reason": reason,
            "pending_since": gone(),
            "updated_at": server_time(),
        },
        found.revision,
    )


def delete_message(group_id: str, message_id: str) -> Write:
    return delete(message_path(group_id, message_id))


def _pending(group_id: str) -> dict[str, Any]:
    return {"pending_since": server_time(), "shard": shard_of(group_id)}


def _fields(message: StoredMessage) -> dict[str, Any]:
    fields = MESSAGES.fields(message)
    del fields["pending_since"], fields["received_at"]
    for name in ("expires_at", "masked_at"):
        if fields[name] is None:
            del fields[name]
    fields["updated_at"] = server_time()
    return fields

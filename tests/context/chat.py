"""A made-up chat for tests of context: short to write, always the same."""

from datetime import UTC, datetime, timedelta
from typing import Any

from shared.domain.messages.stored_message import StoredMessage
from shared.language import terms

AT = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)


def said(number: int, content: str = "hello", **changes: Any) -> StoredMessage:
    return StoredMessage(
        **{
            "group_id": "lark:1",
            "message_id": f"m{number}",
            "user_id": f"u{number}",
            "user_name": f"User {number}",
            "content": content,
            "create_time": AT + timedelta(minutes=number),
            "terms": tuple(terms(content)),
            **changes,
        }
    )

"""Records as prompts show them to a model."""

from datetime import UTC, datetime
from typing import Any

from shared.domain.messages.stored_message import StoredMessage


def prompt_time(moment: datetime | None) -> str | None:
    """RFC 3339, UTC."""
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def prompt_message(message: StoredMessage, most_characters: int | None = None) -> dict[str, Any]:
    """A member without a name goes by the id; a long text is cut."""
    return {
        "id": message.message_id,
        "user_id": message.user_id,
        "user_name": message.user_name or message.user_id,
        "role": message.role,
        "time": prompt_time(message.create_time),
        "content": message.content[:most_characters],
    }

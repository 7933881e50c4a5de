"""The question that an evolution puts to the model: memories as they are, and what was said."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from shared.contracts.prompts import prompt_day, prompt_message
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.news import MAX_CHARACTERS
from shared.domain.messages.stored_message import StoredMessage

SILENT = timedelta(days=5)
"""A memory that was borne out since is not old: the day is not told."""


def question(
    memories: Sequence[Memory], messages: Sequence[StoredMessage], now: datetime
) -> dict[str, Any]:
    return {
        "today": now.date().isoformat(),
        "existing_memories": [
            {
                "id": memory.memory_id,
                "statement": memory.statement,
                "kind": memory.kind,
                "subject": memory.subject,
                **_standing(memory, now),
            }
            for memory in memories
        ],
        "new_discussions": [prompt_message(message, MAX_CHARACTERS) for message in messages],
    }


def _standing(memory: Memory, now: datetime) -> dict[str, str | None]:
    """What is out of the ordinary: silence of some days, and that it is only a candidate."""
    told: dict[str, str | None] = {}
    if memory.last_supported_at and now - memory.last_supported_at > SILENT:
        told["last_supported_at"] = prompt_day(memory.last_supported_at)
    if memory.status is not MemoryStatus.ACTIVE:
        told["status"] = memory.status.value
    return told

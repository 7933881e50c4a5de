"""The question that an evolution puts to the model: memories as they are, and what was said."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from shared.contracts.prompt_names import PromptNames
from shared.contracts.prompts import (
    MEMORY_COLUMNS,
    MESSAGE_COLUMNS,
    as_table,
    prompt_day,
    prompt_message,
    with_fewer_times,
)
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.news import MAX_CHARACTERS
from shared.domain.messages.stored_message import StoredMessage

SILENT = timedelta(days=5)
"""A memory that was borne out since is not old: the day is not told."""


def question(
    memories: Sequence[Memory],
    messages: Sequence[StoredMessage],
    now: datetime,
    names: PromptNames,
) -> dict[str, Any]:
    said = [names.line(prompt_message(message, MAX_CHARACTERS)) for message in messages]
    known = [
        {
            "id": names.memories.short(memory.memory_id),
            "statement": memory.statement,
            "kind": memory.kind,
            "subject": names.member(memory.subject) if memory.subject else None,
            **_standing(memory, now),
        }
        for memory in memories
    ]
    return {
        "today": now.date().isoformat(),
        "existing_memories": as_table(known, MEMORY_COLUMNS),
        "new_discussions": as_table(with_fewer_times(said), MESSAGE_COLUMNS),
    }


def _standing(memory: Memory, now: datetime) -> dict[str, str | None]:
    """What is out of the ordinary: silence of some days, and that it is only a candidate."""
    told: dict[str, str | None] = {}
    if memory.last_supported_at and now - memory.last_supported_at > SILENT:
        told["last_supported_at"] = prompt_day(memory.last_supported_at)
    if memory.status is not MemoryStatus.ACTIVE:
        told["status"] = memory.status.value
    return told

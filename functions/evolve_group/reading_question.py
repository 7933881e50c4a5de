"""The question that a reading puts to the model, and its answer in the product's words."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
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
from shared.contracts.replies import Evolution, EvolutionLine
from shared.domain.memories.evolution import ModelLine
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.memories.reading import MAX_CHARACTERS
from shared.domain.messages.stored_message import StoredMessage

SILENT = timedelta(days=5)
"""A memory that was borne out since is not old: the day is not told."""


def question(
    memories: Sequence[Memory],
    messages: Sequence[StoredMessage],
    now: datetime,
    names: PromptNames,
    members: Mapping[str, str],
    remember: str = "",
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
    speakers = {message.user_id for message in messages}
    others = [
        {"user_id": names.member(user_id), "name": name}
        for user_id, name in members.items()
        if user_id not in speakers
    ]
    return {
        "today": now.date().isoformat(),
        **({"remember": remember} if remember else {}),
        "existing_memories": as_table(known, MEMORY_COLUMNS),
        "new_discussions": as_table(with_fewer_times(said), MESSAGE_COLUMNS),
        **({"known_people": others} if others else {}),
    }


def the_rest(asked: Mapping[str, Any], reply: Evolution) -> dict[str, Any]:
    """The same question again after a reply that was cut: with what came of it."""
    given = [line.old_id or line.statement for line in reply.lines]
    return {**asked, "given": [one for one in given if one]}


def together(first: Evolution, rest: Evolution) -> Evolution:
    return Evolution(
        lines=[*first.lines, *rest.lines],
        entities=[*first.entities, *rest.entities],
        relations=[*first.relations, *rest.relations],
    )


def model_line(line: EvolutionLine, names: PromptNames, zone: tzinfo) -> ModelLine:
    until = _day(line.valid_until)
    return ModelLine(
        action=line.action,
        old_id=names.memories.whole(line.old_id) if line.old_id else None,
        statement=line.statement or "",
        reason=line.change_reason or "",
        kind=line.kind or "",
        subject=names.user_id(line.subject or ""),
        tags=tuple(line.tags),
        sources=tuple(names.whole_messages(line.sources)),
        agree=tuple(names.whole_messages(line.agree)),
        deny=tuple(names.whole_messages(line.deny)),
        confidence=line.confidence,
        valid_from=_midnight(_day(line.valid_from), zone),
        # It holds to the end of that day.
        valid_until=_midnight(until + timedelta(days=1) if until else None, zone),
    )


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def _midnight(day: date | None, zone: tzinfo) -> datetime | None:
    if day is None or not 1970 < day.year < 9000:
        return None
    return datetime.combine(day, time(), zone)


def _standing(memory: Memory, now: datetime) -> dict[str, str | None]:
    """What is out of the ordinary: silence of some days, and that it is only a candidate."""
    told: dict[str, str | None] = {}
    if memory.last_supported_at and now - memory.last_supported_at > SILENT:
        told["last_supported_at"] = prompt_day(memory.last_supported_at)
    if memory.status is not MemoryStatus.ACTIVE:
        told["status"] = memory.status.value
    return told

"""What an imported record must be: within the bounds of one that came in by its own route.

A file can say anything, and what is stored is read again by every context of the group: one number
that is none, or a time at the end of the calendar, would make each of them fail. Pure.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from typing import Any, get_args

from shared.config.setting import is_zone
from shared.domain.audience import KnownAudience
from shared.domain.group import Group
from shared.domain.ids import checked_id
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.graph import Entity
from shared.domain.knowledge.profile import Profile
from shared.domain.knowledge.profile_merge import MAX_PROFILE_BYTES
from shared.domain.memories.memory import KINDS, MAX_STATEMENT, Memory
from shared.domain.messages.admission import AHEAD, check_ids, check_times
from shared.domain.messages.delivery import EARLY_RECALL
from shared.domain.messages.message import (
    ATTACHMENT_KINDS,
    MAX_ATTACHMENTS,
    MAX_CONTENT_BYTES,
    MAX_MENTIONS,
    MAX_NAME_CHARACTERS,
)
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.similarity.vectors import unpack, unpack_half
from shared.domain.topics.topic import Topic
from shared.errors import InvalidInput

MOST = 10**12
"""Of anything that is counted; more could not be added to for long."""
HEAVIEST = 1e6
"""Of a keyword, or of a scale: sums of them stay numbers."""
MAX_TAGS = 100
MAX_TAG_CHARACTERS = 200
AUDIENCES = get_args(KnownAudience)
_SHARES = ("strength", "confidence")
_FROM_ONE = ("version",)
_ANY_WHOLE = ("end_seq",)
_WEIGHTS = ("keywords", "keyword_weights", "values")


@dataclass(frozen=True)
class RecordBounds:
    """When it is, in which space vectors of our own model lie, and whether the group wants a second
    voice for what one person said."""

    now: datetime
    model: str
    dimensions: int
    holds_back: bool = True


def check_record(record: Any, bounds: RecordBounds) -> None:
    """InvalidInput names the field that no route would have let in."""
    for owner in _parts(record):
        _check_numbers(owner)
    match getattr(record, "profile", record):
        case Group() as group:
            _check_group(group, bounds)
        case StoredMessage() as message:
            _check_message(message, bounds)
        case Memory() as memory:
            _check_memory(memory, bounds)
        case Topic() as topic:
            _check_topic(topic, bounds)
        case Profile() as profile:
            _check_profile(profile)
        case Entity() as entity:
            _wanted(bool(entity.name.strip()), "name", "it is empty")
        case Event() as event:
            _check_event(event)


def _wanted(is_right: bool, field: str, otherwise: str) -> None:
    if not is_right:
        raise InvalidInput(f"{field}: {otherwise}")


def _parts(record: Any) -> Iterator[Any]:
    """The record, and the records in it: claims, preferences, cursors."""
    yield record
    for field in fields(record):
        value = getattr(record, field.name)
        inside = value.values() if isinstance(value, Mapping) else value
        several = inside if isinstance(value, tuple | Mapping) else (value,)
        for each in several:
            if is_dataclass(each):
                yield from _parts(each)


def _check_numbers(record: Any) -> None:
    for field in fields(record):
        name, value = field.name, getattr(record, field.name)
        if name in _SHARES:
            _wanted(0 <= value <= 1, name, "it is between 0 and 1")
        elif name in _WEIGHTS and isinstance(value, Mapping):
            is_right = all(abs(weight) <= HEAVIEST for weight in value.values())
            _wanted(is_right, name, f"a weight is at most {HEAVIEST:g}")
        elif isinstance(value, int) and not isinstance(value, bool) and name not in _ANY_WHOLE:
            least = int(name in _FROM_ONE)
            _wanted(least <= value <= MOST, name, f"it is between {least} and {MOST}")


def _check_group(group: Group, bounds: RecordBounds) -> None:
    _wanted(not group.timezone or is_zone(group.timezone), "timezone", "there is no such time zone")
    _wanted(group.audience in AUDIENCES, "audience", f"it is one of {', '.join(AUDIENCES)}")
    _check_length("name", group.name, MAX_NAME_CHARACTERS)
    for user_id in group.opted_out:
        checked_id("opted_out", user_id)
    latest = bounds.now + AHEAD
    for cursor in group.cursors.values():
        _wanted(cursor.at <= latest, "cursors", "a pipeline has not read what is still to be said")


def _check_message(message: StoredMessage, bounds: RecordBounds) -> None:
    # Of a recall that came before its message only this id is left.
    own_id = message.message_id
    if not message.is_readable:
        own_id = own_id.removeprefix(EARLY_RECALL)
    check_ids(replace(message, message_id=own_id))
    check_times(message, bounds.now)
    _wanted(len(message.mentions) <= MAX_MENTIONS, "mentions", f"more than {MAX_MENTIONS}")
    _wanted(
        len(message.attachments) <= MAX_ATTACHMENTS, "attachments", f"more than {MAX_ATTACHMENTS}"
    )
    for attachment in message.attachments:
        _wanted(attachment.kind in ATTACHMENT_KINDS, "attachments", "a kind that is not known")
    named = [mention.name for mention in message.mentions] + [
        attachment.name for attachment in message.attachments
    ]
    for name in named:
        _check_length("name", name, MAX_NAME_CHARACTERS)
    _check_vector("vector", message.vector, 2, message.vector_model == bounds.model, bounds)


def _check_memory(memory: Memory, bounds: RecordBounds) -> None:
    _wanted(bool(memory.statement.strip()), "statement", "it is empty")
    _check_length("statement", memory.statement, MAX_STATEMENT)
    _wanted(memory.kind in KINDS, "kind", f"it is one of {', '.join(KINDS)}")
    _check_tags(memory.tags)
    is_ours = memory.embedded_as.rpartition("/")[0] == bounds.model
    _check_vector("vector", memory.vector, 4, is_ours, bounds)


def _check_topic(topic: Topic, bounds: RecordBounds) -> None:
    _check_length("title", topic.title, MAX_NAME_CHARACTERS)
    _wanted(bool(topic.vector_count) or not topic.vector_sum, "vector_count", "a sum of nothing")
    is_ours = topic.embedding_model == bounds.model
    _check_vector("vector_sum", topic.vector_sum, 4, is_ours, bounds)


def _check_profile(profile: Profile) -> None:
    checked_id("entity_id", profile.entity_id)
    _wanted(profile.audience in AUDIENCES, "audience", f"it is one of {', '.join(AUDIENCES)}")
    _check_length("name", profile.name, MAX_NAME_CHARACTERS)
    _wanted(
        len(profile.body.encode()) <= MAX_PROFILE_BYTES,
        "body",
        f"it has more than {MAX_PROFILE_BYTES} bytes",
    )
    _check_tags(profile.tags)


def _check_event(event: Event) -> None:
    _wanted(not event.timezone or is_zone(event.timezone), "timezone", "there is no such time zone")
    if event.user_id:
        checked_id("user_id", event.user_id)
    _wanted(
        len(event.canonical_text.encode()) <= MAX_CONTENT_BYTES,
        "canonical_text",
        f"it has more than {MAX_CONTENT_BYTES} bytes",
    )


def _check_tags(tags: tuple[str, ...]) -> None:
    _wanted(len(tags) <= MAX_TAGS, "tags", f"more than {MAX_TAGS}")
    for tag in tags:
        _check_length("tags", tag, MAX_TAG_CHARACTERS)


def _check_length(field: str, text: str, most: int) -> None:
    _wanted(len(text) <= most, field, f"it has more than {most} characters")


def _check_vector(
    field: str, packed: bytes, width: int, is_ours: bool, bounds: RecordBounds
) -> None:
    """Whole numbers of bytes, each number one; of our own model as many as the index has."""
    if not packed:
        return
    _wanted(len(packed) % width == 0, field, f"its numbers have {width} bytes each")
    numbers = [float(number) for number in (unpack_half(packed) if width == 2 else unpack(packed))]
    _wanted(all(map(math.isfinite, numbers)), field, "one of its numbers is none")
    if is_ours:
        _wanted(len(numbers) == bounds.dimensions, field, f"it has not {bounds.dimensions} numbers")
        _wanted(any(numbers), field, "it has no direction")

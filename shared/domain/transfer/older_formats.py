"""Files of older systems as lines of an export: notes of ended turns, profiles, memories. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from shared.domain.audience import KnownAudience
from shared.domain.ids import digest, safe_id
from shared.domain.knowledge.event import Event, Note
from shared.domain.knowledge.profile import Preference, Profile, Trait
from shared.domain.memories.memory import KINDS, MAX_STATEMENT, Memory, MemoryStatus
from shared.domain.storable import LARGEST, is_possible
from shared.domain.transfer.admission import MOST
from shared.domain.transfer.lines import ExportLine
from shared.errors import InvalidInput
from shared.language import kind_of_statement

OLDEST_EPOCH_MS = 10_000_000_000
"""A number of seconds above this would be after the year 2286: it is milliseconds."""
MAX_NOTE = 16_000
"""Characters, as `POST /end` takes them."""
MAX_FRONT = 64 * 1024
"""Characters of a front matter: YAML is read slowly."""
_TEXTS = ("summary", "action_summary", "content", "text", "canonical_text")
_LISTS = ("summaries", "points", "memories")
_TIMES = ("timestamp", "time", "created_at", "date", "datetime")


def end_summaries(text: str, group_id: str, now: datetime) -> list[tuple[ExportLine, Note | None]]:
    """`end_summaries.json`: a list of notes or of texts, or a map from a time or an id to one.
    Each as an event in its own words; with its own time, also the note to rewrite it from."""
    found: list[tuple[ExportLine, Note | None]] = []
    for place, (key, item) in enumerate(_items(_parsed(text))):
        fields = {"summary": item} if isinstance(item, str) else item
        if not isinstance(fields, Mapping):
            raise InvalidInput(f"note {place + 1} is neither a text nor an object")
        told = next((str(fields[name]).strip() for name in _TEXTS if fields.get(name)), "")
        if not told:
            continue
        when = _moment(next((fields[name] for name in _TIMES if fields.get(name)), key))
        request = str(fields.get("request_id") or digest("end_summary", key, told, str(when)))
        _check_text(f"note {place + 1}", told, MAX_NOTE)
        seq = _whole(fields.get("end_seq"), f"note {place + 1}: end_seq", least=0, most=LARGEST)
        event = Event(
            event_id=f"{request}:{seq}",
            group_id=group_id,
            canonical_text=told,
            request_id=request,
            end_seq=seq,
            timestamp_utc=when or now,
            timestamp_local=(when or now).isoformat(),
            timezone="UTC",
            location_abs=str(fields.get("location") or ""),
            request_type="group",
            user_id=str(fields.get("user_id") or ""),
            sender_id=str(fields.get("sender_id") or fields.get("user_id") or ""),
            message_ids=(),
            source_users=(str(fields["user_id"]),) if fields.get("user_id") else (),
            has_new_info=False,
            is_absolute=False,
            degraded=True,
            worded_by="import",
        )
        note = Note(
            group_id, event.user_id, request, seq, told, "", False, (),
            location=event.location_abs, received_at=when,
        )  # fmt: skip
        line = ExportLine("event", safe_id(event.event_id), asdict(event))
        found.append((line, note if when else None))
    return found


def old_memories(text: str, group_id: str, now: datetime) -> list[ExportLine]:
    """An older collection: a list of payloads, bare or as points with a `payload`."""
    lines: list[ExportLine] = []
    for place, (_, item) in enumerate(_items(_parsed(text))):
        found = item.get("payload", item) if isinstance(item, Mapping) else None
        if not isinstance(found, Mapping):
            raise InvalidInput(f"memory {place + 1} is not an object")
        statement = str(found.get("statement") or found.get("content") or "").strip()
        if not statement or len(statement) > MAX_STATEMENT:
            raise InvalidInput(f"memory {place + 1} has no usable statement")
        old_id = str(found.get("memory_id") or found.get("id") or digest("old", statement))
        status = str(found.get("status") or "active")
        kind = str(found.get("kind") or "")
        made = _moment(found.get("created_at")) or now
        where = f"memory {place + 1}"
        memory = Memory(
            memory_id=_own(group_id, old_id),
            group_id=group_id,
            statement=statement,
            version=_whole(found.get("version"), f"{where}: version", least=1, most=MOST),
            created_at=made,
            updated_at=_moment(found.get("updated_at")) or made,
            status=MemoryStatus(status) if status in set(MemoryStatus) else MemoryStatus.DEPRECATED,
            kind=kind if kind in KINDS else kind_of_statement(statement),
            parent_id=_own(group_id, str(found["parent_id"])) if found.get("parent_id") else None,
            change_summary=str(found.get("change_summary") or ""),
            strength=_share(found.get("strength"), f"{where}: strength", 0.5),
            tags=_texts(found.get("tags"), f"{where}: tags"),
            last_supported_at=_moment(found.get("updated_at")) or made,
        )
        lines.append(ExportLine("memory", memory.memory_id, asdict(memory)))
    return _with_roots(lines)


def _own(group_id: str, old_id: str) -> str:
    return digest("old memory", group_id, old_id)


def _with_roots(lines: Sequence[ExportLine]) -> list[ExportLine]:
    """By its first version a whole history is found."""
    parents = {line.id: line.data["parent_id"] for line in lines}
    children = {parent: child for child, parent in parents.items() if parent}
    done = []
    for line in lines:
        root, seen = line.id, {line.id}
        while (parent := parents.get(root)) in parents and parent not in seen:
            root = str(parent)
            seen.add(root)
        more = {"root_id": root, "superseded_by": children.get(line.id)}
        done.append(replace(line, data={**line.data, **more}))
    return done


def profile_file(text: str, group_id: str, audience: KnownAudience, now: datetime) -> ExportLine:
    """One `profiles/users/*.md` or `profiles/groups/*.md`: YAML front matter and Markdown."""
    import yaml

    head, closed, body = text.removeprefix("---\n").partition("\n---\n")
    if len(head) > MAX_FRONT:
        raise InvalidInput(f"the front matter has more than {MAX_FRONT} characters")
    try:
        front = yaml.safe_load(head) if closed and text.startswith("---\n") else None
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInput("the front matter is not YAML, or a time in it cannot be") from error
    if not isinstance(front, dict) or front.get("entity_type") not in ("user", "group"):
        raise InvalidInput("no front matter that says whose profile it is")
    is_group = front["entity_type"] == "group"
    profile = Profile(
        entity_type="group" if is_group else "user",
        entity_id=group_id if is_group else _text(front.get("entity_id"), "entity_id"),
        group_id=group_id,
        body=body.strip(),
        updated_at=_moment(front.get("updated_at")) or now,
        audience=audience,
        name=_text(front.get("name"), "name"),
        tags=_texts(front.get("tags"), "tags"),
        source_event_id=_text(front.get("source_event_id"), "source_event_id"),
        preferences=tuple(
            Preference(
                _text(preference.get("key"), "preferences.key"),
                _text(preference.get("value"), "preferences.value"),
                _share(preference.get("confidence"), "preferences.confidence", 0.8),
            )
            for preference in _objects(front.get("preferences"), "preferences")
        ),
        traits=tuple(
            Trait(
                _text(trait.get("name"), "traits.name"),
                _share(trait.get("confidence"), "traits.confidence", 0.8),
            )
            for trait in _objects(front.get("traits"), "traits")
        ),
        merged_by="import",
    )
    if not profile.entity_id or not profile.body:
        raise InvalidInput("a profile of nobody, or with nothing in it")
    data = {**asdict(profile), "profile_id": profile.profile_id}
    return ExportLine("profile", safe_id(profile.profile_id), data)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("the file is not JSON, or nested too deep") from error


def _text(value: Any, where: str) -> str:
    """A number is taken by its digits: older files have ids without quotation marks."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise InvalidInput(f"{where}: it is a text")


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list | None):
        raise InvalidInput(f"{where}: it is a list of texts")
    return tuple(_text(item, where) for item in value or ())


def _objects(value: Any, where: str) -> list[Mapping[str, Any]]:
    found = value or []
    if not isinstance(found, list) or not all(isinstance(item, Mapping) for item in found):
        raise InvalidInput(f"{where}: it is a list of objects")
    return found


def _whole(value: Any, where: str, *, least: int, most: int) -> int:
    """Where there is none it is 1."""
    if value is None:
        return 1
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise InvalidInput(f"{where}: it is a whole number from {least} to {most}")
    return value


def _share(value: Any, where: str, otherwise: float) -> float:
    if value is None:
        return otherwise
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 1:
        raise InvalidInput(f"{where}: it is a number between 0 and 1")
    return float(value)


def _check_text(where: str, text: str, most: int) -> None:
    if len(text) > most:
        raise InvalidInput(f"{where}: its text has more than {most} characters")


def _items(found: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(found, list):
        yield from ((str(place), one) for place, one in enumerate(found))
    elif isinstance(found, Mapping):
        inner = next(
            (found[name] for name in ("summaries", "points", "memories") if name in found), found
        )
        if inner is not found:
            yield from _items(inner)
            return
        for key, item in found.items():
            several = item if isinstance(item, list) else [item]
            yield from ((str(key), each) for each in several)
    else:
        raise InvalidInput("neither a list nor an object")


def _moment(value: Any) -> datetime | None:
    """Seconds, milliseconds, or a date as people write it; without a zone it is UTC. None for what
    is no time, InvalidInput for one that cannot be."""
    found = _read_moment(value)
    if found is not None and not is_possible(found):
        raise InvalidInput(f"{found.isoformat()}: a time is between 1970 and 3000")
    return found


def _read_moment(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value.replace(tzinfo=value.tzinfo or UTC)
    try:
        if isinstance(value, str) and value.replace(".", "", 1).isdigit() and len(value) >= 9:
            value = float(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value > OLDEST_EPOCH_MS else value
            return datetime.fromtimestamp(seconds, UTC)
        if isinstance(value, str):
            found = datetime.fromisoformat(value.strip().replace("/", "-"))
            return found.replace(tzinfo=found.tzinfo or UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None

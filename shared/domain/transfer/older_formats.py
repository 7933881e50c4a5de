"""Files of older systems as lines of an export: notes of ended turns, profiles, memories. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from shared.domain.ids import digest, safe_id
from shared.domain.knowledge.event import Event
from shared.domain.knowledge.profile import Preference, Profile, Trait
from shared.domain.memories.guessed_kind import guessed_kind
from shared.domain.memories.memory import KINDS, MAX_STATEMENT, Memory, MemoryStatus
from shared.domain.transfer.lines import ExportLine
from shared.errors import InvalidInput

OLDEST_EPOCH_MS = 10_000_000_000
"""A number of seconds above this would be after the year 2286: it is milliseconds."""
_TEXTS = ("summary", "action_summary", "content", "text", "canonical_text")
_LISTS = ("summaries", "points", "memories")
_TIMES = ("timestamp", "time", "created_at", "date", "datetime")


def end_summaries(text: str, group_id: str, now: datetime) -> list[ExportLine]:
    """`end_summaries.json`: a list of notes or of texts, or a map from a time or an id to one."""
    lines: list[ExportLine] = []
    for place, (key, item) in enumerate(_items(_parsed(text))):
        fields = {"summary": item} if isinstance(item, str) else item
        if not isinstance(fields, Mapping):
            raise InvalidInput(f"note {place + 1} is neither a text nor an object")
        told = next((str(fields[one]).strip() for one in _TEXTS if fields.get(one)), "")
        if not told:
            continue
        when = _moment(next((fields[one] for one in _TIMES if fields.get(one)), key)) or now
        request = str(fields.get("request_id") or digest("end_summary", key, told, str(when)))
        seq = fields.get("end_seq")
        event = Event(
            event_id=f"{request}:{seq if isinstance(seq, int) else 1}",
            group_id=group_id,
            canonical_text=told,
            request_id=request,
            end_seq=seq if isinstance(seq, int) else 1,
            timestamp_utc=when,
            timestamp_local=when.isoformat(),
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
        lines.append(ExportLine("event", safe_id(event.event_id), asdict(event)))
    return lines


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
        strength = found.get("strength")
        memory = Memory(
            memory_id=_own(group_id, old_id),
            group_id=group_id,
            statement=statement,
            version=int(found.get("version") or 1),
            created_at=made,
            updated_at=_moment(found.get("updated_at")) or made,
            status=MemoryStatus(status) if status in set(MemoryStatus) else MemoryStatus.DEPRECATED,
            kind=kind if kind in KINDS else guessed_kind(statement),
            parent_id=_own(group_id, str(found["parent_id"])) if found.get("parent_id") else None,
            change_summary=str(found.get("change_summary") or ""),
            strength=float(strength) if isinstance(strength, int | float) else 0.5,
            tags=tuple(str(one) for one in found.get("tags") or ()),
            last_supported_at=_moment(found.get("updated_at")) or made,
        )
        lines.append(ExportLine("memory", memory.memory_id, asdict(memory)))
    return _with_roots(lines)


def _own(group_id: str, old_id: str) -> str:
    return digest("old memory", group_id, old_id)


def _with_roots(lines: Sequence[ExportLine]) -> list[ExportLine]:
    """By its first version a whole history is found."""
    parents = {one.id: one.data["parent_id"] for one in lines}
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


def profile_file(text: str, group_id: str, audience: str, now: datetime) -> ExportLine:
    """One `profiles/users/*.md` or `profiles/groups/*.md`: YAML front matter and Markdown."""
    import yaml

    head, closed, body = text.removeprefix("---\n").partition("\n---\n")
    try:
        front = yaml.safe_load(head) if closed and text.startswith("---\n") else None
    except yaml.YAMLError as error:
        raise InvalidInput("the front matter is not YAML") from error
    if not isinstance(front, dict) or front.get("entity_type") not in ("user", "group"):
        raise InvalidInput("no front matter that says whose profile it is")
    is_group = front["entity_type"] == "group"
    profile = Profile(
        entity_type="group" if is_group else "user",
        entity_id=group_id if is_group else str(front.get("entity_id") or ""),
        group_id=group_id,
        body=body.strip(),
        updated_at=_moment(front.get("updated_at")) or now,
        audience=audience,
        name=str(front.get("name") or ""),
        tags=tuple(str(one) for one in front.get("tags") or ()),
        source_event_id=str(front.get("source_event_id") or ""),
        preferences=tuple(Preference(**one) for one in front.get("preferences") or ()),
        traits=tuple(Trait(**one) for one in front.get("traits") or ()),
        merged_by="import",
    )
    if not profile.entity_id or not profile.body:
        raise InvalidInput("a profile of nobody, or with nothing in it")
    data = {**asdict(profile), "profile_id": profile.profile_id}
    return ExportLine("profile", safe_id(profile.profile_id), data)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise InvalidInput("the file is not JSON") from error


def _items(found: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(found, list):
        yield from ((str(place), one) for place, one in enumerate(found))
    elif isinstance(found, Mapping):
        inner = next(
            (found[one] for one in ("summaries", "points", "memories") if one in found), found
        )
        if inner is not found:
            yield from _items(inner)
            return
        for key, one in found.items():
            several = one if isinstance(one, list) else [one]
            yield from ((str(key), each) for each in several)
    else:
        raise InvalidInput("neither a list nor an object")


def _moment(value: Any) -> datetime | None:
    """Seconds, milliseconds, or a date as people write it; without a zone it is UTC."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=value.tzinfo or UTC)
    if isinstance(value, str) and value.replace(".", "", 1).isdigit() and len(value) >= 9:
        value = float(value)
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value > OLDEST_EPOCH_MS else value
            return datetime.fromtimestamp(seconds, UTC)
        if isinstance(value, str):
            found = datetime.fromisoformat(value.strip().replace("/", "-"))
            return found.replace(tzinfo=found.tzinfo or UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None

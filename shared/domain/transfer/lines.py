"""A line of an export: a kind, an id and data as JSON; and the same line for another group.

Ids that are looked up without a group (a memory's, a topic's, an entity's) may exist only once, so
in another group they are derived anew, always the same from the same. Pure.
"""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from shared.domain.ids import digest, is_document_id, safe_id
from shared.domain.storable import check_storable
from shared.errors import InvalidInput

KINDS = (
    "group", "message", "topic", "summary", "memory", "change", "conflict", "event", "profile",
    "snapshot", "entity", "relation",
)  # fmt: skip
"""In the order of an export: what others refer to comes first."""
PARENTS = {"summary": "topic", "snapshot": "profile"}
"""Kinds that stand below another; their ids are `parent/child`."""
_RENAMED: Mapping[str, tuple[str, ...]] = {
    "message": ("topic_id",),
    "topic": ("topic_id",),
    "summary": ("topic_id",),
    "memory": ("memory_id", "parent_id", "superseded_by", "root_id"),
    "change": ("memory_id", "old_id", "root_id"),
    "conflict": ("conflict_id", "memory_id", "root_id"),
    "entity": ("entity_id",),
    "relation": ("relation_id", "source_id", "target_id"),
}
_BY_ID = frozenset({"topic", "memory", "conflict", "entity", "relation"})
"""Their document is named by an id that is renamed."""


@dataclass(frozen=True)
class ExportLine:
    """`id` is the name of the document, below its group."""

    kind: str
    id: str
    data: Mapping[str, Any]


def written(line: ExportLine) -> str:
    """One line of NDJSON, always the same for the same document."""
    data = {"kind": line.kind, "id": line.id, "data": _plain(line.data)}
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return {"$time": value.astimezone(UTC).isoformat()}
    if isinstance(value, bytes):
        return {"$bytes": base64.b64encode(value).decode()}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def read_line(text: str) -> ExportLine:
    """InvalidInput, saying why, if it is not one of ours."""
    try:
        found = json.loads(text)
        kind, name, data = found["kind"], found["id"], found["data"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidInput("not an object with kind, id and data") from error
    if kind not in KINDS or not isinstance(name, str) or not isinstance(data, dict):
        raise InvalidInput("a kind that is not known, or an id or data of the wrong make")
    if name.count("/") != (kind in PARENTS) or not all(map(is_document_id, name.split("/"))):
        raise InvalidInput("id: it names no document of this kind")
    try:
        values = {key: _value(item) for key, item in data.items()}
    except (ValueError, OverflowError) as error:
        raise InvalidInput("a time or bytes that cannot be read") from error
    except RecursionError as error:
        raise InvalidInput("data: it is nested too deep") from error
    check_storable(values, "data")
    return ExportLine(kind, name, values)


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return [_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$time"}:
        moment = datetime.fromisoformat(str(value["$time"]))
        return moment.replace(tzinfo=moment.tzinfo or UTC)
    if value.keys() == {"$bytes"}:
        return base64.b64decode(str(value["$bytes"]), validate=True)
    return {key: _value(item) for key, item in value.items()}


def for_group(line: ExportLine, group_id: str) -> ExportLine:
    """The line as it stands in this group; unchanged if it comes from there."""
    came_from = comes_from(line) or group_id
    if came_from == group_id:
        return line
    data = dict(line.data)
    if "group_id" in data:
        data["group_id"] = group_id
    for name in _RENAMED.get(line.kind, ()):
        if data.get(name):
            data[name] = renamed(group_id, str(data[name]))
    if line.kind == "relation":
        ends = [str(data.get(name)) for name in ("source_id", "target_id")]
        data["ends"] = ends
        data["typed_ends"] = [f"{data.get('relation_type')}:{end}" for end in ends]
    if line.kind == "snapshot":
        data["profile"] = _own_profile(_profile_of(line), came_from, group_id)
    if line.kind == "profile":
        data = _own_profile(data, came_from, group_id)
    return ExportLine(line.kind, _own_id(line, came_from, group_id), data)


def comes_from(line: ExportLine) -> str | None:
    """The group that it was exported from, if it says so."""
    said = line.data.get("group_id") or _profile_of(line).get("group_id")
    return str(said) if said else None


def is_group_line(text: str) -> bool:
    """Whether it is meant to be the group's own, readable or not."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found.get("kind") == "group"


def renamed(group_id: str, old_id: str) -> str:
    return digest("imported", group_id, old_id)


def _own_id(line: ExportLine, came_from: str, group_id: str) -> str:
    if line.kind in _BY_ID:
        return renamed(group_id, _named(line) or line.id)
    if line.kind == "group":
        return safe_id(group_id)
    parent, _, child = line.id.partition("/")
    if line.kind == "summary":
        return f"{renamed(group_id, _named(line) or parent)}/{child}"
    if parent == safe_id(f"group:{came_from}"):
        parent = safe_id(f"group:{group_id}")
    return f"{parent}/{child}" if child else parent


def _named(line: ExportLine) -> str:
    """What its data call it: in the name of its document some signs are escaped."""
    return str(line.data.get(_RENAMED[line.kind][0]) or "")


def _profile_of(line: ExportLine) -> Mapping[str, Any]:
    profile = line.data.get("profile")
    return profile if isinstance(profile, Mapping) else {}


def _own_profile(data: Mapping[str, Any], came_from: str, group_id: str) -> dict[str, Any]:
    """The group's own profile is named after the group."""
    own = {**data, "group_id": group_id}
    if data.get("entity_type") == "group" and data.get("entity_id") == came_from:
        own["entity_id"] = group_id
        if "profile_id" in data:
            own["profile_id"] = f"group:{group_id}"
    return own

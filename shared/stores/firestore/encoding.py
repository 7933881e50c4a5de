"""Documents and writes as Firestore's own messages, and back.

Built on the bare protobuf messages: the wrappers around them copy each value, which costs more than
everything else in a read or a write. Nothing here calls the service.
"""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from shared.errors import Broken

_AS_THEY_ARE = frozenset(
    {"string_value", "integer_value", "boolean_value", "double_value", "bytes_value"}
)
_REQUEST_TIME = 1
"""`FieldTransform.ServerValue.REQUEST_TIME`."""
_SIMPLE_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")

Document = tuple[str, dict[str, Any], datetime, datetime]
"""Its path, its fields, when it was written and when it was read, both with nanoseconds."""


@dataclass(frozen=True)
class ServerTime:
    """In place of a value: the database's own clock at the commit."""


@dataclass(frozen=True)
class Gone:
    """In place of a value: the field is taken away."""


@dataclass(frozen=True)
class Plus:
    """In place of a value: so much is added to the number, whatever it is by then."""

    amount: float


SERVER_TIME: Final = ServerTime()
GONE: Final = Gone()


def document(raw: Any, read_time: Any) -> Document:
    return (
        raw.name.split("/", 5)[5],
        decoded(raw.fields),
        time_of(raw.update_time),
        time_of(read_time),
    )


def decoded(fields: Any) -> dict[str, Any]:
    """The fields of a document; times keep their nanoseconds."""
    return {name: _decode(value) for name, value in fields.items()}


def _decode(value: Any) -> Any:
    kind = value.WhichOneof("value_type")
    if kind in _AS_THEY_ARE:
        return getattr(value, kind)
    if kind == "null_value":
        return None
    if kind == "timestamp_value":
        return time_of(value.timestamp_value)
    if kind == "array_value":
        return [_decode(item) for item in value.array_value.values]
    if kind == "map_value":
        return decoded(value.map_value.fields)
    raise Broken(f"a stored document has a {kind}, which none of ours has")


def time_of(raw: Any) -> datetime:
    """With nanoseconds: a precondition must name the very moment."""
    time: datetime = _time_type().from_timestamp_pb(raw)
    return time


@functools.cache
def _time_type() -> Any:
    from google.api_core.datetime_helpers import DatetimeWithNanoseconds

    return DatetimeWithNanoseconds


def whole_document(name: str, data: Mapping[str, Any], *, is_new: bool) -> Any:
    """The write that puts a whole document; a new one must not be there yet."""
    raw = _write_type()()
    raw.update.name = name
    for field, value in data.items():
        if not _is_transform(raw, _quoted(field), value):
            encode(raw.update.fields[field], value)
    if is_new:
        raw.current_document.exists = False
    return raw


def named_fields(name: str, data: Mapping[str, Any], unchanged_since: datetime | None) -> Any:
    """The write that sets whole fields of a document that exists, or takes them away."""
    raw = _write_type()()
    raw.update.name = name
    raw.update_mask.SetInParent()
    for field, value in data.items():
        if _is_transform(raw, _quoted(field), value):
            continue
        raw.update_mask.field_paths.append(_quoted(field))
        if not isinstance(value, Gone):
            encode(raw.update.fields[field], value)
    if unchanged_since is None:
        raw.current_document.exists = True
    else:
        _encode_time(raw.current_document.update_time, unchanged_since)
    return raw


def merged_fields(name: str, data: Mapping[str, Any]) -> Any:
    """The write that sets what the data names and leaves the rest, also inside maps; it makes the
    document if there is none."""
    raw = _write_type()()
    raw.update.name = name
    raw.update_mask.SetInParent()
    for fields, value in _leaves((), data):
        path = ".".join(map(_quoted, fields))
        if _is_transform(raw, path, value):
            continue
        raw.update_mask.field_paths.append(path)
        if isinstance(value, Gone):
            continue
        inside = raw.update.fields
        for field in fields[:-1]:
            inside = inside[field].map_value.fields
        encode(inside[fields[-1]], value)
    return raw


def deletion(name: str) -> Any:
    return _write_type()(delete=name)


def _leaves(
    inside: tuple[str, ...], data: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each value with the way to it; an empty map is a value."""
    for field, value in data.items():
        way = (*inside, field)
        if isinstance(value, Mapping) and value:
            yield from _leaves(way, value)
        else:
            yield way, value


def _is_transform(raw: Any, path: str, value: Any) -> bool:
    """Whether the value is one that the database works out, and is on its way there."""
    if isinstance(value, ServerTime):
        raw.update_transforms.add(field_path=path, set_to_server_value=_REQUEST_TIME)
    elif isinstance(value, Plus):
        encode(raw.update_transforms.add(field_path=path).increment, value.amount)
    else:
        return False
    return True


@functools.lru_cache(maxsize=1000)
def _quoted(field: str) -> str:
    """A field's name as a path writes it."""
    if _SIMPLE_NAME.fullmatch(field):
        return field
    escaped = field.replace("\\", "\\\\").replace("`", "\\`")
    return f"`{escaped}`"


@functools.cache
def _write_type() -> Any:
    from google.cloud.firestore_v1.types.write import Write

    return Write.pb()


def encode(into: Any, value: Any) -> None:
    """Sets an empty message to the value."""
    if value is None:
        into.null_value = 0
    elif isinstance(value, bool):
        into.boolean_value = value
    elif isinstance(value, int):
        into.integer_value = value
    elif isinstance(value, float):
        into.double_value = value
    elif isinstance(value, str):
        into.string_value = value
    elif isinstance(value, bytes):
        into.bytes_value = value
    elif isinstance(value, datetime):
        _encode_time(into.timestamp_value, value)
    elif isinstance(value, Mapping):
        into.map_value.SetInParent()
        for key, item in value.items():
            encode(into.map_value.fields[key], item)
    elif isinstance(value, list | tuple | set | frozenset):
        into.array_value.SetInParent()
        for item in value:
            encode(into.array_value.values.add(), item)
    else:
        raise TypeError(f"a document has no {type(value).__name__}")


def _encode_time(into: Any, value: datetime) -> None:
    if hasattr(value, "timestamp_pb"):
        into.CopyFrom(value.timestamp_pb())
    else:
        into.FromDatetime(value)

"""Field paths: `a.b`, quoted parts, and reading or changing what they name in a map of fields."""

import re
from functools import lru_cache
from typing import NoReturn

from .protobuf import Document, Message, Value
from .refusal import invalid

NAME = "__name__"
MAX_NAME_BYTES = 1500
_SIMPLE = re.compile(r"[a-zA-Z_][a-zA-Z_0-9]*")
_PART = re.compile(r"([a-zA-Z_][a-zA-Z_0-9]*)|`((?:[^`\\]|\\.)+)`", re.DOTALL)
_RESERVED = re.compile(r"__.*__", re.DOTALL)
_UNESCAPE = re.compile(r"\\(.)", re.DOTALL)

Path = tuple[str, ...]


@lru_cache(maxsize=4096)
def parse(text: str) -> Path:
    """A path's parts; refused as the service refuses it."""
    if not text:
        invalid("Invalid empty property path string.")
    parts = []
    at = 0
    while True:
        match = _PART.match(text, at)
        if match is None:
            _malformed(text)
        parts.append(match[1] or _UNESCAPE.sub(r"\1", match[2]))
        at = match.end()
        if at == len(text):
            break
        if text[at] != ".":
            _malformed(text)
        at += 1
    path = tuple(parts)
    if path != (NAME,):
        for part in path:
            if part.startswith("__") and _RESERVED.fullmatch(part):
                invalid(f"Invalid reserved name in field path {text}")
    return path


def _malformed(text: str) -> NoReturn:
    invalid(
        f'Invalid property path "{text}". Unquoted property paths must match regex '
        "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
        r"(`(?:[^`\\]|(?:\\.))+`)"
    )


@lru_cache(maxsize=16384)
def part_text(part: str) -> str:
    """One part as it is written inside a path."""
    if _SIMPLE.fullmatch(part):
        return part
    return "`" + part.replace("\\", "\\\\").replace("`", "\\`") + "`"


@lru_cache(maxsize=4096)
def path_text(path: Path) -> str:
    return ".".join(map(part_text, path))


def lookup(fields: Message, path: Path) -> Message | None:
    """The value at the path, or None."""
    last = len(path) - 1
    for place, part in enumerate(path):
        if part not in fields:
            return None
        value = fields[part]
        if place == last:
            return value
        if not has_members(value):
            return None
        fields = value.map_value.fields
    return None


def has_members(value: Message) -> bool:
    """Whether a path can lead into it: a map, but not one that says it is a vector."""
    if value.WhichOneof("value_type") != "map_value":
        return False
    fields = value.map_value.fields
    return "__type__" not in fields or fields["__type__"].string_value != "__vector__"


def assign(fields: Message, path: Path, value: Message) -> None:
    """Put the value at the path; whatever stands in the way becomes a map."""
    fields = _enclosing(fields, path)
    fields[path[-1]].CopyFrom(value)


def _enclosing(fields: Message, path: Path) -> Message:
    for part in path[:-1]:
        value = fields[part]
        if not has_members(value):
            value.CopyFrom(Value())
            value.map_value.SetInParent()
        fields = value.map_value.fields
    return fields


def remove(fields: Message, path: Path) -> None:
    """Take the value at the path away, if it is there."""
    for part in path[:-1]:
        if part not in fields or not has_members(fields[part]):
            return
        fields = fields[part].map_value.fields
    if path[-1] in fields:
        del fields[path[-1]]


def project(fields: Message, paths: list[Path]) -> Message:
    """A document with only what the paths name."""
    kept = Document()
    for path in paths:
        value = lookup(fields, path) if path != (NAME,) else None
        if value is not None:
            assign(kept.fields, path, value)
    return kept

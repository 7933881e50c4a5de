"""A record's metadata: what it may hold, and the one text in which it is stored.

Numbers are doubles, as in the service: an integer that goes in comes out as a float.
"""

import json
from collections.abc import Mapping
from typing import Any

from .errors import invalid
from .limits import MAX_METADATA_BYTES

Scalar = str | float | bool
Value = Scalar | list[str]
Metadata = dict[str, Value]

_SHOWN_BYTES = 16


def normalised(given: Any) -> Metadata:
    """The metadata as kept: nulls dropped, numbers as doubles; raises where the service does."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise invalid(f"Metadata must be an object, got '{shown(given)}'")
    kept: Metadata = {}
    for field, value in given.items():
        if field.startswith("$"):
            raise invalid(f"Metadata field name '{field}' must not begin with '$'")
        if value is not None:
            kept[field] = _value(field, value)
    return kept


def encoded(metadata: Metadata) -> str | None:
    """The text that is stored, or None when there is nothing; raises when it is too large."""
    if not metadata:
        return None
    text = json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
    size = len(text.encode())
    if size > MAX_METADATA_BYTES:
        raise invalid(
            f"metadata size is {size} bytes, which exceeds the limit of "
            f"{MAX_METADATA_BYTES} bytes per vector"
        )
    return text


def decoded(text: str | None) -> Metadata:
    if text is None:
        return {}
    metadata: Metadata = json.loads(text)
    return metadata


def _value(field: str, value: Any) -> Value:
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, list) and all(isinstance(element, str) for element in value):
        return value
    raise invalid(
        "Metadata value must be a string, number, boolean or list of strings, "
        f"got '{shown(value)}' for field '{field}'"
    )


def shown(value: Any) -> str:
    """How the service quotes a value it refuses: numbers as doubles, the first sixteen bytes."""
    text = json.dumps(_as_doubles(value), ensure_ascii=False, separators=(",", ":"))
    start = text.encode()[:_SHOWN_BYTES]
    if len(start) == len(text.encode()):
        return text
    return start.decode(errors="ignore") + "..."


def _as_doubles(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return float(value)
    if isinstance(value, list):
        return [_as_doubles(element) for element in value]
    if isinstance(value, dict):
        return {key: _as_doubles(element) for key, element in value.items()}
    return value

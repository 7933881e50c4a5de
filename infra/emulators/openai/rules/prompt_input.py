"""Reads the JSON object a prompt was given, forgiving what is missing or of another shape."""

from datetime import UTC, datetime
from typing import Any

Given = dict[str, Any]


def objects(given: Given, key: str) -> list[Given]:
    """The objects listed under a key; a bare text among them becomes its `content`."""
    found = given.get(key)
    if not isinstance(found, list):
        return []
    return [
        item if isinstance(item, dict) else {"content": str(item)}
        for item in found
        if item is not None
    ]


def text(given: Given, *keys: str) -> str:
    """The first of the keys that holds a text."""
    for key in keys:
        found = given.get(key)
        if isinstance(found, str) and found.strip():
            return found.strip()
    return ""


def texts(given: Given, key: str) -> list[str]:
    found = given.get(key)
    if isinstance(found, str):
        return [found] if found.strip() else []
    if not isinstance(found, list):
        return []
    return [item.strip() for item in found if isinstance(item, str) and item.strip()]


def child(given: Given, key: str) -> Given:
    found = given.get(key)
    return found if isinstance(found, dict) else {}


def number(given: Given, key: str, otherwise: float) -> float:
    found = given.get(key)
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return float(found) if is_number and found is not None else otherwise


def moment(value: object) -> datetime | None:
    """An RFC 3339 time (or a plain date) with its zone, UTC if it names none."""
    if not isinstance(value, str) or not value:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)

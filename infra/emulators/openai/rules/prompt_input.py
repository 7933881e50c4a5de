"""Reads the JSON object a prompt was given, forgiving what is missing or of another shape."""

from datetime import UTC, datetime
from typing import Any

Given = dict[str, Any]


def objects(given: Given, key: str) -> list[Given]:
    """The objects listed under a key, or the rows of a table (`columns` and `rows`) there; a bare
    text among them becomes its `content`."""
    found = given.get(key)
    if isinstance(found, dict):
        found = _rows(found.get("columns"), found.get("rows"))
    if not isinstance(found, list):
        return []
    return [
        item if isinstance(item, dict) else {"content": str(item)}
        for item in found
        if item is not None
    ]


def _rows(columns: object, rows: object) -> list[Given]:
    if not isinstance(columns, list) or not isinstance(rows, list):
        return []
    return [
        {str(name): value for name, value in zip(columns, row, strict=False) if value is not None}
        for row in rows
        if isinstance(row, list)
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


def moment(value: object) -> datetime | None:
    """An RFC 3339 time (or a plain date) with its zone, UTC if it names none."""
    if not isinstance(value, str) or not value:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)

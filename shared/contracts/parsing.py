"""Reads what a model wrote as JSON, or nearly so. Pure, and never raises.

First as JSON, then repaired. What cannot be read is left out and reported by its place, never by
its text. The end of a text that was cut short is left out too: half a sentence repairs into
well-formed JSON, and would be remembered as if it had been said.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAX_REPAIR_CHARACTERS = 200_000
MAX_REPAIR_DEPTH = 40
"""Repairing is slow on deep nonsense; no reply of ours nests deeper than six."""

_FENCE = re.compile(r"^\s*```[\w-]*\s*$", re.MULTILINE)
_THOUGHT = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_COMMENT = ("#", "//", "--")


@dataclass(frozen=True)
class Problem:
    """What could not be used and why; `place` counts lines or items from one, 0 is the whole."""

    place: int
    reason: str

    def __str__(self) -> str:
        return f"item {self.place}: {self.reason}" if self.place else self.reason


Items = tuple[list[dict[str, Any]], list[Problem]]


def parse_object(text: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The one JSON object in `text`, whatever stands around it."""
    bare = _bare(text)
    if not bare:
        return None, [Problem(0, "the reply is empty")]
    found = _strict(bare)
    if found is None:
        found = _first_object(bare)
    if found is None:
        start = bare.find("{")
        if start < 0:
            return None, [Problem(0, "there is no JSON object in the reply")]
        if _is_open(bare[start:]):
            return None, [Problem(0, "the reply is cut off before its end")]
        found = _repaired(bare[start:])
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    if isinstance(found, dict) and found:
        return found, []
    return None, [Problem(0, "the reply is not one JSON object")]


def parse_items(text: str, key: str) -> Items:
    """The objects of `{key: [...]}`, of an array, or of JSON lines; unreadable ones are skipped."""
    bare = _bare(text)
    if not bare:
        return [], [Problem(0, "the reply is empty")]
    whole = _strict(bare)
    if whole is not None:
        return _listed(whole, key)
    if _is_wrapped(bare, key):
        items, problems = _repaired_whole(bare, key)
        if items:
            return items, problems
    return _by_line(bare, key)


def _bare(text: str) -> str:
    """`text` without a model's thoughts, code fences and byte order mark."""
    return _FENCE.sub("", _THOUGHT.sub("", text.lstrip("\ufeff"), count=1)).strip()


def _strict(text: str) -> Any:
    """The value of `text` if it is an object or an array in JSON, else None."""
    try:
        value = _whole(json.loads(text))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _first_object(text: str) -> dict[str, Any] | None:
    """A well-formed object that stands among prose."""
    start = text.find("{")
    if start < 0:
        return None
    try:
        value = _whole(json.JSONDecoder().raw_decode(text, start)[0])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _repaired(text: str) -> Any:
    if len(text) > MAX_REPAIR_CHARACTERS or _depths(text)[0] > MAX_REPAIR_DEPTH:
        return None
    from json_repair import loads

    try:
        return _whole(loads(text, skip_json_loads=True))
    except (ValueError, RecursionError, IndexError, TypeError, KeyError, AttributeError):
        return None


def _whole(value: Any) -> Any:
    """`value` with escaped surrogate pairs joined, as repairing leaves them apart."""
    if isinstance(value, str):
        return (
            value
            if value.isascii()
            else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value


def _depths(text: str) -> tuple[int, int]:
    """How deep the brackets nest, and how many are still open at the end."""
    deepest = depth = 0
    for character in text:
        if character in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "}]" and depth:
            depth -= 1
    return deepest, depth


def _is_open(text: str) -> bool:
    return _depths(text)[1] > 0


def _is_wrapped(text: str, key: str) -> bool:
    """Whether it is one value over all lines, rather than an object a line."""
    first = text.splitlines()[0].strip()
    names_key = re.match(rf"""\{{\s*["'“]?{re.escape(key)}["'”]?\s*:""", text) is not None
    return names_key or first in ("{", "[") or first.startswith("[")


def _repaired_whole(text: str, key: str) -> Items:
    if _is_open(text):
        whole = _leading_objects(text, key)
        if whole:
            return whole, [Problem(len(whole) + 1, "the reply is cut off here")]
    items, problems = _listed(_repaired(text), key)
    if items and not text.endswith(("}", "]")):
        return items[:-1], [*problems, Problem(len(items), "the reply is cut off here")]
    return items, problems


def _leading_objects(text: str, key: str) -> list[dict[str, Any]]:
    """The well-formed objects at the head of a list that is cut off further on."""
    opening = re.match(rf'\s*(?:\{{\s*"{re.escape(key)}"\s*:\s*)?\[', text)
    objects: list[dict[str, Any]] = []
    at = opening.end() if opening else len(text)
    try:
        while found := re.compile(r"[\s,]*(?=\{)").match(text, at):
            value, at = json.JSONDecoder().raw_decode(text, found.end())
            objects.append(_whole(value))
    except (ValueError, RecursionError):
        pass
    return [item for item in objects if item]


def _listed(value: Any, key: str) -> Items:
    """The objects in an already read value: under `key`, in an array, or the value itself."""
    if isinstance(value, dict):
        inner = value.get(key, [value] if value else [])
        if inner is None:
            inner = []
        value = inner if isinstance(inner, list) else [inner]
    if not isinstance(value, list):
        return [], [Problem(0, "the reply is no list of objects")]
    items: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for place, item in enumerate(value, 1):
        if isinstance(item, dict) and isinstance(item.get(key), list):
            inner, _ = _listed(item, key)
            items += inner
        elif isinstance(item, dict) and item:
            items.append(item)
        else:
            problems.append(Problem(place, "not an object"))
    return items, problems


def _by_line(text: str, key: str) -> Items:
    items: list[dict[str, Any]] = []
    problems: list[Problem] = []
    lines = list(_object_lines(text))
    for number, (place, line) in enumerate(lines, 1):
        is_last = number == len(lines)
        found = _strict(line)
        if found is None and is_last and _is_open(line):
            problems.append(Problem(place, "the reply is cut off here"))
            continue
        if found is None and "{" in line:
            found = _repaired(line[line.find("{") :])
        inner, _ = _listed(found, key)
        items += inner
        if not inner:
            problems.append(Problem(place, "not JSON"))
    return items, problems


def _object_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that may hold an object, with their number."""
    for place, line in enumerate(text.splitlines(), 1):
        line = line.strip().rstrip(",;").strip()
        if line and not line.startswith(_COMMENT) and line not in ("[", "]", "{", "}"):
            yield place, line

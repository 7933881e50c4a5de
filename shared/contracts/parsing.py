"""Reads objects out of what a model wrote. Pure, and never raises.

First as JSON, then repaired. What cannot be read is left out and reported by its place, never by
its text. The end of a text that was cut short is left out too: half a sentence repairs into
well-formed JSON, and would be remembered as if it had been said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from shared.contracts.repair import depths, is_open, repaired, strict, strict_at

_FENCE = re.compile(r"^[^\S\n]*```[\w-]*[^\S\n]*$", re.MULTILINE)
_THOUGHT = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_ENDLESS_THOUGHT = re.compile(r"^\s*<think(?:ing)?>", re.IGNORECASE)
_THOUGHT_WITHOUT_BEGINNING = re.compile(r"^[^{\[]*?</think(?:ing)?>", re.IGNORECASE)
"""Some chat templates put the opening mark into the prompt, and the reply has only the other."""
_NEXT_OBJECT = re.compile(r"(?<![\s,])[\s,]*+(?=\{)")
_COMMENT = ("#", "//", "--")
LOOP_CHARACTERS, LOOP_TIMES, LOOP_LOOKS_BACK = 120, 3, 4_000
"""More than the names of an item's fields, which stand in every item of an honest list."""


@dataclass(frozen=True)
class FieldProblem:
    """What could not be used and why; `place` counts lines or items from one, 0 is the whole."""

    place: int
    reason: str

    def __str__(self) -> str:
        return f"item {self.place}: {self.reason}" if self.place else self.reason


Items = tuple[list[dict[str, Any]], list[FieldProblem]]


def runs_on(text: str) -> bool:
    """Whether a text that was cut ends in a loop: what it ends with stands near its end again and
    again, so that it would go on like this for ever."""
    end = text[-LOOP_CHARACTERS:]
    return len(end) == LOOP_CHARACTERS and text.count(end, -LOOP_LOOKS_BACK) >= LOOP_TIMES


def parse_object(text: str) -> tuple[dict[str, Any] | None, list[FieldProblem]]:
    """The one JSON object in `text`, whatever stands around it."""
    bare = _bare(text)
    if not bare:
        return None, [FieldProblem(0, "the reply is empty")]
    found = strict(bare)
    if found is None:
        start = bare.find("{")
        if start < 0:
            return None, [FieldProblem(0, "there is no JSON object in the reply")]
        whole = strict_at(bare, start)
        if whole is None and is_open(bare[start:]):
            return None, [FieldProblem(0, "the reply is cut off before its end")]
        found = whole[0] if whole else repaired(bare[start:])
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    if isinstance(found, dict) and found:
        return found, []
    return None, [FieldProblem(0, "the reply is not one JSON object")]


def parse_items(text: str, key: str) -> Items:
    """The objects of `{key: [...]}`, of an array, or of JSON lines; unreadable ones are skipped."""
    bare = _bare(text)
    if not bare:
        return [], [FieldProblem(0, "the reply is empty")]
    whole = strict(bare)
    if whole is not None:
        return _listed(whole, key)
    if _is_wrapped(bare, key):
        items, problems = _from_whole(bare, key)
        if items:
            return items, problems
    return _from_lines(bare, key)


def _bare(text: str) -> str:
    """`text` without a model's thoughts, code fences and byte order mark.

    Thoughts that never end are all there is: an object among them is a draft, not the answer.
    """
    text = _THOUGHT.sub("", text.lstrip("\ufeff"), count=1)
    if _ENDLESS_THOUGHT.match(text):
        return ""
    text = _THOUGHT_WITHOUT_BEGINNING.sub("", text, count=1)
    return _FENCE.sub("", text).strip()


def _listed(value: Any, key: str) -> Items:
    """The objects in an already read value: under `key`, in an array, or the value itself."""
    if isinstance(value, dict) and value:
        inner = value.get(key, [value])
        value = inner if isinstance(inner, list) else [] if inner is None else [inner]
    if not isinstance(value, list):
        return [], [FieldProblem(0, "the reply is no list of objects")]
    items: list[dict[str, Any]] = []
    problems: list[FieldProblem] = []
    for place, item in enumerate(value, 1):
        if isinstance(item, dict) and isinstance(item.get(key), list):
            items += _listed(item, key)[0]
        elif isinstance(item, dict) and item:
            items.append(item)
        else:
            problems.append(FieldProblem(place, "not an object"))
    return items, problems


# ---- one value over all lines


def _is_wrapped(text: str, key: str) -> bool:
    names_key = re.match(rf"""\{{\s*["'“]?{re.escape(key)}["'”]?\s*:""", text) is not None
    first = text.splitlines()[0].strip()
    return names_key or first == "{" or first.startswith("[")


def _from_whole(text: str, key: str) -> Items:
    if is_open(text):
        whole = _leading_objects(text, key)
        if whole:
            return whole, [FieldProblem(len(whole) + 1, "the reply is cut off here")]
    items, problems = _listed(repaired(text), key)
    if items and not _is_closed(text):
        return items[:-1], [*problems, FieldProblem(len(items), "the reply is cut off here")]
    return items, problems


def _is_closed(text: str) -> bool:
    """As many brackets close as open: a quotation mark too many hides none of them."""
    return all(text.count(one) == text.count(other) for one, other in ("{}", "[]"))


def _leading_objects(text: str, key: str) -> list[dict[str, Any]]:
    """The well-formed objects at the head of a list that is cut off further on."""
    opening = re.match(rf'(?:\{{\s*"{re.escape(key)}"\s*:\s*)?\[', text)
    objects: list[dict[str, Any]] = []
    at = opening.end() if opening else len(text)
    while (begins := _NEXT_OBJECT.match(text, at)) and (found := strict_at(text, begins.end())):
        value, at = found
        objects.append(value)
    return [value for value in objects if value]


# ---- an object a line


def _from_lines(text: str, key: str) -> Items:
    items: list[dict[str, Any]] = []
    problems: list[FieldProblem] = []
    lines = list(_object_lines(text))
    for number, (place, line) in enumerate(lines, 1):
        found = strict(line)
        if found is None and number == len(lines) and is_open(line):
            problems.append(FieldProblem(place, "the reply is cut off here"))
            continue
        if found is None and "{" in line:
            found = repaired(line[line.find("{") :])
        inner, _ = _listed(found, key)
        items += inner
        if not inner:
            problems.append(FieldProblem(place, "not JSON"))
    if not items and not problems:
        problems.append(FieldProblem(0, "there is no JSON object in the reply"))
    return items, problems


def _object_lines(text: str) -> Iterator[tuple[int, str]]:
    """What may be an object, with the number of its line; one that goes on is joined."""
    pending: list[str] = []
    begun = depth = 0
    for place, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if pending and depth and not line.startswith("{"):
            pending.append(line)
        else:
            if pending:
                yield begun, _ended(pending)
            is_object = line.strip("[]{},") and not line.startswith(_COMMENT)
            pending, begun, depth = ([line] if is_object else []), place, 0
        depth = depths(line, depth)[1]
    if pending:
        yield begun, _ended(pending)


def _ended(lines: list[str]) -> str:
    return "\n".join(lines).rstrip(",; \n")

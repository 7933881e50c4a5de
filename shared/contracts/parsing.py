"""Reads objects out of what a model wrote. Pure, and never raises.

First as JSON, then as json_repair mends it. What cannot be read is left out and reported by its
place, never by its text. The end of a text that was cut short is left out too: half a sentence
is mended into well-formed JSON, and would be remembered as if it had been said.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

MAX_CHARACTERS = 50_000
MAX_DEPTH = 40
"""Mending is slow on deep nonsense; no reply of ours nests deeper than six."""
_FENCE = re.compile(r"^[^\S\n]*```[\w-]*[^\S\n]*$", re.MULTILINE)
_THOUGHT = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_ENDLESS_THOUGHT = re.compile(r"^\s*<think(?:ing)?>", re.IGNORECASE)
_THOUGHT_WITHOUT_BEGINNING = re.compile(r"^[^{\[]*?</think(?:ing)?>", re.IGNORECASE)
"""Some chat templates put the opening mark into the prompt, and the reply has only the other."""
_BETWEEN = re.compile(r"[\s,]*+")
_OUTSIDE_OF_TEXTS = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|“[^”]*+”)"""
    r"""|(?P<before>[{,]\s*)(?P<key>[A-Za-z_]\w*)(?=\s*:)|(?P<mark>[：，｛｝［］])"""
)
_ASCII_MARKS = dict(zip("：，｛｝［］", ":,{}[]", strict=True))
"""As a model writes them between the parts of an object when it thinks in Chinese."""
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
    found = _strict(bare)
    if found is None:
        start = bare.find("{")
        if start < 0:
            return None, [FieldProblem(0, "there is no JSON object in the reply")]
        whole = _strict_at(bare, start)
        if whole is None and _depths(bare[start:])[1]:
            return None, [FieldProblem(0, "the reply is cut off before its end")]
        found = whole[0] if whole else _mended(bare[start:])
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
    whole = _strict(bare)
    if whole is not None:
        return _listed(whole, key)
    lines = [line for line in bare.splitlines() if "{" in line]
    if lines and _is_whole(lines[0].strip(" ,;")):
        return _from_lines(bare, key)
    start = min((at for at in map(bare.find, "{[") if at >= 0), default=-1)
    if start < 0:
        return [], [FieldProblem(0, "there is no JSON object in the reply")]
    if _depths(bare[start:])[1]:
        whole_ones = _leading_objects(bare, bare.find("[", start))
        return whole_ones, [FieldProblem(len(whole_ones) + 1, "the reply is cut off here")]
    items, problems = _listed(_mended(bare[start:]), key)
    if start and not items and not problems:
        problems = [FieldProblem(0, "there is no JSON object in the reply")]
    return items, problems


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


def _is_whole(line: str) -> bool:
    """Whether an object begins and ends in this line, well-formed or not."""
    return line.startswith("{") and (_strict(line) is not None or not _depths(line)[1])


def _leading_objects(text: str, opening: int) -> list[dict[str, Any]]:
    """The well-formed objects at the head of a list that is cut off further on."""
    objects: list[dict[str, Any]] = []
    at = opening + 1 if opening >= 0 else len(text)
    while (begins := _BETWEEN.match(text, at)) and (found := _strict_at(text, begins.end())):
        value, at = found
        if isinstance(value, dict) and value:
            objects.append(value)
    return objects


def _from_lines(text: str, key: str) -> Items:
    """An object a line; a last one that does not end is left out."""
    items: list[dict[str, Any]] = []
    problems: list[FieldProblem] = []
    for place, line in enumerate(text.splitlines(), 1):
        begins = line.find("{")
        found = _strict(line.strip(" ,;")) if begins >= 0 else None
        is_cut = found is None and _depths(line)[1] > 0
        if found is None and begins >= 0 and not is_cut:
            found = _mended(line[begins:])
        inner, _ = _listed(found, key)
        items += inner
        if not inner and line.strip("[]{}, ") and not line.lstrip().startswith(("#", "//")):
            problems.append(FieldProblem(place, "the line is cut off" if is_cut else "not JSON"))
    return items, problems


def _strict(text: str) -> Any:
    """The value of `text` if it is an object or an array in JSON, else None."""
    try:
        value = _joined(json.loads(text))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _strict_at(text: str, start: int) -> tuple[Any, int] | None:
    """The JSON value that begins at `start`, and where it ends; whatever follows."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
        return _joined(value), end
    except (ValueError, RecursionError):
        return None


def _mended(text: str) -> Any:
    """The value of `text` as json_repair reads it; None where that is hopeless."""
    if len(text) > MAX_CHARACTERS or _depths(text)[0] > MAX_DEPTH:
        return None
    from json_repair import loads

    text = _OUTSIDE_OF_TEXTS.sub(_tidied, text)
    try:
        return _joined(loads(text, skip_json_loads=True))
    except (ValueError, RecursionError, IndexError, TypeError, KeyError, AttributeError):
        return None


def _tidied(found: re.Match[str]) -> str:
    """A bare key gets its quotes: json_repair reads it as part of the bare value before it."""
    if found["key"]:
        return f'{found["before"]}"{found["key"]}"'
    return found["text"] or _ASCII_MARKS[found["mark"]]


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


def _joined(value: Any) -> Any:
    """`value` with surrogate pairs joined, which mending leaves apart; a lone half becomes �."""
    if isinstance(value, str):
        if value.isascii():
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_joined(item) for item in value]
    if isinstance(value, dict):
        return {_joined(key): _joined(item) for key, item in value.items()}
    return value

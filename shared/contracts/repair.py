"""One JSON value out of a text that is JSON or nearly so. Pure, and never raises."""

import json
import re
from typing import Any

MAX_CHARACTERS = 50_000
MAX_DEPTH = 40
"""Repairing is slow on deep nonsense; no reply of ours nests deeper than six."""

_QUOTE = re.compile(r"[\"'“]")
_QUOTED = {
    '"': re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL),
    "'": re.compile(r"'(?:[^'\\]|\\.)*+'", re.DOTALL),
    "“": re.compile(r"“(?:[^“”]|“[^“”]*+”)*+”"),
}
_CHINESE_PUNCTUATION = str.maketrans("：，｛｝［］", ":,{}[]")
"""As a model writes it between the parts of an object when it thinks in Chinese."""
_BARE_OPENING = re.compile(r"\{\s*[A-Za-z_]\w*\s*:")
_BARE_KEY = re.compile(r"([{,]\s*)([A-Za-z_]\w*)(\s*:)")
_LAST_COMMA = re.compile(r",(\s*[}\]])")


_FORM_FEED = re.compile(r"(?<!\\)((?:\\\\)*)\\f")
"""The one escape of JSON that json_repair does not know; not the end of an escaped backslash."""
_PAIR = re.compile(
    r"(?<!\\)((?:\\\\)*)(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)
"""Two halves of one character: after an escaped backslash json_repair takes the first for text."""


def strict(text: str) -> Any:
    """The value of `text` if it is an object or an array in JSON, else None."""
    try:
        value = _joined(json.loads(text))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def strict_at(text: str, start: int) -> tuple[Any, int] | None:
    """The JSON value that begins at `start`, and where it ends; whatever follows."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, start)
        return _joined(value), end
    except (ValueError, RecursionError):
        return None


def repaired(text: str) -> Any:
    """The value of `text` after mending it; None where that is hopeless."""
    if len(text) > MAX_CHARACTERS or depths(text)[0] > MAX_DEPTH:
        return None
    tidied = _tidied(text)
    found = strict(tidied)
    if found is not None:
        return found
    from json_repair import loads

    tidied = _PAIR.sub(lambda one: one[1] + json.loads(f'"{one[2]}"'), tidied)
    try:
        return _joined(loads(_FORM_FEED.sub(r"\1\\u000c", tidied), skip_json_loads=True))
    except (ValueError, RecursionError, IndexError, TypeError, KeyError, AttributeError):
        return None


def depths(text: str, depth: int = 0) -> tuple[int, int]:
    """How deep the brackets nest, and how many are still open at the end."""
    deepest = depth
    for character in text:
        if character in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "}]" and depth:
            depth -= 1
    return deepest, depth


def is_open(text: str) -> bool:
    """Whether it ends before its brackets are closed."""
    return depths(text)[1] > 0


def _tidied(text: str) -> str:
    """Double quotes around texts and keys, no comma before a closing bracket.

    Only what stands outside of quotes is touched. It is often all there is to mend; and repairing
    a bare value would swallow the bare key after it, or take a quoted text apart at its commas.
    """
    parts = _split_at_quoted(text)
    parts[1::2] = [_double_quoted(part) for part in parts[1::2]]
    has_bare_keys = any(_BARE_OPENING.search(part) for part in parts[::2])
    for place in range(0, len(parts), 2):
        part = _LAST_COMMA.sub(r"\1", parts[place].translate(_CHINESE_PUNCTUATION))
        parts[place] = _BARE_KEY.sub(r'\1"\2"\3', part) if has_bare_keys else part
    return "".join(parts)


def _split_at_quoted(text: str) -> list[str]:
    """What stands outside of quotes, and between each two of those what is quoted.

    In one pass: behind a quotation mark that nothing closes, no other of its kind is closed.
    """
    parts: list[str] = []
    begun = at = 0
    hopeless: set[str] = set()
    while mark := _QUOTE.search(text, at):
        at = mark.end()
        found = None if mark[0] in hopeless else _QUOTED[mark[0]].match(text, mark.start())
        if found is None:
            hopeless.add(mark[0])
            continue
        parts += [text[begun : found.start()], found[0]]
        begun = at = found.end()
    return [*parts, text[begun:]]


def _double_quoted(text: str) -> str:
    if text.startswith('"'):
        return text
    inner = text[1:-1]
    if text.startswith("'"):
        inner = inner.replace("\\'", "'")
    return '"' + re.sub(r'(?<!\\)"', r"\"", inner) + '"'


def _joined(value: Any) -> Any:
    """`value` with surrogate pairs joined, which repairing leaves apart; a lone half becomes �."""
    if isinstance(value, str):
        if value.isascii():
            return value
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_joined(item) for item in value]
    if isinstance(value, dict):
        return {_joined(key): _joined(item) for key, item in value.items()}
    return value

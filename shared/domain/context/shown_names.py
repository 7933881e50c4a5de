"""What people are called in a context: free text made such that it can look like nothing else.

A line there is `who: what`, and `(bot)` or an id in brackets behind a name is our own word. So a
name has no colon, no round brackets, no line, no sign that cannot be seen, and an end.
"""

import unicodedata

MAX_NAME = 40
"""No longer than what a chat shows of a name: a sentence does not fit."""

_STRUCTURE = str.maketrans(
    {":": "·", "：": "·", "(": "[", "（": "[", ")": "]", "）": "]", ">": "·"}
)
_DIRECTIONS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F])
"""Signs that turn the reading direction: what follows would be read somewhere else."""


def shown_name(name: str) -> str:
    """Twins that differ in signs nobody sees come out the same: then their ids tell them apart."""
    plain = unicodedata.normalize("NFKC", name[: 8 * MAX_NAME])
    seen = "".join(
        " " if character.isspace() else character
        for character in plain
        if character.isspace() or unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co")
    )
    shown = " ".join(seen.translate(_STRUCTURE).split())
    return shown if len(shown) <= MAX_NAME else f"{shown[: MAX_NAME - 1].rstrip()}…"


def without_directions(text: str) -> str:
    """The text as it is stored and as it is read, in one order."""
    return text.translate(_DIRECTIONS)

"""The demo's output, shortened for the README: whole lines in order, an ellipsis for the rest."""

import re
from collections.abc import Callable, Sequence

LEFT_OUT = "  …"
_HEADING = re.compile(r"^\S.* ─{5,}$")
MOST_EVENTS = 2
MOST_OF_THE_LAST = 1


def excerpt(printed: str) -> str:
    lines = [line.rstrip() for line in printed.strip().splitlines()]
    places = [place for place, line in enumerate(lines) if _HEADING.match(line)]
    kept = lines[: places[0]] if places else lines
    for place, following in zip(places, [*places[1:], len(lines)], strict=True):
        kept += _shortened(lines[place:following])
    return "\n".join(_once(kept)).strip()


def _shortened(section: Sequence[str]) -> list[str]:
    cut: dict[str, Callable[[Sequence[str]], list[str]]] = {
        "Topics": _first_chat,
        "Memories": _first_chat,
        "Events": _first_events,
        "One question": _question,
    }
    for title, shorten in cut.items():
        if section[0].startswith(title):
            return [*shorten(section), ""]
    return list(section)


def _first_chat(section: Sequence[str]) -> list[str]:
    """The heading, what stands under it, and the first chat: chats begin at the margin."""
    margins = [place for place, line in enumerate(section) if line and not line.startswith(" ")]
    return [*section[: margins[3]], LEFT_OUT] if len(margins) > 3 else list(section)


def _first_events(section: Sequence[str]) -> list[str]:
    begins = [place for place, line in enumerate(section) if re.match(r"^  \d{4}-", line)]
    if len(begins) <= MOST_EVENTS:
        return list(section)
    return [*section[: begins[MOST_EVENTS]], LEFT_OUT]


def _question(section: Sequence[str]) -> list[str]:
    """Everything but the middle of the last messages."""
    begins = [place for place, line in enumerate(section) if line.startswith("╭")]
    ends = [place for place, line in enumerate(section) if line.startswith("╰")]
    if len(begins) < 2:
        return list(section)
    shown = begins[1] + 1 + MOST_OF_THE_LAST
    return [*section[:shown], LEFT_OUT, *section[ends[1] :]]


def _once(lines: Sequence[str]) -> list[str]:
    """No two empty lines in a row."""
    return [line for place, line in enumerate(lines) if line or place == 0 or lines[place - 1]]

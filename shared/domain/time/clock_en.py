"""The time of day that stands beside an English date: "at 3pm", "in the morning"."""

import re
from dataclasses import replace
from datetime import time

from shared.domain.time.span import (
    DAY,
    TimeExpression,
)

_FLAGS = re.IGNORECASE
_HOUR = r"(?P<h>\d{1,2})(?::(?P<min>\d{2}))?\s*(?P<ap>[ap]m\b|[ap]\.m\.|o'clock)?"
_CLOCK_AFTER = re.compile(
    r"\s*,?\s*(?:(?P<part>morning|afternoon|evening|night)s?\b)?\s*(?:(?:at|around|about|by|"
    rf"@)\s*{_HOUR})?(?![\w])",
    _FLAGS,
)
_BARE_CLOCK = re.compile(
    r"\s+(?P<h>\d{1,2})(?::(?P<min>\d{2}))?\s*(?P<ap>[ap]m\b|[ap]\.m\.)(?![\w])", _FLAGS
)
_CLOCK_BEFORE = re.compile(
    rf"\b(?:(?:at|around|about|by|@)\s+)?{_HOUR}(?:\s+(?:on|of))?\s+$", _FLAGS
)
_NAMED_HOURS = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_NAMED_AFTER = re.compile(r"\s+at\s+(?P<name>noon|midday|midnight)\b", _FLAGS)
_PART_PHRASES = {"night": "at night"}


def with_english_clock(text: str, found: TimeExpression) -> TimeExpression:
    """The expression together with the time of day that stands before or after it."""
    span = found.span
    if span.grain != DAY:
        return found
    start, end = found.start, found.end
    named = _NAMED_AFTER.match(text, end)
    if named:
        return replace(
            found, start=start, end=named.end(), span=span.at(_NAMED_HOURS[named["name"].lower()])
        )
    after = _CLOCK_AFTER.match(text, end) or None
    part = after["part"].lower() if after and after["part"] else ""
    if after and after["h"] and _is_clock(after):
        return replace(
            found, start=start, end=after.end(), span=span.at(_clock(after, part or span.part))
        )
    bare = _BARE_CLOCK.match(text, end)
    if bare:
        return replace(found, start=start, end=bare.end(), span=span.at(_clock(bare, span.part)))
    if part and after:
        phrase = _PART_PHRASES.get(part, f"in the {part}")
        found = replace(found, start=start, end=after.end("part"), span=span.during(phrase))
    before = _CLOCK_BEFORE.search(text, 0, start)
    if before and (before["ap"] or before["min"]):
        return replace(
            found,
            start=before.start(),
            end=found.end,
            span=span.at(_clock(before, part or span.part)),
        )
    return found


def _is_clock(match: re.Match[str]) -> bool:
    return int(match["h"]) < 25 and int(match["min"] or 0) < 60


def _clock(match: re.Match[str], part: str) -> time:
    hour, minute = int(match["h"]) % 24, int(match["min"] or 0)
    half = (match["ap"] or "").lower()
    if half.startswith("p") or (not half.startswith("a") and hour < 12 and _is_late(part, hour)):
        hour = hour % 12 + 12
    elif half.startswith("a"):
        hour %= 12
    return time(hour, minute)


def _is_late(part: str, hour: int) -> bool:
    return any(word in part for word in ("afternoon", "evening")) or ("night" in part and hour > 5)

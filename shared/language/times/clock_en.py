"""The time of day that stands beside an English date: "at 3pm", "in the morning"."""

import re
from dataclasses import replace
from datetime import date, time, timedelta

from shared.language.times.span import (
    DAY,
    TimeExpression,
    TimeSpan,
)

_FLAGS = re.IGNORECASE
_HOUR = r"(?P<h>\d{1,2})(?:[:.](?P<min>\d{2}))?\s*(?P<ap>[ap]m\b|[ap]\.m\.|o'clock)?"
_CLOCK_AFTER = re.compile(
    r"\s*,?\s*(?:(?P<part>morning|afternoon|evening|night)s?\b)?\s*(?:(?:at|around|about|by|"
    rf"@)\s*{_HOUR})?(?![\w])",
    _FLAGS,
)
_BARE_CLOCK = re.compile(
    r"\s+(?P<h>\d{1,2})(?:[:.](?P<min>\d{2}))?\s*(?P<ap>[ap]m\b|[ap]\.m\.)(?![\w])", _FLAGS
)
_CLOCK_BEFORE = re.compile(
    rf"\b(?:(?:at|around|about|by|@)\s+)?{_HOUR}(?:\s+(?:on|of))?\s+$", _FLAGS
)
_PART_AFTER = re.compile(
    r"\s{1,3}(?:in the\s{1,3})?(?P<part>morning|afternoon|evening|night)\b", _FLAGS
)
_BY_MIDNIGHT = re.compile(r"\bby\s{1,3}$", _FLAGS)
"""Due by midnight tomorrow: when tomorrow ends."""
_NAMED_HOURS = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_NAMED_AFTER = re.compile(r"\s+at\s+(?P<name>noon|midday|midnight)\b", _FLAGS)
_NAMED_BEFORE = re.compile(
    r"\b(?:at\s{1,3}|around\s{1,3})?(?P<name>noon|midday|midnight)\s{1,3}(?:on\s{1,3})?$", _FLAGS
)
_SPOKEN = (
    r"(?P<past>half past|quarter past|quarter to)\s{1,3}(?P<spoken>one|two|three|four|five|"
    r"six|seven|eight|nine|ten|eleven|twelve|\d{1,2})\b"
)
_SPOKEN_AFTER = re.compile(
    rf"\s{{1,3}}(?:at\s{{1,3}}|around\s{{1,3}})?(?:a\s{{1,3}})?{_SPOKEN}", _FLAGS
)
_SPOKEN_BEFORE = re.compile(
    rf"\b(?:at\s{{1,3}}|around\s{{1,3}})?(?:a\s{{1,3}})?{_SPOKEN}\s{{1,3}}(?:on\s{{1,3}})?$", _FLAGS
)
_HOUR_WORDS = "one two three four five six seven eight nine ten eleven twelve"
_SPOKEN_HOURS = _HOUR_WORDS.split()
_PART_PHRASES = {"night": "at night"}


_ENDS = re.compile(
    r"\s?(?:-|to|until|till)\s?(?P<h>\d{1,2})(?:[:.](?P<min>\d{2}))?\s?(?P<ap>[ap]m\b|[ap]\.m\.)",
    _FLAGS,
)


def with_english_clock(text: str, found: TimeExpression) -> TimeExpression:
    """The expression together with the time of day that stands before or after it, and the hour
    at which it ends: Friday 3pm to 5pm."""
    begun = _with_clock(text, found)
    ends = _ENDS.match(text, begun.end) if begun.span.clock and begun.end > found.end else None
    if not ends or not begun.span.clock or not _is_clock(ends):
        return begun
    last = _clock(ends, "")
    if last <= begun.span.clock:
        return begun
    return replace(begun, end=ends.end(), span=begun.span.at(begun.span.clock, last))


def _with_clock(text: str, found: TimeExpression) -> TimeExpression:
    span = found.span
    if span.grain != DAY:
        return found
    start, end = found.start, found.end
    named, led = _NAMED_AFTER.match(text, end), _NAMED_BEFORE.search(text[:start][-20:])
    if named or led:
        clock = _NAMED_HOURS[(named or led)["name"].lower()]  # type: ignore[index]
        start -= len(led[0]) if led else 0
        is_deadline = clock == time(0) and _BY_MIDNIGHT.search(text[max(0, start - 6) : start])
        part = "night" if is_deadline else span.part
        return replace(
            found, start=start, end=named.end() if named else end, span=_at(span, clock, part)
        )
    spoken, led = _SPOKEN_AFTER.match(text, end), _SPOKEN_BEFORE.search(text[:start][-36:])
    if spoken or led:
        said = _PART_AFTER.match(text, spoken.end() if spoken else end)
        end = said.end() if said else spoken.end() if spoken else end
        clock = _spoken(spoken or led, said["part"].lower() if said else span.part)  # type: ignore[arg-type]
        start -= 0 if spoken or not led else len(led[0])
        return replace(found, start=start, end=end, span=span.at(clock))
    after = _CLOCK_AFTER.match(text, end) or None
    part = after["part"].lower() if after and after["part"] else ""
    if after and after["h"] and not part and _is_open(after, span.part):
        return found
    if after and after["h"] and _is_clock(after):
        return replace(
            found, start=start, end=after.end(), span=_clocked(span, after, part or span.part)
        )
    bare = _BARE_CLOCK.match(text, end)
    if bare:
        return replace(found, start=start, end=bare.end(), span=_clocked(span, bare, span.part))
    if part and after:
        phrase = _PART_PHRASES.get(part, f"in the {part}")
        found = replace(found, start=start, end=after.end("part"), span=span.during(phrase))
    before = _CLOCK_BEFORE.search(text, 0, start)
    is_said = before and (before["ap"] or before["min"] or (span.part and _is_led(before)))
    if before and is_said and _is_clock(before):
        return replace(
            found,
            start=before.start(),
            end=found.end,
            span=_clocked(span, before, part or span.part),
        )
    return found


def _is_led(match: re.Match[str]) -> bool:
    """at 3 this afternoon; not "the 3 this afternoon"."""
    return match[0].lower().startswith(("at", "around", "about", "by", "@"))


def _spoken(match: re.Match[str], part: str) -> time:
    """half past six, quarter to nine."""
    word = match["spoken"].lower()
    hour = int(word) if word.isdecimal() else _SPOKEN_HOURS.index(word) + 1
    minute = {"half past": 30, "quarter past": 15, "quarter to": 45}[match["past"].lower()]
    hour -= match["past"].lower() == "quarter to"
    if hour < 12 and _is_late(part, hour):
        hour += 12
    return time(hour % 24, minute)


def _clocked(span: TimeSpan, match: re.Match[str], part: str) -> TimeSpan:
    return _at(span, _clock(match, part), part)


def _at(span: TimeSpan, clock: time, part: str) -> TimeSpan:
    """A time after midnight of an evening or a night is of the day after: 2 am tonight."""
    if (
        span.first < date.max
        and clock.hour < 5
        and any(word in part for word in ("evening", "night"))
    ):
        day = span.first + timedelta(days=1)
        span = replace(span, first=day, last=day)
    return span.at(clock)


def _is_open(match: re.Match[str], part: str) -> bool:
    """Tomorrow at 3: nobody means the night, but nobody said the afternoon; the words stay."""
    return not match["ap"] and not part and 0 < int(match["h"]) < 7 and match["h"][0] != "0"


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
    if "afternoon" in part:
        return True
    return any(word in part for word in ("evening", "night")) and hour > 4

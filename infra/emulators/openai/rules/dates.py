"""Rewrites a text so that every expression of time names its date."""

import re
from datetime import datetime

from . import dates_en, dates_zh
from .when import (
    AFTER,
    AROUND,
    AS_OF,
    BEFORE,
    DAY,
    MOMENT,
    MONTH,
    QUARTER,
    SINCE,
    SPAN,
    WEEK,
    WEEKEND,
    YEAR,
    Found,
    When,
    longest_first,
)  # fmt: skip
from .words import is_han

_ABSOLUTE = re.compile(r"\d{4}|^[\d./-]+$")
_PREPOSITION = re.compile(
    r"\b(?:on|by|until|till|since|from|before|after|of|for|to|between|at|in|around|about|and|"
    r"the)\s+$",
    re.IGNORECASE,
)


def find(text: str, reference: datetime) -> list[Found]:
    found: list[Found] = []
    if is_han(text):
        found += dates_zh.find(text, reference)
    if not found or re.search(r"[A-Za-z]", text):
        found += dates_en.find(text, reference)
    return longest_first(found)


def absolute(text: str, reference: datetime) -> str:
    """The text with its relative and partial dates written out; full dates stay as they are."""
    out: list[str] = []
    at = 0
    for found in find(text, reference):
        words = text[found.start : found.end]
        if found.is_partial and _ABSOLUTE.search(words):
            continue
        before = text[at : found.start]
        out.append(before)
        out.append(_chinese(found.when) if is_han(words) else _english(found, text))
        at = found.end
    out.append(text[at:])
    return "".join(out)


def stamp(when: datetime) -> str:
    return when.strftime("%Y-%m-%d %H:%M")


def _chinese(when: When) -> str:
    first, last = when.first.isoformat(), when.last.isoformat()
    clock = f" {when.clock:%H:%M}" if when.clock else ""
    match when.grain:
        case "day" | "moment":
            return f"{first}{clock}{when.part}"
        case "month":
            return f"{when.first.year}年{when.first.month}月"
        case "quarter":
            return f"{when.first.year}年第{(when.first.month + 2) // 3}季度"
        case "year":
            return f"{when.first.year}年"
        case "around":
            return f"{first}前后"
        case "as of":
            return f"截至{first}"
        case "after":
            return f"{first}{clock}之后"
        case "before":
            return f"{first}{clock}之前"
        case "since":
            return f"自{first}起"
        case _:
            return f"{first}至{last}"


def _english(found: Found, text: str) -> str:
    when = found.when
    words = text[found.start : found.end].lower()
    first, last = when.first.isoformat(), when.last.isoformat()
    clock = f" {when.clock:%H:%M}" if when.clock else ""
    prepositions = {
        DAY: "on ", MOMENT: "at ", WEEK: "in ", WEEKEND: "on ", MONTH: "in ", QUARTER: "in ",
        YEAR: "in ", SPAN: "from ",
    }  # fmt: skip
    bodies = {
        DAY: f"{first}{clock}" + (f" {when.part}" if when.part else ""),
        MOMENT: f"{first}{clock}",
        WEEK: f"the week of {first}",
        WEEKEND: f"the weekend of {first}",
        MONTH: f"{when.first:%B %Y}",
        QUARTER: f"quarter {(when.first.month + 2) // 3} of {when.first.year}",
        YEAR: str(when.first.year),
        AROUND: f"around {first}",
        AS_OF: f"as of {first}",
        AFTER: f"after {first}{clock}",
        BEFORE: f"before {first}{clock}",
        SINCE: f"from {first} on",
        SPAN: f"{first} to {last}",
    }
    body = bodies[when.grain]
    follows = _PREPOSITION.search(text[: found.start])
    is_owner = text[found.end : found.end + 2] in ("'s", "’s")
    if words.startswith(("on ", "in ", "at ", "by ")) or not (follows or is_owner):
        body = prepositions.get(when.grain, "") + body
    if found.start == 0 or re.search(r"[.!?]\s+$", text[: found.start]):
        body = body[:1].upper() + body[1:]
    return body

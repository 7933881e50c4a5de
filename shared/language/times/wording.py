"""A text in which every word of time names its date."""

import re
from dataclasses import dataclass
from datetime import datetime

from shared.language.times.anchored import counts_from_elsewhere
from shared.language.times.find import time_expressions
from shared.language.times.span import (
    AFTER,
    AROUND,
    AS_OF,
    BEFORE,
    DAY,
    IMPOSSIBLE,
    LUNAR,
    MOMENT,
    MONTH,
    PART_OF_YEAR,
    QUARTER,
    SINCE,
    STRETCH,
    WEEK,
    WEEKEND,
    YEAR,
    TimeExpression,
    TimeSpan,
)

_HAN = re.compile(r"[\u3400-\u9fff]")
_NAMES_ITS_YEAR = re.compile(
    r"\d{4}|[零〇一二三四五六七八九]{4}年|\d{2}年|two thousand|nineteen|twenty (?!first|second|th)",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"\b(?:on|by|until|till|since|from|before|after|of|for|to|between|at|in|around|about|and|over|during|throughout|"
    r"the|my|your|his|her|its|our|their|'s|’s|that|late|early)\s+$|\bmid[ -]$",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[A-Za-z]")
_UNTIL = re.compile(r"\b(?:between|until|till|by|before|from|since|to)\s+$", re.IGNORECASE)
_EDGE_ZH = re.compile(r"(?P<of>[年月])(?P<edge>[底初末])$")
_EDGE_EN = re.compile(
    r"(?P<the>the )?(?P<edge>(?:very end|end|beginning|start) of )(?!.*\b(?:week|quarter)\b)"
)
"""About then, and not on the last or first day."""
_STANDS_AS_NOUN = re.compile(
    r"['’]s| off| (?:works?|suits?|is (?:fine|good|ok|okay|best|better|out|off))\b"
)
"""Friday's exam, take Friday off, Friday works: the day is no answer to "when"."""
_BETWEEN = re.compile(r"\bbetween\s+$", re.IGNORECASE)
_AT_A_DAY = re.compile(r"\b(?:at|in) $", re.IGNORECASE)
"""At the end of the month becomes "on" its last day."""
_OPENS_SENTENCE = re.compile(r"(?:^|[.!?]\s+)$")


@dataclass(frozen=True)
class Dated:
    """Words that stood in a text and what stands there now."""

    words: str
    date: str


def with_dates(text: str, now: datetime) -> tuple[str, list[Dated]]:
    """Relative and partial dates written out; full dates, lunar and impossible ones as they are."""
    out: list[str] = []
    done: list[Dated] = []
    at = 0
    is_chinese = bool(_HAN.search(text))
    for found in time_expressions(text, now):
        words = text[found.start : found.end]
        if found.span.grain in (IMPOSSIBLE, LUNAR):
            continue
        if found.is_partial and _NAMES_ITS_YEAR.search(words):
            continue
        if counts_from_elsewhere(text, found.start, found.end):
            continue
        before = text[at : found.start]
        if _HAN.search(words) or (is_chinese and not _LETTER.search(words)):
            date = _chinese(found.span, words, before)
            date = f"、{date}" if out and not before and out[-1][-1:].isdecimal() else date
        else:
            date = _english(found, text)
            if found.span.grain == DAY and not _EDGE_EN.match(words.lower()):
                before = _AT_A_DAY.sub(_on, before)
        out += [before, date]
        done.append(Dated(words, date))
        at = found.end
    return "".join([*out, text[at:]]), done


def _on(preposition: re.Match[str]) -> str:
    return "On " if preposition[0][0].isupper() else "on "


def _chinese(span: TimeSpan, words: str, before: str) -> str:
    first, last = span.first.isoformat(), span.last.isoformat()
    clock = f" {span.clock:%H:%M}" if span.clock else ""
    if edge := _EDGE_ZH.search(words):
        month = f"{span.first.month}月" if edge["of"] == "月" else ""
        return f"{span.first.year}年{month}{edge['edge']}"
    match span.grain:
        case "day" | "moment":
            until = f"至{span.last_clock:%H:%M}" if span.last_clock else ""
            return f"{first}{clock}{until}{span.part}"
        case "month":
            return f"{span.first.year}年{span.first.month}月"
        case "quarter":
            return f"{span.first.year}年第{(span.first.month + 2) // 3}季度"
        case "year":
            return f"{span.first.year}年"
        case "around":
            return f"{first}前后"
        case "as of":
            return first if before.endswith(("到", "至", "截止")) else f"截至{first}"
        case "part of a year":
            return f"{span.first.year}年{span.part}"
        case "after":
            return f"{first}{clock}之后"
        case "before":
            return f"{first}{clock}之前"
        case "since":
            return f"自{first}起"
        case _:
            until = f" {span.last_clock:%H:%M}" if span.last_clock else ""
            return f"{first}{clock}至{last}{until}"


def _joint(text: str, found: TimeExpression) -> str:
    return "and" if _BETWEEN.search(text[: found.start][-12:]) else "to"


def _english(found: TimeExpression, text: str) -> str:
    span = found.span
    words = text[found.start : found.end].lower()
    first, last = span.first.isoformat(), span.last.isoformat()
    clock = f" {span.clock:%H:%M}" if span.clock else ""
    until = f" {span.last_clock:%H:%M}" if span.last_clock else ""
    prepositions = {
        DAY: "on ", MOMENT: "at ", WEEK: "in ", WEEKEND: "on ", MONTH: "in ", QUARTER: "in ",
        YEAR: "in ", STRETCH: "from ", PART_OF_YEAR: "in ",
    }  # fmt: skip
    bodies = {
        DAY: f"{first}{clock}"
        + (f" to{until}" if until else "")
        + (f" {span.part}" if span.part else ""),
        MOMENT: f"{first}{clock}",
        WEEK: f"the week of {first}",
        WEEKEND: f"the weekend of {first}",
        MONTH: f"{span.first:%B %Y}",
        QUARTER: f"quarter {(span.first.month + 2) // 3} of {span.first.year}",
        YEAR: str(span.first.year),
        AROUND: f"around {first}",
        AS_OF: first if _UNTIL.search(text[: found.start][-12:]) else f"as of {first}",
        AFTER: f"after {first}{clock}",
        BEFORE: f"before {first}{clock}",
        SINCE: f"from {first} on",
        STRETCH: f"{first}{clock} {_joint(text, found)} {last}{until}",
        PART_OF_YEAR: f"the {span.part} of {span.first.year}",
    }
    body, preposition = bodies[span.grain], prepositions.get(span.grain, "")
    if span.part and text.startswith(("'s", "’s"), found.end):
        # Last night's dinner is that of the 28th's night, and not "at night's".
        body = body.replace(" in the ", " ").replace(" at night", " night")
    if edge := _EDGE_EN.match(words):
        of = f"{span.first.year}" if words.endswith("year") else f"{span.first:%B %Y}"
        body, preposition = f"{edge['the'] or ''}{edge['edge']}{of}", "at "
    follows = _PREPOSITION.search(text[: found.start][-12:])
    is_owner = bool(_STANDS_AS_NOUN.match(text, found.end))
    if words.startswith(
        ("on ", "in ", "at ", "by ", "over ", "within ", "during ", "for ")
    ) or not (follows or is_owner):
        body = preposition + body
    if _OPENS_SENTENCE.search(text[: found.start][-4:]):
        body = body[:1].upper() + body[1:]
    return body

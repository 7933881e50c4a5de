"""The part of the day and the hour that follow a Chinese date."""

import re
from dataclasses import replace
from datetime import time

from shared.domain.time.numbers_zh import number
from shared.domain.time.span import (
    DAY,
    TimeExpression,
)

_PART = (
    r"(?:凌晨|清晨|清早|早上|早晨|大早|上午|中午|正午|午后|下午|傍晚|晚上|夜里|半夜|深夜|夜晚|"
    r"晚间|晚|早)"
)
_LATE = ("下午", "傍晚", "晚上", "夜里", "夜晚", "晚间", "深夜", "午后", "晚")
_CLOCK = re.compile(
    rf"的?\s*(?P<part>{_PART})?\s*(?:(?P<h>\d{{1,2}}|[零〇一二两兩三四五六七八九十]{{1,3}})"
    r"\s*(?:点钟|點鐘|点|點|时|時|:|：)\s*(?P<min>半|一刻|三刻|\d{1,2}|"
    r"[零一二三四五六七八九十]{1,3})?分?)?"
)


def with_chinese_clock(text: str, found: TimeExpression) -> TimeExpression:
    """The expression together with the part of the day and the hour that follow it."""
    span = found.span
    if span.grain != DAY:
        return found
    match = _CLOCK.match(text, found.end)
    if match is None or not (match["part"] or match["h"]):
        return found
    part = match["part"] or span.part
    if not match["h"]:
        return replace(
            found, start=found.start, end=match.end("part"), span=span.during(_spelled(part))
        )
    hour, minute = number(match["h"]), _minute(match["min"])
    if hour is None or minute is None or hour > 24 or minute > 59:
        return found
    if part in _LATE and hour < 12 and not (part in ("夜里", "深夜") and hour < 6):
        hour += 12
    if part in ("中午", "正午") and hour < 6:
        hour += 12
    return replace(found, start=found.start, end=match.end(), span=span.at(time(hour % 24, minute)))


def _spelled(part: str) -> str:
    return {"晚": "晚上", "早": "早上", "大早": "早上"}.get(part, part)


def _minute(words: str | None) -> int | None:
    if not words:
        return 0
    return {"半": 30, "一刻": 15, "三刻": 45}.get(words) or number(words)

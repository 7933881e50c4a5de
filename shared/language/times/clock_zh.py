"""The part of the day and the hour that follow a Chinese date."""

import re
from dataclasses import replace
from datetime import date, time, timedelta

from shared.language.times.numbers_zh import number
from shared.language.times.span import (
    DAY,
    TimeExpression,
)

_PART = (
    r"(?:凌晨|清晨|清早|早上|早晨|大早|上午|中午|正午|午后|下午|傍晚|晚上|夜里|半夜|深夜|夜晚|"
    r"晚间|晚(?!点)|早(?![七八九十](?![点时:])))"
)
_LATE = ("下午", "傍晚", "晚上", "夜里", "夜晚", "晚间", "深夜", "午后", "晚")
_NIGHT = ("晚上", "夜里", "夜晚", "晚间", "深夜", "半夜", "晚")
_CLOCK = re.compile(
    rf"的?\s*(?P<part>{_PART})?\s*(?:(?P<h>\d{{1,2}}|[零〇一二两兩三四五六七八九十]{{1,3}})"
    r"\s*(?:点钟|點鐘|点|點|时|時|:|：)\s*(?P<min>半|一刻|三刻|\d{1,2}|"
    r"[零一二三四五六七八九十]{1,3})?分?)?"
)

_UNTIL = re.compile(
    rf"(?:到|至|-|~)(?P<part>{_PART})?(?P<h>\d{{1,2}}|[零一二两三四五六七八九十]{{1,3}})"
    r"(?:点钟|点|时(?!候)|:)(?P<min>半|一刻|三刻|\d{1,2}|[一二三四五六七八九十]{1,3})?分?"
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
    if not part and 0 < hour < 7 and not match["h"].startswith("0"):
        # 周一三点 is meant as the afternoon, 周一六点 as either: the words stay as they are.
        return found
    if span.first == date.max:
        return found
    is_next_day = hour == 24 or _is_after_midnight(part, span.part, hour)
    if is_next_day:
        day = span.first + timedelta(days=1)
        span, hour = replace(span, first=day, last=day), (0 if hour == 24 else hour % 12)
    elif part in _LATE and hour < 12:
        hour += 12
    if part in ("中午", "正午") and hour < 6:
        hour += 12
    clock = time(hour % 24, minute)
    until = _until(text, match.end(), part, clock)
    if until:
        return replace(found, end=until[1], span=span.at(clock, until[0]))
    return replace(found, end=match.end(), span=span.at(clock))


def _until(text: str, at: int, part: str, clock: time) -> tuple[time, int] | None:
    """下午三点到五点: the hour at which it ends, later the same day."""
    match = _UNTIL.match(text, at)
    hour, minute = (number(match["h"]), _minute(match["min"])) if match else (None, None)
    if not match or hour is None or minute is None or hour > 23 or minute > 59:
        return None
    if (match["part"] or part) in _LATE and hour < 12:
        hour += 12
    ends = time(hour, minute)
    return (ends, match.end()) if ends > clock else None


def _is_after_midnight(part: str, part_of_day: str, hour: int) -> bool:
    """今晚两点 and 昨天半夜一点 are of the day after; 明天凌晨三点 is of the day that is named."""
    if part == "凌晨":
        return part_of_day in _NIGHT and hour < 6
    return part in _NIGHT and (hour < 5 or hour == 12)


def _spelled(part: str) -> str:
    return {"晚": "晚上", "早": "早上", "大早": "早上"}.get(part, part)


def _minute(words: str | None) -> int | None:
    if not words:
        return 0
    return {"半": 30, "一刻": 15, "三刻": 45}.get(words) or number(words)

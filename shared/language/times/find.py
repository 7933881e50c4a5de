"""Finds every word of time in a text and says which days it means, as of a reference time."""

import re
from datetime import datetime

from shared.language.times import grammar_en, grammar_zh
from shared.language.times.clock_en import with_english_clock
from shared.language.times.clock_zh import with_chinese_clock
from shared.language.times.habits import dated_ones
from shared.language.times.ranges import joined
from shared.language.times.scene import Reading, Scene
from shared.language.times.scripts import plainly_written
from shared.language.times.span import TimeExpression

MAX_CHARACTERS = 20_000
"""A note has at most 16,000; what stands further on is not read."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_STARTS_EN = re.compile(r"(?<![a-z\d'])(?<!\d[./:,-])[a-z\d]")
_STARTS_ZH = re.compile(
    r"(?<![\d.])\d|[上下这本今当同前去明后大昨正腊冬农阴旧零一二两三四五六七八九十百千廿卅半好几数若"
    r"周星礼再还过未接往最近年月初底刚方适此从目现眼如稍等待马回改不晚以来"
    r"建贞永神景开天元嘉熙庆崇政宣靖绍乾淳至洪弘隆万泰顺康雍道咸同光民成]"
)


_EVERY = re.compile(r"\b(?:every|each) {1,3}$")
"""Every first Monday of the month is a habit, and no day."""


def time_expressions(
    text: str, now: datetime, *, in_chinese_chat: bool = False
) -> list[TimeExpression]:
    """In the order of the text, without overlaps: the earliest, of those the longest.

    A text without a Chinese character is read as English, unless it comes from a Chinese chat and
    has no letters either: 1/2/2020 is the first of February there.
    """
    written = text[:MAX_CHARACTERS]
    plain = plainly_written(written)
    found: list[TimeExpression] = []
    has_letters = bool(re.search(r"[a-z]{2}", plain))
    is_chinese = bool(_HAN.search(plain)) or (in_chinese_chat and not has_letters)
    if is_chinese:
        scene = Scene(plain, written, now, is_chinese=True)
        found = dated_ones(scene, _chinese(scene))
    if not is_chinese or has_letters:
        scene = Scene(plain, written, now)
        english = dated_ones(scene, _english(scene))
        found += [one for one in english if not any(_overlap(one, other) for other in found)]
    return joined(plain, sorted(found, key=lambda one: one.start), now.date())


def _overlap(one: TimeExpression, other: TimeExpression) -> bool:
    return one.start < other.end and other.start < one.end


def _longest(readings: list[Reading]) -> Reading | None:
    return max(readings, key=lambda reading: reading.end, default=None)


def _english(scene: Scene) -> list[TimeExpression]:
    found, at = [], 0
    while start := _STARTS_EN.search(scene.text, at):
        place = start.start()
        at = place + 1
        reading = _longest([one for read in grammar_en.PRODUCTIONS if (one := read(scene, place))])
        if reading:
            expression = TimeExpression(place, reading.end, reading.span, reading.is_partial)
            expression = with_english_clock(scene.text, expression)
            if not _EVERY.search(scene.text[max(0, place - 8) : place]):
                found.append(expression)
            at = expression.end
    return found


def _chinese(scene: Scene) -> list[TimeExpression]:
    found, at = [], 0
    while start := _STARTS_ZH.search(scene.text, at):
        place = start.start()
        at = place + 1
        reading = _longest([one for read in grammar_zh.PRODUCTIONS if (one := read(scene, place))])
        if reading:
            reading = grammar_zh.neighbour(scene, reading)
            expression = TimeExpression(place, reading.end, reading.span, reading.is_partial)
            expression = with_chinese_clock(scene.text, expression)
            found.append(expression)
            at = expression.end
    return found

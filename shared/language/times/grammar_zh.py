"""The Chinese grammar of time: one production for each way to say when.

It reads simplified characters only: `scripts.plainly_written` brings the others there. As in the
English grammar, a production is asked at a place, looks a bounded way ahead and never back.
"""

import re

from shared.language.times.amounts import Amount, moved_day
from shared.language.times.amounts_zh import about_so_far, amount_away, amount_to_come, stretch
from shared.language.times.dates_zh import (
    calendar_date,
    day_alone,
    lunar_new_year,
    month_alone,
    numeric_date,
)
from shared.language.times.edges_zh import edge_of_period, half_of_year, vague_word
from shared.language.times.numbers_zh import number
from shared.language.times.scene import Reading, Scene
from shared.language.times.weeks_zh import named_day, period, weekday, year_alone

_NEXT_TO = re.compile(
    r"的?(?:(?P<side>前|后)(?P<n>一|两|三|几)天|(?P<next>次日|第二天|隔天)|(?P<eve>前夕|前夜))"
)


def neighbour(scene: Scene, reading: Reading) -> Reading:
    """下周五的前一天, 3月1日次日: the day beside the one that was just read."""
    found = _NEXT_TO.match(scene.text, reading.end)
    span = reading.span
    if not found or span.grain != "day" or span.part:
        return reading
    if found["next"]:
        days = 1
    elif found["eve"]:
        days = -1
    elif found["n"] == "几":
        return reading
    else:
        days = (number(found["n"]) or 1) * (-1 if found["side"] == "前" else 1)
    moved_to = moved_day(span.first, Amount(days=abs(days)), 1 if days > 0 else -1, scene.now)
    return Reading(moved_to, found.end()) if moved_to else reading


PRODUCTIONS = (
    calendar_date, lunar_new_year, numeric_date, day_alone, month_alone, weekday, period,
    year_alone, named_day, about_so_far, amount_away, amount_to_come, stretch, edge_of_period,
    half_of_year, vague_word,
)  # fmt: skip

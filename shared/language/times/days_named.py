"""The days a text names, for matching a question's words of time against dates of messages."""

from datetime import date, datetime, tzinfo

from shared.language.times.find import time_expressions
from shared.language.times.span import DAY, NAMED_GRAINS


def days_named(text: str, now: datetime, zone: tzinfo) -> list[tuple[date, date]]:
    """First and last day of every time the text names, in its order, as seen in the zone.

    Words such as "now" or "later" name no day; lunar dates are left out.
    """
    local = now.astimezone(zone)
    return [
        (one.span.first, one.span.last)
        for one in time_expressions(text, local)
        if one.span.grain in NAMED_GRAINS
    ]


def words_with_days(text: str, now: datetime) -> list[dict[str, str]]:
    """The words of time in a text, each with the day it means: hints for a model."""
    return [
        {"words": text[one.start : one.end], "date": one.span.first.isoformat()}
        for one in time_expressions(text, now)
        if one.span.grain == DAY and not one.is_partial
    ]

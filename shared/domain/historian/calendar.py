"""The days around a note, as the model that rewrites it is shown them, and the days it may name."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from shared.language import times_in

WEEKS = {"last week": -1, "this week": 0, "next week": 1}
"""Whole weeks from Monday: seven days back and seven ahead are always among them."""
FARTHEST = timedelta(days=400)
"""A day that the note gives without its year is not further away than this."""
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)|(\d{4})年(\d{1,2})月(\d{1,2})日")
_NUMBER = re.compile(r"\d+")
_CLAUSE_END = re.compile(r"[,，;；。!！?？\n]")


def calendar(day: date) -> dict[str, list[str]]:
    """`{"this week": ["2026-03-02 Monday", ...], ...}`, without a word on which one is today."""
    monday = day - timedelta(days=day.weekday())
    return {
        name: [f"{one_day:%Y-%m-%d %A}" for one_day in _days(monday + timedelta(weeks=weeks), 7)]
        for name, weeks in WEEKS.items()
    }


def unfounded_dates(text: str, sources: Sequence[tuple[str, datetime]]) -> list[str]:
    """Full dates that no source gives a reason for. A source is a text with its local time: it
    may mean the days of the calendar, those its words of time name, and a day whose number it
    says."""
    return [
        said
        for said, day in dates_in(text)
        if day is None or not any(_is_founded(day, said, *source) for source in sources)
    ]


def dates_in(text: str) -> list[tuple[str, date | None]]:
    """Every full date as it is written; None for one that no calendar has."""
    found: list[tuple[str, date | None]] = []
    for match in _DATE.finditer(text):
        year, month, day = (int(number) for number in match.groups() if number)
        try:
            found.append((match[0], date(year, month, day)))
        except ValueError:
            found.append((match[0], None))
    return found


def _is_founded(day: date, said: str, source: str, at: datetime) -> bool:
    monday = at.date() - timedelta(days=at.weekday())
    if said in source or monday - timedelta(weeks=1) <= day < monday + timedelta(weeks=2):
        return True
    # A clause alone too: what stands beside a time may change how it is read.
    for part in (source, *_CLAUSE_END.split(source)):
        if any(named.first <= day <= named.last for named in times_in(part, at)):
            return True
    numbers = {int(number) for number in _NUMBER.findall(source)[:1000]}
    is_near = abs(day - at.date()) <= FARTHEST or day.year in numbers
    return day.day in numbers and is_near


def _days(first: date, count: int) -> list[date]:
    return [first + timedelta(days=number) for number in range(count)]

"""When a cron expression is due: five fields, `*`, `*/n`, `a-b`, `a,b`, in UTC."""

from datetime import datetime

RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
NAMES = ("minute", "hour", "day", "month", "weekday")


def is_due(expression: str, at: datetime) -> bool:
    """Whether `expression` fires in the minute of `at`. ValueError says what is wrong with it."""
    minute, hour, day, month, weekday = parse(expression)
    is_day = at.day in day
    is_weekday = at.isoweekday() % 7 in weekday
    fields = expression.split()
    # As in cron: if both days are restricted, either will do.
    if fields[2] != "*" and fields[4] != "*":
        on_the_day = is_day or is_weekday
    else:
        on_the_day = is_day and is_weekday
    return at.minute in minute and at.hour in hour and at.month in month and on_the_day


def parse(expression: str) -> list[set[int]]:
    fields = expression.split()
    if len(fields) != len(RANGES):
        raise ValueError(f"a schedule has five fields, got {expression!r}")
    parsed = [
        _parse_field(field, low, high, name)
        for field, (low, high), name in zip(fields, RANGES, NAMES, strict=True)
    ]
    parsed[4] = {day % 7 for day in parsed[4]}
    return parsed


def _parse_field(field: str, low: int, high: int, name: str) -> set[int]:
    chosen: set[int] = set()
    for part in field.split(","):
        span, _, step = part.partition("/")
        try:
            if span == "*":
                first, last = low, high
            else:
                start, dash, end = span.partition("-")
                first = int(start)
                last = int(end) if dash else (high if step else first)
            every = int(step) if step else 1
        except ValueError:
            raise ValueError(f"{field!r} is not a {name}") from None
        if not (low <= first <= last <= high and every >= 1):
            raise ValueError(f"{field!r} is not a {name} between {low} and {high}")
        chosen.update(range(first, last + 1, every))
    return chosen

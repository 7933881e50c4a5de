"""When a note is tried again that a model's outage left in relative words. Pure."""

from datetime import timedelta

FIRST_WAIT = timedelta(minutes=10)
LONGEST_WAIT = timedelta(hours=6)
"""An outage is mostly over in minutes; one of days is asked about four times a day."""
MOST_TRIES = 60
"""Two weeks of outage: then the note stays as it is, marked."""


def wait_before(tries: int) -> timedelta:
    """How long until a note that a model's outage left relative is tried again."""
    doubled: int = 2 ** min(tries, 10)
    return min(LONGEST_WAIT, FIRST_WAIT * doubled)

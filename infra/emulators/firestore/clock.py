"""Firestore's time: microseconds, each commit later than everything before it.

A field's server time is another: when the request came in, to the millisecond. Of two writers the
one that came first may be the one that is committed last.
"""

import time
from contextvars import ContextVar

_CAME_IN: ContextVar[int | None] = ContextVar("came_in", default=None)
"""Of the request that is being served."""


def note_arrival() -> None:
    _CAME_IN.set(time.time_ns() // 1000)


def request_time(committed: int) -> int:
    """When the request that is committed at this time came in."""
    came_in = _CAME_IN.get()
    return committed if came_in is None else min(came_in, committed)


class Clock:
    """No two commits share a time, and none comes at or before a time that was read at."""

    def __init__(self, last: int) -> None:
        self._last = last

    def read_time(self) -> int:
        """Now; a commit made later has a later time."""
        self._last = max(self._last, time.time_ns() // 1000)
        return self._last

    def commit_time(self) -> int:
        self._last = max(self._last + 1, time.time_ns() // 1000)
        return self._last

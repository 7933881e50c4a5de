"""Firestore's time: microseconds, each commit later than everything before it."""

import time


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

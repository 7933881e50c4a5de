"""Reads that run side by side, each with its own share of the time, none of them fatal."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from shared.errors import AnnalsError

T = TypeVar("T")

OPENING, RECENT, SELECTING, FALLING_BACK = 0.35, 0.5, 0.7, 0.95
"""The reads of each step must have ended at this share of the usable time."""


class Fallen(Exception):
    """A rung of the ladder broke; the message says why."""


class Reads:
    """All reads of one answer. What has not ended when it closes is cancelled and awaited."""

    def __init__(self, seconds: float) -> None:
        self._began = time.monotonic()
        self._seconds = seconds
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self.timings_ms: dict[str, float] = {}
        self.failures: dict[str, str] = {}

    def left(self) -> float:
        return max(0.0, self._began + self._seconds - time.monotonic())

    def start(self, name: str, read: Coroutine[Any, Any, T], *, until: float) -> "asyncio.Task[T]":
        """`until` is the share of the whole time at which this read must have ended."""
        limit = max(0.0, self._began + until * self._seconds - time.monotonic())
        task = asyncio.create_task(self._timed(name, read, limit), name=f"read {name}")
        self._tasks[name] = task
        return task

    async def get(self, name: str, default: T) -> T:
        """What it found, or the default if it failed, was late, or was never started."""
        task = self._tasks.get(name)
        if task is None:
            return default
        try:
            found: T = await asyncio.shield(task)
        except TimeoutError:
            self.failures.setdefault(name, "it was not there in time")
            return default
        except AnnalsError as error:
            self.failures.setdefault(name, error.message)
            return default
        return found

    async def maybe(self, read: "asyncio.Task[T | None]") -> T | None:
        """What a read found that may find nothing; failing is finding nothing, and is noted."""
        nothing: list[T | None] = [None]
        return await self.get(self._name_of(read), nothing[0])

    def need(self, *names: str) -> None:
        """Without these there is no going on."""
        for name in names:
            if name in self.failures:
                raise Fallen(self.failures[name])

    def _name_of(self, read: "asyncio.Task[Any]") -> str:
        return next(name for name, task in self._tasks.items() if task is read)

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _timed(self, name: str, read: Coroutine[Any, Any, T], limit: float) -> T:
        began = time.monotonic()
        try:
            async with asyncio.timeout(limit):
                return await read
        finally:
            self.timings_ms[name] = round((time.monotonic() - began) * 1000, 1)

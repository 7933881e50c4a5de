"""Attribution is courteous: few runs at a time work in a process, so that messages come first.

The tasks of many groups may come together, and each of them is a hundred small steps on the one
event loop that also answers whoever sends a message. While a run waits for a model it gives its
turn to another: a slow model holds up nobody.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import TypeVar

T = TypeVar("T")

AT_A_TIME = 1


class Turn:
    """One run's turn, held in the body of `async with`, except while it is `given_up`."""

    def __init__(self, turns: asyncio.Semaphore) -> None:
        self._turns = turns
        self._is_held = False

    async def __aenter__(self) -> "Turn":
        await self._take()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._is_held:
            self._give()

    @asynccontextmanager
    async def given_up(self) -> AsyncIterator[None]:
        self._give()
        try:
            yield
        finally:
            await self._take()

    async def _take(self) -> None:
        await self._turns.acquire()
        self._is_held = True

    def _give(self) -> None:
        self._is_held = False
        self._turns.release()


async def one_by_one(worked_out: Iterable[T]) -> list[T]:
    """All of them; between two the loop may answer somebody else."""
    found: list[T] = []
    for one in worked_out:
        found.append(one)
        await asyncio.sleep(0)
    return found

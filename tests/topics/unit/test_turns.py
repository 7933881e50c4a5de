"""Turns of attribution: how many work at once, and that none is ever lost."""

import asyncio

import pytest

from functions.ingest_message.turns import Turn


class Room:
    """Counts who works at the moment, and the most there ever were."""

    def __init__(self) -> None:
        self.working = self.most = 0

    async def work(self) -> None:
        self.working += 1
        self.most = max(self.most, self.working)
        await asyncio.sleep(0)
        self.working -= 1


async def test_no_more_work_at_once_than_there_are_turns() -> None:
    turns, room = asyncio.Semaphore(2), Room()

    async def run() -> None:
        async with Turn(turns) as turn:
            await room.work()
            async with turn.given_up():
                await asyncio.sleep(0)
            await room.work()

    await asyncio.gather(*(run() for _ in range(20)))
    assert room.most == 2
    assert turns._value == 2


async def test_who_waits_for_a_model_holds_up_nobody() -> None:
    turns, answered, said = asyncio.Semaphore(1), asyncio.Event(), []

    async def slow() -> None:
        async with Turn(turns) as turn:
            async with turn.given_up():
                await answered.wait()
            said.append("slow")

    async def quick() -> None:
        async with Turn(turns):
            said.append("quick")

    waiting = asyncio.create_task(slow())
    await asyncio.sleep(0)
    await quick()
    answered.set()
    await waiting
    assert said == ["quick", "slow"]


async def test_a_run_that_is_cancelled_while_it_wants_its_turn_back_takes_none_along() -> None:
    turns, is_answered = asyncio.Semaphore(1), asyncio.Event()

    async def run() -> None:
        async with Turn(turns) as turn, turn.given_up():
            is_answered.set()

    async with Turn(turns):
        cancelled = asyncio.create_task(run())
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled

    started = asyncio.create_task(run())
    await is_answered.wait()
    async with Turn(turns):
        await asyncio.sleep(0)
        started.cancel()
        await asyncio.gather(started, return_exceptions=True)
    assert turns._value == 1

"""The queues at hot documents: first come, first served, and nobody waits for ever."""

import asyncio

import pytest

from infra.emulators.firestore import contention
from infra.emulators.firestore.contention import ContentionQueue
from infra.emulators.firestore.transactions import Transaction

DATABASE = "projects/p/databases/d"


def transaction(name: str) -> Transaction:
    return Transaction(name.encode(), DATABASE, read_only=False)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contention, "WAIT_SECONDS", 0.02)


async def _waiting(turns: ContentionQueue, *tasks: asyncio.Task[bool]) -> None:
    """Until every task stands in a queue."""
    while len(turns._waits_for) < len(tasks):
        assert not any(task.done() for task in tasks)
        await asyncio.sleep(0)


async def test_nobody_waits_at_what_is_not_hot() -> None:
    turns = ContentionQueue()

    assert not await turns.take(transaction("one"), ["x"])
    assert not await turns.take(transaction("two"), ["x"])


async def test_at_what_is_hot_each_waits_for_the_one_before() -> None:
    turns = ContentionQueue()
    turns.heat(["x"])
    one, two, three = map(transaction, ("one", "two", "three"))
    order = []

    async def work(who: Transaction) -> bool:
        waited = await turns.take(who, ["x"])
        order.append(who.id)
        return waited

    assert not await work(one)
    second = asyncio.create_task(work(two))
    await _waiting(turns, second)
    third = asyncio.create_task(work(three))
    await _waiting(turns, second, third)
    turns.release(one)
    assert await second
    assert not third.done()
    turns.release(two)
    assert await third
    assert order == [b"one", b"two", b"three"]


async def test_a_holder_may_take_what_it_holds_again() -> None:
    turns = ContentionQueue()
    turns.heat(["x"])
    one = transaction("one")

    assert not await turns.take(one, ["x"])
    assert not await turns.take(one, ["x", "y"])


@pytest.mark.usefixtures("short")
async def test_a_holder_that_does_not_end_loses_its_turn() -> None:
    turns = ContentionQueue()
    turns.heat(["x"])
    await turns.take(transaction("sleeper"), ["x"])
    one, two = transaction("one"), transaction("two")

    assert await turns.take(one, ["x"])
    following = asyncio.create_task(turns.take(two, ["x"]))
    await _waiting(turns, following)
    turns.release(one)
    assert await following


async def test_two_that_would_wait_for_each_other_do_not() -> None:
    turns = ContentionQueue()
    turns.heat(["x", "y"])
    one, two = transaction("one"), transaction("two")
    await turns.take(one, ["x"])
    await turns.take(two, ["y"])
    first = asyncio.create_task(turns.take(one, ["y"]))
    await _waiting(turns, first)

    assert not await turns.take(two, ["x"])
    turns.release(two)
    assert await first


async def test_one_that_goes_away_while_it_waits_is_passed_over() -> None:
    turns = ContentionQueue()
    turns.heat(["x"])
    one, gone, two = map(transaction, ("one", "gone", "two"))
    await turns.take(one, ["x"])
    leaving = asyncio.create_task(turns.take(gone, ["x"]))
    await _waiting(turns, leaving)
    staying = asyncio.create_task(turns.take(two, ["x"]))
    await _waiting(turns, leaving, staying)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    turns.release(one)

    assert await staying


async def test_a_write_outside_lets_the_holder_finish_but_not_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(contention, "WRITE_WAIT_SECONDS", 0.01)
    turns = ContentionQueue()
    turns.heat(["x"])
    one = transaction("one")
    await turns.take(one, ["x"])

    await turns.let_pass(["x"])
    passing = asyncio.create_task(turns.let_pass(["x"]))
    turns.release(one)
    await passing

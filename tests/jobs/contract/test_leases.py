"""Leases on Firestore: one holder, fenced, renewed, handed over."""

import asyncio
from datetime import timedelta

import pytest

from shared.errors import LostLease
from shared.stores.firestore import Database
from shared.stores.leases import Leases


async def test_only_one_of_many_takes_a_lease(leases: Leases) -> None:
    taken = await asyncio.gather(*(leases.take("group:evolve", f"w{n}") for n in range(5)))

    assert sum(held is not None for held in taken) == 1


async def test_a_released_lease_tells_that_it_was_wanted(leases: Leases) -> None:
    held = await leases.take("group:evolve", "first")
    assert held is not None
    assert await leases.take("group:evolve", "second") is None

    assert await leases.release(held) is True
    again = await leases.take("group:evolve", "second")
    assert again is not None
    assert again.token == held.token + 1


async def test_a_lease_nobody_wanted_is_released_quietly(leases: Leases) -> None:
    held = await leases.take("group:evolve", "first")
    assert held is not None

    assert await leases.release(held) is False


async def test_an_expired_lease_is_taken_over_and_the_old_holder_cannot_renew(
    leases: Leases,
) -> None:
    old = await leases.take("group:evolve", "dies")
    assert old is not None
    new = None
    async with asyncio.timeout(10):
        while new is None:
            new = await leases.take("group:evolve", "heir")
            await asyncio.sleep(0.05)

    with pytest.raises(LostLease):
        await leases.renew(old)
    await leases.renew(new)


async def test_a_kept_lease_outlives_its_term(leases: Leases) -> None:
    held = await leases.take("group:evolve", "long")
    assert held is not None
    async with leases.kept(held):
        for _ in range(15):
            await asyncio.sleep(0.1)
            assert await leases.take("group:evolve", "other") is None


async def test_work_is_cancelled_when_its_lease_is_lost(database: Database) -> None:
    slow = Leases(database, lasts=timedelta(0), renew_every=timedelta(milliseconds=100))
    held = await slow.take("group:evolve", "loses")
    assert held is not None
    assert await slow.take("group:evolve", "thief") is not None

    with pytest.raises(LostLease):
        async with slow.kept(held):
            await asyncio.sleep(30)


async def test_expired_leases_that_are_wanted_are_found(leases: Leases) -> None:
    held = await leases.take("a:evolve", "dies")
    assert held is not None
    assert await leases.take("a:evolve", "waits") is None
    assert await leases.expired_and_wanted(10) == []

    async with asyncio.timeout(10):
        while await leases.expired_and_wanted(10) != ["a:evolve"]:
            await asyncio.sleep(0.05)

"""The product's own transactions, on both servers: two calls, and none is lost to a retired id."""

import asyncio
from typing import Any

import pytest
from google.api_core.exceptions import Aborted

from infra.emulators.tests.firestore.servers import Server
from shared.errors import Broken, Conflict, Transient
from shared.stores.firestore import MAX_ATTEMPTS, Database, Snapshot, Write, create, put, update

COUNTER = "c/counter"


@pytest.fixture
async def counter(database: Database) -> Database:
    """A database with one number in it."""
    await database.commit([put(COUNTER, {"n": 0})])
    return database


def one_more(read: list[Snapshot | None]) -> tuple[list[Write], int]:
    (found,) = read
    assert found
    n = found.data["n"] + 1
    return [update(COUNTER, {"n": n})], n


async def counted(database: Database) -> int:
    found = await database.get(COUNTER)
    assert found
    return int(found.data["n"])


async def test_increments_at_the_same_time_are_all_counted(
    counter: Database, server: Server
) -> None:
    # Google's emulator waits for locks, tens of seconds for the full load: it gets a small one.
    tasks, each = (8, 10) if server.is_ours else (2, 3)

    async def work() -> list[int]:
        told: list[int] = []
        while len(told) < each:
            try:
                told.append(await counter.transact([COUNTER], one_more))
            except Transient:
                assert not server.is_ours
        return told

    told = await asyncio.gather(*(work() for _ in range(tasks)))

    assert await counted(counter) == tasks * each
    assert sorted(n for ones in told for n in ones) == list(range(1, tasks * each + 1))


async def test_a_transaction_whose_id_was_retired_begins_anew(
    counter: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restart of the service, or a pause that was too long."""
    service, sent = counter.firestore.service, []

    async def commit(request: Any, **options: Any) -> Any:
        sent.append(request)
        if len(sent) == 1:
            await counter.firestore.roll_back(request.transaction)
        return await real(request, **options)

    real = service.commit
    monkeypatch.setattr(service, "commit", commit)

    assert await counter.transact([COUNTER], one_more) == 1
    assert await counted(counter) == 1
    assert len({request.transaction for request in sent}) == 2


async def test_a_read_that_was_aborted_is_tried_again(
    counter: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Firestore may end a transaction at its first read, not only at its commit."""
    service, asked = counter.firestore.service, []

    async def read(request: Any, **options: Any) -> Any:
        asked.append(request)
        if len(asked) < MAX_ATTEMPTS:
            raise Aborted("too much contention")  # type: ignore[no-untyped-call]
        return await real(request, **options)

    real = service.batch_get_documents
    monkeypatch.setattr(service, "batch_get_documents", read)

    assert await counter.transact([COUNTER], one_more) == 1
    assert len(asked) == MAX_ATTEMPTS


async def test_a_wrong_request_is_refused_and_not_sent_for_ever(
    counter: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, sent = counter.firestore.service, []

    async def commit(request: Any, **options: Any) -> Any:
        sent.append(request)
        return await real(request, **options)

    real = service.commit
    monkeypatch.setattr(service, "commit", commit)

    with pytest.raises(Broken):
        await counter.transact(
            [COUNTER], lambda _: ([create("c/too_large", {"text": "x" * 2_000_000})], None)
        )
    assert len(sent) == 2


async def test_what_the_decision_raises_ends_the_transaction(counter: Database) -> None:
    def refuse(_: list[Snapshot | None]) -> tuple[list[Write], None]:
        raise Conflict("not now")

    with pytest.raises(Conflict, match="not now"):
        await counter.transact([COUNTER], refuse)

    assert await counter.transact([COUNTER], one_more) == 1


async def test_a_transaction_may_write_nothing_and_read_what_is_not_there(
    counter: Database,
) -> None:
    def look(read: list[Snapshot | None]) -> tuple[list[Write], list[bool]]:
        return [], [one is None for one in read]

    assert await counter.transact([COUNTER, "c/none", COUNTER], look) == [False, True, False]
    assert await counter.transact([COUNTER], one_more) == 1


async def test_two_transactions_that_read_and_write_crosswise_see_each_other(
    counter: Database,
) -> None:
    """Each may be on duty only if the other is not: both at once must not both succeed."""
    people = ["c/ann", "c/bob"]
    await counter.commit([put(one, {"is_on": False}) for one in people])

    async def go(me: str) -> bool:
        def decide(read: list[Snapshot | None]) -> tuple[list[Write], bool]:
            if any(one and one.data["is_on"] for one in read):
                return [], False
            return [update(me, {"is_on": True})], True

        return await counter.transact(people, decide)

    async def insist(me: str) -> bool:
        while True:
            try:
                return await go(me)
            except Transient:
                continue

    assert sorted(await asyncio.gather(*map(insist, people))) == [False, True]

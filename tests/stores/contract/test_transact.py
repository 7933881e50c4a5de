"""The product's own transactions, on both servers: two calls, and none is lost to a retired id."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from google.cloud import firestore

from infra.emulators.tests.firestore.servers import PARAMETERS, Server, running
from shared.errors import Conflict, Transient
from shared.stores.database import Database, Snapshot, Write, put, update

COUNTER = "c/counter"


@pytest.fixture(scope="session", params=PARAMETERS)
def server(request: pytest.FixtureRequest) -> Server:
    return running(request.config, request.param)


@pytest.fixture
async def adb(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[firestore.AsyncClient]:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", server.host)
    client = firestore.AsyncClient(project=f"test-{uuid.uuid4().hex[:12]}")
    yield client
    await client._firestore_api.transport.close()


@pytest.fixture
async def database(adb: firestore.AsyncClient) -> Database:
    database = Database(adb)
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
    database: Database, server: Server
) -> None:
    # Google's emulator waits for locks, tens of seconds for the full load: it gets a small one.
    tasks, each = (8, 10) if server.is_ours else (2, 3)

    async def work() -> list[int]:
        told: list[int] = []
        while len(told) < each:
            try:
                told.append(await database.transact([COUNTER], one_more))
            except Transient:
                assert not server.is_ours
        return told

    told = await asyncio.gather(*(work() for _ in range(tasks)))

    assert await counted(database) == tasks * each
    assert sorted(n for ones in told for n in ones) == list(range(1, tasks * each + 1))


async def test_a_transaction_whose_id_was_retired_begins_anew(
    database: Database, adb: firestore.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restart of the service, or a pause that was too long."""
    service, sent = adb._firestore_api, []

    async def commit(request: Any, **options: Any) -> Any:
        sent.append(request)
        if len(sent) == 1:
            over = {"database": request.database, "transaction": request.transaction}
            await service.rollback(request=over, metadata=adb._rpc_metadata)
        return await real(request, **options)

    real = service.commit
    monkeypatch.setattr(service, "commit", commit)

    assert await database.transact([COUNTER], one_more) == 1
    assert await counted(database) == 1
    assert len({request.transaction for request in sent}) == 2


async def test_what_the_decision_raises_ends_the_transaction(database: Database) -> None:
    def refuse(_: list[Snapshot | None]) -> tuple[list[Write], None]:
        raise Conflict("not now")

    with pytest.raises(Conflict, match="not now"):
        await database.transact([COUNTER], refuse)

    assert await database.transact([COUNTER], one_more) == 1


async def test_a_transaction_may_write_nothing_and_read_what_is_not_there(
    database: Database,
) -> None:
    def look(read: list[Snapshot | None]) -> tuple[list[Write], list[bool]]:
        return [], [one is None for one in read]

    assert await database.transact([COUNTER, "c/none", COUNTER], look) == [False, True, False]
    assert await database.transact([COUNTER], one_more) == 1


async def test_two_transactions_that_read_and_write_crosswise_see_each_other(
    database: Database,
) -> None:
    """Each may be on duty only if the other is not: both at once must not both succeed."""
    people = ["c/ann", "c/bob"]
    await database.commit([put(one, {"is_on": False}) for one in people])

    async def go(me: str) -> bool:
        def decide(read: list[Snapshot | None]) -> tuple[list[Write], bool]:
            if any(one and one.data["is_on"] for one in read):
                return [], False
            return [update(me, {"is_on": True})], True

        return await database.transact(people, decide)

    async def insist(me: str) -> bool:
        while True:
            try:
                return await go(me)
            except Transient:
                continue

    assert sorted(await asyncio.gather(*map(insist, people))) == [False, True]

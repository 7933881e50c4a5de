"""A database that takes the call and says nothing."""

import socket
from collections.abc import AsyncIterator

import pytest

from shared.errors import Transient
from shared.stores.firestore import Database, collection, connect, put


@pytest.fixture
async def silent() -> AsyncIterator[Database]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        database = Database(connect("silent", emulator=f"{host}:{port}"), timeout_s=0.3)
        yield database
        await database.close()


async def test_every_call_ends_in_time_as_an_outage(silent: Database) -> None:
    with pytest.raises(Transient):
        await silent.get("c/one")
    with pytest.raises(Transient):
        await silent.commit([put("c/one", {})])
    with pytest.raises(Transient):
        await silent.transact(["c/one"], lambda _: ([put("c/one", {})], None))
    with pytest.raises(Transient):
        await silent.find(collection("c").limit(1))

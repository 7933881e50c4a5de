"""An empty database of its own for each test, on our emulator and on Google's."""

import uuid
from collections.abc import AsyncIterator

import pytest

from infra.emulators.tests.firestore.servers import PARAMETERS, Server, running
from shared.stores.firestore import Database, connect


@pytest.fixture(scope="session", params=PARAMETERS)
def server(request: pytest.FixtureRequest) -> Server:
    return running(request.config, request.param)


@pytest.fixture
async def database(server: Server) -> AsyncIterator[Database]:
    database = Database(connect(f"test-{uuid.uuid4().hex[:12]}", emulator=server.host))
    yield database
    await database.close()

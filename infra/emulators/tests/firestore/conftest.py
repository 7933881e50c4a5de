"""Fixtures of the Firestore contract: every test runs on ours and on Google's emulator.

A test that asks for `db`, `adb` or `wire` gets a project of its own, so tests never meet.
"""

import uuid
from collections.abc import AsyncIterator, Iterator

import pytest
from google.cloud import firestore

from infra.emulators.tests.firestore.differences import expect_google_to_differ
from infra.emulators.tests.firestore.servers import PARAMETERS, Server, running
from infra.emulators.tests.firestore.wire import Wire


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "differs(reason): Google's emulator departs from its production service here"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        expect_google_to_differ(item)


@pytest.fixture(scope="session", params=PARAMETERS)
def server(request: pytest.FixtureRequest) -> Server:
    return running(request.config, request.param)


@pytest.fixture
def project(server: Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """A fresh project, and the environment as the SDK expects it for the test's whole length.

    The SDK reads the variable again when it makes clients of its own (a bulk writer's, say).
    """
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", server.host)
    return f"test-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def db(project: str) -> Iterator[firestore.Client]:
    client = firestore.Client(project=project)
    yield client
    client._firestore_api.transport.close()


@pytest.fixture
def second_db(project: str) -> Iterator[firestore.Client]:
    """A named database of the same project as `db`."""
    client = firestore.Client(project=project, database="second")
    yield client
    client._firestore_api.transport.close()


@pytest.fixture
async def adb(project: str) -> AsyncIterator[firestore.AsyncClient]:
    client = firestore.AsyncClient(project=project)
    yield client
    await client._firestore_api.transport.close()


@pytest.fixture
def wire(db: firestore.Client) -> Wire:
    return Wire(db)

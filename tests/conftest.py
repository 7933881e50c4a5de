"""What tests of several subjects share: emulators with the product's services, a local cloud."""

from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import uuid4

import pytest

from shared.wiring import Services
from tests.local_cloud import LocalCloud
from tests.services import Clock, all_emulators, in_process
from tests.topics.attributing import Attributing


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The addresses of four emulators, which all pipeline tests of a worker share, and where their
    data lies."""
    data = tmp_path_factory.mktemp("emulators")
    with all_emulators(data) as running:
        yield {**running.told, "data": str(data)}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def made(told: dict[str, Any], clock: Clock) -> AsyncIterator[Services]:
    async with in_process(told, clock) as services:
        yield services


@pytest.fixture
def group(made: Services, clock: Clock, told: dict[str, Any]) -> Iterator[Attributing]:
    """A group of its own, whose messages wait for their topics until the test says so."""
    one = Attributing(made, clock, told, f"test:{uuid4().hex[:12]}")
    yield one
    one.heal()


@pytest.fixture(scope="session")
def fragile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCloud]:
    """One that tests may kill, quick to notice the dead. Who uses it runs where the others do that
    use it: `pytestmark = ON_THE_FRAGILE_CLOUD`."""
    local = LocalCloud(
        tmp_path_factory.mktemp("fragile") / "data",
        ANNALS_LEASE_SECONDS="2",
        ANNALS_SWEEP_AFTER_SECONDS="2",
    ).start()
    try:
        yield local
    finally:
        local.close()


@pytest.fixture(scope="session")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCloud]:
    """One local cloud for the tests that leave it running."""
    local = LocalCloud(tmp_path_factory.mktemp("annals") / "data").start()
    try:
        yield local
    finally:
        local.close()

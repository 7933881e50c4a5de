"""The four emulators for all tests here, and services on them for each."""

from collections.abc import AsyncIterator, Iterator
from typing import Any
from uuid import uuid4

import pytest

from shared.wiring import Services
from tests.pipelines.attributing import Attributing
from tests.services import Clock, all_emulators, in_process


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    with all_emulators(tmp_path_factory.mktemp("emulators")) as running:
        yield running.told


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

"""The four emulators for all tests here, and services on them for each."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from shared.wiring import Services
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

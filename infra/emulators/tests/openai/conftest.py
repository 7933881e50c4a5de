"""The emulator as a real process, the real SDK in both its forms, and the admin endpoint."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from openai import AsyncOpenAI, OpenAI

from infra.emulators.testing import Emulators, emulators
from infra.emulators.tests.openai.control import Control


@pytest.fixture(scope="session")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulators]:
    data: Path = tmp_path_factory.mktemp("openai")
    with emulators(["openai"], data) as running:
        yield running


@pytest.fixture(scope="session")
def base_url(emulator: Emulators) -> str:
    url: str = emulator.told["OPENAI_BASE_URL"]
    return url


@pytest.fixture
def control(emulator: Emulators) -> Iterator[Control]:
    """Counts at zero and no faults, before the test and after it."""
    with Control(emulator.told["admin"]["openai"]) as control:
        control.reset()
        yield control
        control.reset()


@pytest.fixture
def client(base_url: str, control: Control) -> Iterator[OpenAI]:
    with OpenAI(base_url=base_url, api_key="any", max_retries=0) as client:
        yield client


@pytest.fixture
async def async_client(base_url: str, control: Control) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=base_url, api_key="any", max_retries=0) as client:
        yield client

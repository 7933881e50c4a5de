"""The clients on the running emulators of the services they call."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from openai import AsyncOpenAI

from infra.emulators.testing import Emulators, emulators
from shared.clients.openai_calls import make_client
from tests.clients.service import Usage
from tests.project import ROOT


@pytest.fixture(scope="session")
def openai_emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulators]:
    with emulators(["openai"], tmp_path_factory.mktemp("openai")) as running:
        yield running


@pytest.fixture(scope="session")
def tasks_emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulators]:
    queues = str(ROOT / "infra" / "queues.toml")
    with emulators(["tasks"], tmp_path_factory.mktemp("tasks"), "--queues", queues) as running:
        yield running


@pytest.fixture
async def openai_client(openai_emulator: Emulators) -> AsyncIterator[AsyncOpenAI]:
    client = make_client(openai_emulator.told["OPENAI_BASE_URL"], "a development key")
    yield client
    await client.close()


class Faults:
    """Orders faults from the emulator and counts what it was asked."""

    def __init__(self, admin: httpx.Client) -> None:
        self._admin = admin

    def add(self, kind: str, **options: Any) -> None:
        self._admin.post("/faults", json={"kind": kind, **options}).raise_for_status()

    def calls(self, endpoint: str = "chat") -> int:
        counts = self._admin.get("/counts").raise_for_status().json()
        return int(counts["endpoints"].get(endpoint, {}).get("calls", 0))

    def counted(self, part: str, name: str) -> Any:
        return self._admin.get("/counts").raise_for_status().json()[part].get(name)


@pytest.fixture
def faults(openai_emulator: Emulators) -> Iterator[Faults]:
    with httpx.Client(base_url=openai_emulator.told["admin"]["openai"], timeout=60) as admin:
        admin.post("/reset").raise_for_status()
        yield Faults(admin)
        admin.post("/reset").raise_for_status()


@pytest.fixture
def usage() -> Usage:
    return Usage()

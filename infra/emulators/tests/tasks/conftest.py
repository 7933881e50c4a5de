"""One emulator for the whole suite; every case has its own queue, and its own target."""

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from infra.emulators.testing import ROOT, Emulators, emulators
from infra.emulators.tests.tasks.client import KINDS, Client, connected
from infra.emulators.tests.tasks.target import Target

LOCATION = "projects/test-project/locations/here"
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulators]:
    data = tmp_path_factory.mktemp("tasks")
    with emulators(["tasks"], data, "--queues", str(ROOT / "infra/queues.toml")) as running:
        yield running


@pytest.fixture(params=KINDS)
async def client(request: pytest.FixtureRequest, emulator: Emulators) -> AsyncIterator[Client]:
    async with connected(request.param, emulator.told["CLOUD_TASKS_ENDPOINT"]) as connection:
        yield connection


@pytest.fixture
def target() -> Iterator[Target]:
    running = Target()
    yield running
    running.close()


@pytest.fixture
def admin(emulator: Emulators) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=emulator.told["admin"]["tasks"], timeout=60) as connection:
        yield connection
        connection.delete("/faults")


@dataclass(frozen=True)
class Queue:
    """A queue of one case, with the calls that most cases make."""

    name: str
    client: Client
    target: Target

    @property
    def id(self) -> str:
        return self.name.rpartition("/")[2]

    def task_name(self, id_: str) -> str:
        return f"{self.name}/tasks/{id_}"

    async def add(self, id_: str | None = None, path: str = "/", **fields: Any) -> Any:
        """Create a task for the target; `request` adds to its HTTP request."""
        request = {"url": self.target.url + path, **fields.pop("request", {})}
        task = {"http_request": request, **fields}
        if id_ is not None:
            task["name"] = self.task_name(id_)
        return await self.client.call("create_task", parent=self.name, task=task)


def new_queue_name() -> str:
    return f"{LOCATION}/queues/case-{next(_numbers)}"


@pytest.fixture
async def queue(client: Client, target: Target) -> AsyncIterator[Queue]:
    """A fast queue: retries after tens of milliseconds, three attempts."""
    name = new_queue_name()
    await client.call(
        "create_queue",
        parent=LOCATION,
        queue={
            "name": name,
            "retry_config": {
                "max_attempts": 3,
                "min_backoff": {"nanos": 20_000_000},
                "max_backoff": {"nanos": 80_000_000},
                "max_doublings": 2,
            },
        },
    )
    yield Queue(name, client, target)
    await client.call("delete_queue", name=name)


@pytest.fixture
def idle(admin: httpx.Client) -> Callable[[], None]:
    """Waits until the emulator has nothing to do."""

    def wait() -> None:
        told = admin.post("/wait-idle", json={"timeout_s": 40})
        assert told.status_code == 200, told.json()

    return wait

"""The stores on our Firestore emulator, with the project's own indexes in force."""

import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from infra.emulators.testing import emulators
from shared.domain.jobs.attribution_tasks import Slots
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import Worker
from shared.stores.firestore import Database, connect
from shared.stores.groups import Groups
from shared.stores.jobs import Jobs
from shared.stores.leases import Leases
from tests.project import ROOT

LEASE_FOR = timedelta(seconds=1)
RENEW_EVERY = timedelta(milliseconds=100)
SLOTS = Slots(timedelta(seconds=2), timedelta(seconds=20), timedelta(seconds=60))


@pytest.fixture(scope="session")
def firestore_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("firestore")
    indexes = ROOT / "infra" / "firestore.indexes.json"
    with emulators(["firestore"], data, "--indexes", str(indexes)) as running:
        yield running.told["FIRESTORE_EMULATOR_HOST"]


@pytest.fixture
async def database(firestore_host: str) -> AsyncIterator[Database]:
    """An empty database of its own."""
    database = Database(connect(f"test-{uuid.uuid4().hex[:12]}", emulator=firestore_host))
    yield database
    await database.close()


class SentTasks:
    """A queue that remembers what was sent; with `is_down` it refuses."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, dict[str, Any]]] = []

    async def send(
        self,
        queue: str,
        task_id: str,
        path: str,
        body: dict[str, Any],
        *,
        at: datetime | None = None,
    ) -> None:
        self.sent.append((queue, task_id, body))

    async def is_waiting(self, queue: str, task_id: str) -> bool:
        return False


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def sent() -> SentTasks:
    return SentTasks()


@pytest.fixture
def leases(database: Database) -> Leases:
    return Leases(database, lasts=LEASE_FOR, renew_every=RENEW_EVERY)


@pytest.fixture
def jobs(database: Database) -> Jobs:
    return Jobs(database)


@pytest.fixture
def groups(database: Database) -> Groups:
    return Groups(database)


@pytest.fixture
def worker(jobs: Jobs, leases: Leases, groups: Groups, sent: SentTasks) -> Worker:
    return Worker(jobs, leases, groups, Dispatch(sent, now, SLOTS), now)

"""The emulator's own controls: counters, faults, checkpoint, reset."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import grpc
import httpx
import pytest

from infra.emulators.firestore import index_rules
from infra.emulators.firestore.admin import admin_app
from infra.emulators.firestore.engine import Engine
from infra.emulators.firestore.faults import Faults
from infra.emulators.firestore.protobuf import CommitRequest
from infra.emulators.firestore.refusal import Refused
from infra.emulators.firestore.writes import parse_write

DATABASE = "projects/p/databases/d"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = Engine(tmp_path, index_rules.Rules())
    request = CommitRequest(database=DATABASE)
    request.writes.add().update.name = f"{DATABASE}/documents/c/x"
    made.commit([parse_write(write, DATABASE) for write in request.writes], None)
    yield made
    made.close()


@pytest.fixture
def faults() -> Faults:
    return Faults()


@pytest.fixture
async def admin(engine: Engine, faults: Faults) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(admin_app(engine, faults))
    async with httpx.AsyncClient(transport=transport, base_url="http://admin") as client:
        yield client


async def test_what_was_done_is_counted_and_can_be_counted_anew(admin: httpx.AsyncClient) -> None:
    assert (await admin.get("/counters")).json()["documents_written"] == 1
    assert (await admin.post("/counters/reset")).json()["documents_written"] == 0
    assert (await admin.get("/counters")).json()["documents_written"] == 0


async def test_a_checkpoint_empties_the_log(admin: httpx.AsyncClient, tmp_path: Path) -> None:
    assert (await admin.post("/checkpoint")).json() == {"done": True}
    assert (tmp_path / "firestore.sqlite3-wal").stat().st_size == 0


async def test_a_checkpoint_says_so_when_a_long_read_is_in_its_way(
    admin: httpx.AsyncClient, engine: Engine
) -> None:
    with engine.storage.snapshot():
        assert (await admin.post("/checkpoint")).json() == {"done": False}
    assert (await admin.post("/checkpoint")).json() == {"done": True}


async def test_reset_forgets_everything(
    admin: httpx.AsyncClient, engine: Engine, faults: Faults
) -> None:
    faults.set(latency_ms=5)
    assert (await admin.post("/reset")).json() == {"done": True}

    assert not faults.active
    assert engine.storage.main.execute("SELECT count(*) FROM documents").fetchone() == (0,)


async def test_faults_are_set_and_taken_back(admin: httpx.AsyncClient, faults: Faults) -> None:
    assert not faults.active
    answer = await admin.put("/faults", json={"unavailable": 1, "latency_ms": 1})

    assert answer.json() == {"unavailable": 1, "latency_ms": 1}
    with pytest.raises(Refused) as refused:
        await faults.suffer()
    assert refused.value.code == grpc.StatusCode.UNAVAILABLE
    await admin.put("/faults", json={})
    assert not faults.active


@pytest.mark.parametrize(
    "body", ['{"latency_ms": -1}', '{"unavailable": 2}', '{"else": 1}', "no json"]
)
async def test_a_fault_that_cannot_be_is_refused(admin: httpx.AsyncClient, body: str) -> None:
    answer = await admin.put("/faults", content=body)

    assert answer.status_code == 400
    assert answer.json()["error"]

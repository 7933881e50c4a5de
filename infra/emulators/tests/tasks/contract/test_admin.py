"""The emulator's own controls: numbers, waiting, faults, and the table of queues."""

import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from infra.emulators.testing import ROOT, Emulators
from infra.emulators.tests.tasks.client import Client
from infra.emulators.tests.tasks.conftest import Queue
from infra.emulators.tests.tasks.target import Target

IN_AN_HOUR = timedelta(hours=1)


def glance(admin: Any, queue: Queue) -> dict[str, Any]:
    found = {one["name"]: one for one in admin.get("/queues").json()["queues"]}
    told = found[queue.name]
    assert isinstance(told, dict)
    return told


def ends(admin: Any, queue: Queue) -> dict[str, str]:
    told = admin.get("/tasks", params={"queue": queue.id}).json()["tasks"]
    return {one["name"].rpartition("/")[2]: one["state"] for one in told}


def test_the_emulator_is_healthy(admin: Any) -> None:
    assert admin.get("/health").json() == {"status": "ok"}


async def test_the_queues_of_the_table_exist_from_the_start(client: Client) -> None:
    parent = "projects/annals-local/locations/local"
    queues = {queue.name: queue for queue in await client.listed("list_queues", parent=parent)}
    table = tomllib.loads((ROOT / "infra/queues.toml").read_text())["queues"]
    assert list(queues) == [f"{parent}/queues/{name}" for name in sorted(table)]
    slow = queues[f"{parent}/queues/import"]
    assert slow.rate_limits.max_dispatches_per_second == 1
    assert slow.rate_limits.max_concurrent_dispatches == 1


async def test_a_glance_counts_what_waits_runs_and_ended(
    queue: Queue, target: Target, admin: Any, idle: Any
) -> None:
    target.answer = lambda request: 500 if request.path == "/bad" else 200
    await queue.add("good")
    await queue.add("bad", path="/bad")
    eta = datetime.now(UTC) + IN_AN_HOUR
    await queue.add("later", schedule_time=eta)
    idle()
    told = glance(admin, queue)
    assert (told["pending"], told["running"], told["done"], told["failed"]) == (1, 0, 1, 1)
    assert datetime.fromisoformat(told["oldest_eta"]) == eta
    assert ends(admin, queue) == {"good": "done", "bad": "failed", "later": "scheduled"}


async def test_waiting_until_idle_covers_retries_and_what_is_scheduled_soon(
    queue: Queue, target: Target, admin: Any
) -> None:
    target.answer = lambda request: 200 if request.retry == 2 else 500
    await queue.add("retried")
    await queue.add("soon", schedule_time=datetime.now(UTC) + timedelta(milliseconds=200))
    waited = admin.post("/wait-idle", json={"timeout_s": 30})
    assert (waited.status_code, waited.json()["idle"]) == (200, True)
    assert ends(admin, queue) == {"retried": "done", "soon": "done"}


async def test_waiting_until_idle_gives_up_in_time(
    queue: Queue, client: Client, target: Target, admin: Any
) -> None:
    task = await queue.add("soon", schedule_time=datetime.now(UTC) + timedelta(seconds=50))
    waited = admin.post("/wait-idle", json={"timeout_s": 0.05})
    assert (waited.status_code, waited.json()["idle"]) == (504, False)
    assert admin.post("/wait-idle", json={"timeout_s": 5, "horizon_s": 10}).json()["idle"]
    await client.call("delete_task", name=task.name)
    assert admin.post("/wait-idle", json={"timeout_s": 5}).json()["idle"]


async def test_a_dropped_attempt_is_retried(
    queue: Queue, target: Target, admin: Any, idle: Any
) -> None:
    assert admin.post("/faults", json={"kind": "drop", "next": 2, "queue": queue.id}).is_success
    await queue.add("dropped")
    idle()
    assert [request.retry for request in target.requests] == [2]
    assert ends(admin, queue) == {"dropped": "done"}
    assert admin.get("/faults").json()["faults"][0]["struck"] == 2


async def test_a_lost_task_is_gone_without_a_delivery(
    queue: Queue, target: Target, admin: Any, idle: Any
) -> None:
    admin.post("/faults", json={"kind": "lose", "next": 1, "queue": queue.name})
    await queue.add("lost")
    idle()
    assert not target.requests
    assert ends(admin, queue) == {"lost": "lost"}


async def test_a_duplicated_delivery_arrives_twice(
    queue: Queue, target: Target, admin: Any, idle: Any
) -> None:
    admin.post("/faults", json={"kind": "duplicate", "next": 1, "queue": queue.id})
    await queue.add("twice")
    await queue.add("once")
    idle()
    assert sorted(request.task for request in target.requests) == ["once", "twice", "twice"]
    assert {request.retry for request in target.requests} == {0}


async def test_a_delayed_delivery_arrives_later(queue: Queue, target: Target, admin: Any) -> None:
    fault = {"kind": "delay", "next": 1, "delay_ms": 300, "queue": queue.id}
    admin.post("/faults", json=fault)
    task = await queue.add("slow")
    assert target.wait_for(1)[0].at >= task.schedule_time.timestamp() + 0.3


async def test_a_reordered_delivery_lets_the_next_one_pass(
    queue: Queue, target: Target, admin: Any, idle: Any
) -> None:
    fault = {"kind": "reorder", "next": 1, "delay_ms": 600_000, "queue": queue.id}
    admin.post("/faults", json=fault)
    await queue.add("first")
    await queue.add("second")
    idle()
    assert [request.task for request in target.requests] == ["second", "first"]


async def test_a_share_of_deliveries_is_struck_repeatably_and_only_in_its_queue(
    queue: Queue, target: Target, admin: Any, idle: Any
) -> None:
    admin.post("/faults", json={"kind": "lose", "share": 0.5, "seed": 7, "queue": "another"})
    admin.post("/faults", json={"kind": "lose", "share": 0.5, "seed": 7, "queue": queue.id})
    for number in range(40):
        await queue.add(f"t{number}")
    idle()
    lost = [state for state in ends(admin, queue).values() if state == "lost"]
    another, here = admin.get("/faults").json()["faults"]
    assert (another["struck"], here["struck"]) == (0, len(lost))
    assert 0 < len(lost) < 40
    assert len(target.requests) == 40 - len(lost)


async def test_cleared_faults_strike_no_more(
    queue: Queue, target: Target, admin: Any, idle: Any
) -> None:
    admin.post("/faults", json={"kind": "lose", "share": 1})
    assert admin.delete("/faults").status_code == 204
    await queue.add("fine")
    idle()
    assert ends(admin, queue) == {"fine": "done"}
    assert admin.get("/faults").json() == {"faults": []}


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"kind": "explode", "next": 1}, "kind is one of"),
        ({"kind": "drop"}, "either share"),
        ({"kind": "drop", "share": 0.5, "next": 1}, "either share"),
        ({"kind": "drop", "share": 2}, "share is"),
        ({"kind": "drop", "next": 0}, "next is"),
        ({"kind": "delay", "next": 1, "delay_ms": -1}, "delay_ms"),
        ({"kind": "drop", "next": 1, "qeue": "a"}, "qeue"),
    ],
)
def test_a_fault_that_makes_no_sense_is_refused(
    admin: Any, fault: dict[str, Any], words: str
) -> None:
    refused = admin.post("/faults", json=fault)
    assert refused.status_code == 400
    assert words in refused.json()["error"]


async def test_the_body_of_a_finished_task_leaves_the_data_folder(
    queue: Queue, target: Target, admin: Any, idle: Any, emulator: Emulators
) -> None:
    secret = b"a-body-nobody-else-has-" * 400

    def is_on_disk() -> bool:
        files = [path for path in Path(emulator.data).rglob("*") if path.is_file()]
        return any(secret[:23] in path.read_bytes() for path in files)

    target.hold()
    await queue.add(request={"body": secret})
    target.wait_for(1)
    assert is_on_disk()
    target.release()
    idle()
    admin.post("/checkpoint")
    assert not is_on_disk()

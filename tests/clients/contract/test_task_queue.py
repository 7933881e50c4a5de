"""The task queue on the Cloud Tasks emulator, with the project's own table of queues."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import google.auth.transport.requests
import httpx
import pytest
import requests
from google.cloud.tasks_v2 import CloudTasksAsyncClient
from google.oauth2 import id_token

from infra.emulators.testing import Emulators
from infra.emulators.tests.tasks.target import Target
from shared import log
from shared.clients.task_queue import TaskIdentity, TaskQueue, make_client
from shared.contracts.queues import queues
from shared.domain.jobs.attribution_tasks import attribute_slot, attribute_task_id, job_task_id
from shared.errors import Misconfigured, Transient
from shared.runtime.health import outages
from tests.project import ROOT

PROJECT, LOCATION = "annals-local", "local"
IDENTITY = TaskIdentity("tasks@annals-local.example", "https://annals.example")
FUNCTIONS = sorted({row.function for row in queues().values()})


@pytest.fixture
async def client(tasks_emulator: Emulators) -> AsyncIterator[CloudTasksAsyncClient]:
    connection = make_client(tasks_emulator.told["CLOUD_TASKS_ENDPOINT"])
    yield connection
    await connection.transport.close()  # type: ignore[no-untyped-call]


@pytest.fixture
def target() -> Iterator[Target]:
    running = Target()
    yield running
    running.close()


@pytest.fixture
def admin(tasks_emulator: Emulators) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=tasks_emulator.told["admin"]["tasks"], timeout=60) as connection:
        yield connection


def make_queue(client: CloudTasksAsyncClient, url: str, **changes: Any) -> TaskQueue:
    options: dict[str, Any] = {
        "project": PROJECT,
        "location": LOCATION,
        "queues": queues(),
        "urls": {name: f"{url}/{name}" for name in FUNCTIONS},
        "identity": IDENTITY,
    }
    return TaskQueue(client, **{**options, **changes})


def new_id() -> str:
    return job_task_id(uuid.uuid4().hex, 0)


def tasks_named(admin: httpx.Client, task_id: str) -> list[dict[str, Any]]:
    told = admin.get("/tasks").raise_for_status().json()["tasks"]
    return [task for task in told if task["name"].endswith(f"/{task_id}")]


async def test_a_task_reaches_the_route_of_its_queues_function_with_its_body(
    client: CloudTasksAsyncClient, target: Target
) -> None:
    queue = make_queue(client, target.url)
    body = {"job_id": "作业-1", "n": 3}
    with log.context(**{log.TRACE: f"projects/x/traces/{'a' * 32}"}):
        await queue.send("historian", new_id(), "/tasks/historian", body)
    await queue.send("summarize", new_id(), "/tasks/summarize", {})
    (request,) = target.wait_for(1, path="/historian_job/tasks/historian")
    assert request.method == "POST"
    assert json.loads(request.body) == body
    assert request.headers["content-type"] == "application/json"
    assert request.headers["traceparent"] == f"00-{'a' * 32}-{'a' * 16}-01"
    target.wait_for(1, path="/summarize_topic/tasks/summarize")


async def test_the_same_name_sent_twice_is_one_task_also_after_it_ran(
    client: CloudTasksAsyncClient, target: Target, admin: httpx.Client
) -> None:
    queue, task_id = make_queue(client, target.url), new_id()
    later = datetime.now(UTC) + timedelta(minutes=10)
    await queue.send("evolve", task_id, "/tasks/evolve", {"n": 1}, at=later)
    await queue.send("evolve", task_id, "/tasks/evolve", {"n": 2}, at=later)
    assert len(tasks_named(admin, task_id)) == 1

    ran = new_id()
    await queue.send("evolve", ran, "/tasks/ran", {"n": 1})
    target.wait_for(1, path="/evolve_group/tasks/ran")
    await asyncio.to_thread(lambda: admin.post("/wait-idle").raise_for_status())
    await queue.send("evolve", ran, "/tasks/ran", {"n": 2})
    await queue.send("evolve", new_id(), "/tasks/after", {})
    target.wait_for(1, path="/evolve_group/tasks/after")
    assert len(target.wait_for(1, path="/evolve_group/tasks/ran")) == 1


async def test_a_task_is_scheduled_for_the_time_it_was_given(
    client: CloudTasksAsyncClient, target: Target, admin: httpx.Client
) -> None:
    group_id = uuid.uuid4().hex
    slot = timedelta(seconds=20)
    bucket, due = attribute_slot(group_id, datetime.now(UTC) + timedelta(hours=1), slot)
    task_id = attribute_task_id(group_id, bucket, slot)
    await make_queue(client, target.url).send("attribute", task_id, "/tasks/attribute", {}, at=due)
    (task,) = tasks_named(admin, task_id)
    assert datetime.fromisoformat(task["eta"]) == due


async def test_the_queue_waits_as_long_for_an_answer_as_the_table_says(
    client: CloudTasksAsyncClient, target: Target
) -> None:
    task_id, later = new_id(), datetime.now(UTC) + timedelta(minutes=10)
    await make_queue(client, target.url).send("forget", task_id, "/tasks/forget", {}, at=later)
    name = client.task_path(PROJECT, LOCATION, "forget", task_id)
    task = await client.get_task(name=name)
    assert task.dispatch_deadline == timedelta(seconds=queues()["forget"].dispatch_deadline_s)


async def test_the_task_carries_a_token_that_the_handlers_can_verify(
    client: CloudTasksAsyncClient, target: Target, admin: httpx.Client
) -> None:
    await make_queue(client, target.url).send("historian", new_id(), "/tasks/token", {})
    (request,) = target.wait_for(1, path="/historian_job/tasks/token")
    token = request.headers["authorization"].removeprefix("Bearer ")
    with requests.Session() as session:
        claims = id_token.verify_token(
            token,
            google.auth.transport.requests.Request(session),
            audience=IDENTITY.audience,
            certs_url=str(admin.base_url.join("/certs")),
        )
    assert claims["email"] == IDENTITY.service_account


async def test_what_an_operator_must_set_is_named(
    client: CloudTasksAsyncClient, target: Target
) -> None:
    without_url = make_queue(client, target.url, urls={})
    with pytest.raises(Misconfigured, match="ANNALS_URL_HISTORIAN_JOB"):
        await without_url.send("historian", new_id(), "/tasks/historian", {})
    without_identity = make_queue(client, target.url, identity=None)
    with pytest.raises(Misconfigured, match="ANNALS_TASK_AUTH"):
        await without_identity.send("historian", new_id(), "/tasks/historian", {})
    elsewhere = make_queue(client, target.url, location="nowhere")
    with pytest.raises(Misconfigured, match="historian"):
        await elsewhere.send("historian", new_id(), "/tasks/historian", {})


async def test_a_dead_service_is_transient_and_a_restarted_one_is_found_again(
    tmp_path: Path, target: Target
) -> None:
    names = ROOT / "infra" / "queues.toml"
    service = Emulators(["tasks"], tmp_path, "--queues", str(names)).start()
    port = service.told["CLOUD_TASKS_ENDPOINT"].rpartition(":")[2]
    client = make_client(service.told["CLOUD_TASKS_ENDPOINT"])
    queue, task_id = make_queue(client, target.url), new_id()
    try:
        service.kill()
        with pytest.raises(Transient) as raised:
            await queue.send("historian", task_id, "/tasks/again", {})
        assert not isinstance(raised.value, Misconfigured)
        again = Emulators(["tasks"], tmp_path, "--queues", str(names), "--tasks-port", port).start()
        try:
            await send_until_taken(queue, task_id)
            target.wait_for(1, path="/historian_job/tasks/again")
        finally:
            again.stop()
    finally:
        await client.transport.close()  # type: ignore[no-untyped-call]


async def send_until_taken(queue: TaskQueue, task_id: str) -> None:
    async with asyncio.timeout(20):
        while True:
            try:
                return await queue.send("historian", task_id, "/tasks/again", {})
            except Transient:
                await asyncio.sleep(0.05)


async def test_without_the_right_to_add_tasks_health_says_so_until_it_is_there(
    client: CloudTasksAsyncClient, target: Target, admin: httpx.Client
) -> None:
    queue = make_queue(client, target.url)
    refuse(admin, times=1)
    with pytest.raises(Misconfigured):
        await queue.send("evolve", job_task_id("refused", 0), "/tasks/evolve", {"job_id": "j"})
    assert any("enqueuer" in one for one in outages())
    await queue.send("evolve", job_task_id("refused", 0), "/tasks/evolve", {"job_id": "j"})
    assert not any("enqueuer" in one for one in outages())


def refuse(admin: httpx.Client, times: int) -> None:
    fault = {"kind": "refuse", "next": times, "queue": "evolve"}
    assert admin.post("/faults", json=fault).status_code == 201


async def test_a_queue_of_several_takes_a_groups_tasks_always_to_the_same(
    client: CloudTasksAsyncClient, target: Target
) -> None:
    queue = make_queue(client, target.url, shards={"attribute": 4})
    names = {attribute_task_id(f"test:{n}", 1, timedelta(seconds=20)) for n in range(40)}
    places = {queue._place("attribute", one).rpartition("/")[2] for one in names}
    assert places == {"attribute", "attribute-2", "attribute-3", "attribute-4"}
    again = attribute_task_id("test:1", 99, timedelta(seconds=2))
    first = attribute_task_id("test:1", 1, timedelta(seconds=20))
    assert queue._place("attribute", again) == queue._place("attribute", first)
    assert queue._place("evolve", "0123456789abcdef-0").endswith("/evolve")

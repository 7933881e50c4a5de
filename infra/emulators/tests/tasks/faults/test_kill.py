"""Cloud Tasks under SIGKILL: nothing acknowledged is lost, nothing comes too often or too soon."""

import itertools
import os
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from google.api_core import exceptions, retry
from google.cloud.tasks_v2 import CloudTasksClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcTransport

from infra.emulators.tasks.backoff import RetryPolicy, interval_us
from infra.emulators.testing import Emulators
from infra.emulators.tests.tasks.target import Request, Target

LOCATION = "projects/test-project/locations/here"
QUEUE = f"{LOCATION}/queues/killed"
KILLS = min(10, int(os.environ.get("KILLS", "4")))
"""`make faults` (KILLS=50) has ten and a thousand tasks."""
TASKS = 100 * KILLS
ATTEMPTS = 4
# Longer than a restart takes, so that an attempt made again too soon shows.
RETRIES = RetryPolicy(
    max_attempts=ATTEMPTS,
    max_retry_us=0,
    min_backoff_us=1_500_000,
    max_backoff_us=2_500_000,
    max_doublings=1,
)


def task_id(number: int) -> str:
    return f"t{number:04d}"


def is_hopeless(id_: str) -> bool:
    """Two of ten targets fail for ever."""
    return int(id_[1:]) % 10 in (3, 6)


def is_weak(id_: str) -> bool:
    """One of ten fails until its third delivery."""
    return int(id_[1:]) % 10 == 8


def answer(request: Request) -> int:
    if is_hopeless(request.task) or (is_weak(request.task) and request.retry < 2):
        return 500
    return 200


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


@pytest.fixture
def target() -> Iterator[Target]:
    running = Target(answer=answer)
    yield running
    running.close()


@pytest.fixture
def emulator(tmp_path: Path) -> Iterator[Emulators]:
    """On a fixed port, so that clients find it again."""
    running = Emulators(["tasks"], tmp_path, "--tasks-port", str(free_port())).start()
    yield running
    running.stop()


@pytest.fixture
def client(emulator: Emulators) -> Iterator[CloudTasksClient]:
    options = [("grpc.max_reconnect_backoff_ms", 100), ("grpc.initial_reconnect_backoff_ms", 50)]
    with grpc.insecure_channel(emulator.told["CLOUD_TASKS_ENDPOINT"], options) as channel:
        yield CloudTasksClient(transport=CloudTasksGrpcTransport(channel=channel))


def make_queue(client: CloudTasksClient) -> None:
    queue: Any = {
        "name": QUEUE,
        "rate_limits": {"max_concurrent_dispatches": 40},
        "retry_config": {
            "max_attempts": RETRIES.max_attempts,
            "min_backoff": timedelta(microseconds=RETRIES.min_backoff_us),
            "max_backoff": timedelta(microseconds=RETRIES.max_backoff_us),
            "max_doublings": RETRIES.max_doublings,
        },
    }
    client.create_queue(parent=LOCATION, queue=queue)


def make_task(client: CloudTasksClient, id_: str, url: str, **fields: Any) -> None:
    """As a careful client does: named, again after a broken call, a taken name is success."""
    task: Any = {"name": f"{QUEUE}/tasks/{id_}", "http_request": {"url": url}, **fields}
    again = retry.Retry(
        predicate=retry.if_exception_type(exceptions.ServiceUnavailable),
        initial=0.05,
        maximum=0.1,
        timeout=30,
    )
    with suppress(exceptions.AlreadyExists):
        client.create_task(parent=QUEUE, task=task, retry=again)


def make_tasks(client: CloudTasksClient, numbers: range, url: str) -> None:
    for number in numbers:
        make_task(client, task_id(number), url)


def told_tasks(emulator: Emulators) -> dict[str, dict[str, Any]]:
    answered = httpx.get(f"{emulator.told['admin']['tasks']}/tasks", timeout=30)
    return {one["name"].rpartition("/")[2]: one for one in answered.json()["tasks"]}


def wait_idle(emulator: Emulators) -> None:
    url = f"{emulator.told['admin']['tasks']}/wait-idle"
    waited = httpx.post(url, json={"timeout_s": 60}, timeout=90)
    assert waited.status_code == 200, waited.json()


def kill_in_the_middle(emulator: Emulators, target: Target) -> None:
    """SIGKILL while attempts are without an answer, then start again."""
    target.hold()
    target.wait_until(lambda: target.unanswered >= 5, "attempts in flight")
    emulator.kill()
    target.release()
    target.wait_until(lambda: target.unanswered == 0, "the target to be done with the dead")
    emulator.start()


def test_hundreds_of_tasks_outlive_every_kill(
    emulator: Emulators, client: CloudTasksClient, target: Target
) -> None:
    make_queue(client)
    with ThreadPoolExecutor(1) as creating:
        for first in range(0, TASKS, TASKS // KILLS):
            batch = range(first, first + TASKS // KILLS)
            made = creating.submit(make_tasks, client, batch, target.url)
            kill_in_the_middle(emulator, target)
            made.result()
    wait_idle(emulator)

    told = told_tasks(emulator)
    assert len(told) == TASKS
    assert sum(one["interruptions"] for one in told.values()) >= 5 * KILLS
    for number in range(TASKS):
        check(task_id(number), told[task_id(number)], target)


def check(id_: str, told: dict[str, Any], target: Target) -> None:
    """Done after a success, or given up after exactly its attempts; never too often or too soon.

    An attempt that a kill cut off counts for nothing: it is made again, so a target may see a
    task once more for each kill that hit it, and never more often than that.
    """
    answers = [status for request, status in target.answered if request.task == id_]
    assert told["interruptions"] <= KILLS
    assert len(answers) <= told["dispatches"]
    if is_hopeless(id_):
        assert told["state"] == "failed"
        assert told["failures"] == ATTEMPTS
        assert told["dispatches"] == ATTEMPTS + told["interruptions"]
        assert ATTEMPTS <= len(answers) <= ATTEMPTS + told["interruptions"]
    else:
        assert told["state"] == "done"
        assert 200 in answers
        assert told["dispatches"] == told["failures"] + told["interruptions"] + 1
    for earlier, later in itertools.pairwise(target.of(id_)):
        assert later.retry > earlier.retry
        if later.retry == earlier.retry + 1:
            least = interval_us(RETRIES, later.retry) / 1_000_000
            assert later.at - earlier.at >= least, f"{id_}: attempt {later.retry} came too soon"


def test_what_waits_is_still_there_after_a_kill(
    emulator: Emulators, client: CloudTasksClient, target: Target
) -> None:
    make_queue(client)
    client.pause_queue(name=QUEUE)
    later = datetime.now(UTC) + timedelta(days=2)
    make_task(client, "t0001", target.url)
    make_task(client, "t0002", target.url, schedule_time=later)
    before = {task.name: task for task in client.list_tasks(parent=QUEUE)}
    key = httpx.get(f"{emulator.told['admin']['tasks']}/certs").json()
    emulator.kill()
    emulator.start()
    after = list(client.list_tasks(parent=QUEUE, retry=retry.Retry(timeout=30)))
    assert {task.name: task for task in after} == before
    assert client.get_queue(name=QUEUE).state.name == "PAUSED"
    assert httpx.get(f"{emulator.told['admin']['tasks']}/certs").json() == key
    client.resume_queue(name=QUEUE)
    assert target.wait_for(1)[0].task == "t0001"


def test_a_name_stays_taken_over_a_kill(
    emulator: Emulators, client: CloudTasksClient, target: Target
) -> None:
    make_queue(client)
    make_task(client, "t0001", target.url)
    wait_idle(emulator)
    emulator.kill()
    emulator.start()
    again: Any = {"name": f"{QUEUE}/tasks/t0001", "http_request": {"url": target.url}}
    with pytest.raises(exceptions.AlreadyExists, match="existed too recently"):
        client.create_task(parent=QUEUE, task=again, retry=retry.Retry(timeout=30))
    assert len(target.requests) == 1


def test_a_clean_stop_sends_again_what_was_being_sent(
    emulator: Emulators, client: CloudTasksClient, target: Target
) -> None:
    make_queue(client)
    target.hold()
    make_task(client, "t0001", target.url)
    target.wait_for(1)
    assert emulator.stop() == 0
    target.release()
    emulator.start()
    assert [request.retry for request in target.wait_for(2)] == [0, 1]
    wait_idle(emulator)
    assert told_tasks(emulator)["t0001"]["state"] == "done"

"""What arrives at the target, when, and what becomes of the task."""

import itertools
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.api_core import exceptions

from infra.emulators.tests.tasks.client import Client
from infra.emulators.tests.tasks.conftest import Queue
from infra.emulators.tests.tasks.target import Request, Target

PATIENT = {"min_backoff": timedelta(seconds=3000), "max_backoff": timedelta(seconds=3000)}
"""One attempt now, the next in an hour: time to look at the task in between."""


async def test_the_request_arrives_as_the_task_says(queue: Queue, target: Target) -> None:
    await queue.add(
        "hello",
        path="/tasks/x?a=1&b=%20",
        request={
            "http_method": "PUT",
            "headers": {"Content-Type": "application/json", "X-Mine": "yes"},
            "body": '{"名": 1}'.encode(),
        },
    )
    (request,) = target.wait_for(1)
    assert (request.method, request.path) == ("PUT", "/tasks/x?a=1&b=%20")
    assert request.body == '{"名": 1}'.encode()
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-mine"] == "yes"
    assert "authorization" not in request.headers


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "OPTIONS"])
async def test_methods_without_a_body_are_sent_without_one(
    queue: Queue, target: Target, method: str
) -> None:
    await queue.add(request={"http_method": method})
    (request,) = target.wait_for(1)
    assert (request.method, request.body) == (method, b"")
    assert "content-type" not in request.headers


async def test_a_body_without_a_content_type_is_sent_as_bytes(queue: Queue, target: Target) -> None:
    await queue.add(request={"body": b"x"})
    (request,) = target.wait_for(1)
    assert (request.method, request.headers["content-type"]) == (
        "POST",
        "application/octet-stream",
    )


async def test_the_first_attempt_carries_the_headers_of_the_service(
    queue: Queue, target: Target
) -> None:
    task = await queue.add("headers")
    (request,) = target.wait_for(1)
    sent = {name: value for name, value in request.headers.items() if "cloudtasks" in name}
    assert float(sent.pop("x-cloudtasks-tasketa")) == pytest.approx(task.schedule_time.timestamp())
    assert sent == {
        "x-cloudtasks-queuename": queue.id,
        "x-cloudtasks-taskname": "headers",
        "x-cloudtasks-taskretrycount": "0",
        "x-cloudtasks-taskexecutioncount": "0",
    }
    assert request.headers["user-agent"] == "Google-Cloud-Tasks"


async def test_headers_that_belong_to_the_service_cannot_be_forged(
    queue: Queue, target: Target
) -> None:
    forged = {
        "X-CloudTasks-QueueName": "other",
        "x-cloudtasks-extra": "x",
        "X-Google-Thing": "x",
        "X-AppEngine-Thing": "x",
        "Host": "elsewhere",
        "User-Agent": "me",
        "Content-Length": "999",
    }
    await queue.add(request={"headers": forged, "body": b"12"})
    (request,) = target.wait_for(1)
    assert request.headers["x-cloudtasks-queuename"] == queue.id
    assert request.headers["user-agent"] == "Google-Cloud-Tasks"
    assert request.headers["host"] == target.url.removeprefix("http://")
    assert request.headers["content-length"] == "2"
    assert not {"x-cloudtasks-extra", "x-google-thing", "x-appengine-thing"} & set(request.headers)


async def test_retries_tell_what_happened_before(queue: Queue, target: Target) -> None:
    statuses = [503, 404, 200]
    target.answer = lambda request: statuses[request.retry]
    await queue.add("retried")
    requests = target.wait_for(3)
    told = [
        (
            one.headers["x-cloudtasks-taskretrycount"],
            one.headers["x-cloudtasks-taskexecutioncount"],
            one.headers.get("x-cloudtasks-taskpreviousresponse"),
            one.headers.get("x-cloudtasks-taskretryreason"),
        )
        for one in requests
    ]
    # A 5xx does not count as an execution, a 404 does.
    assert told == [("0", "0", None, None), ("1", "0", "503", ""), ("2", "1", "404", "")]


@pytest.mark.parametrize("status", [200, 201, 204, 299])
async def test_any_2xx_ends_the_task(
    queue: Queue, client: Client, target: Target, idle: Any, status: int
) -> None:
    target.answer = lambda _: status
    await queue.add("done")
    idle()
    assert len(target.requests) == 1
    assert await client.listed("list_tasks", parent=queue.name) == []


@pytest.mark.parametrize("status", [302, 400, 429, 500])
async def test_anything_else_is_retried_until_the_attempts_are_used_up(
    queue: Queue, target: Target, admin: Any, idle: Any, status: int
) -> None:
    target.answer = lambda _: status
    target.reply_headers = {"location": target.url + "/elsewhere"}
    await queue.add("fails")
    idle()
    assert [request.path for request in target.requests] == ["/"] * 3
    (end,) = admin.get("/tasks", params={"queue": queue.name}).json()["tasks"]
    assert (end["state"], end["dispatches"], end["failures"]) == ("failed", 3, 3)


async def test_gaps_between_attempts_follow_the_back_off(queue: Queue, target: Target) -> None:
    target.answer = lambda request: 200 if request.retry == 5 else 500
    # Doubles once, then grows by that step, up to the maximum: 20, 40, 80, 100, 100 ms.
    retries = {
        "max_attempts": 6,
        "min_backoff": timedelta(milliseconds=20),
        "max_backoff": timedelta(milliseconds=100),
        "max_doublings": 1,
    }
    await queue.add("gaps", retry_config=retries)
    times = [request.at for request in target.wait_for(6)]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    for gap, least in zip(gaps, [0.02, 0.04, 0.08, 0.1, 0.1], strict=True):
        assert gap >= least


async def test_a_failed_task_shows_its_attempts(
    queue: Queue, client: Client, target: Target, idle: Any
) -> None:
    target.answer = lambda _: 403
    created = await queue.add("failing", retry_config=PATIENT)
    idle()
    task = await client.call("get_task", name=created.name)
    assert (task.dispatch_count, task.response_count) == (1, 1)
    assert task.first_attempt.dispatch_time == task.last_attempt.dispatch_time
    assert not task.first_attempt.response_time
    assert task.last_attempt.schedule_time == created.schedule_time
    assert task.last_attempt.response_status.code == 7
    assert task.last_attempt.response_status.message == "PERMISSION_DENIED(7): HTTP status code 403"
    assert task.schedule_time == task.last_attempt.response_time + timedelta(seconds=3000)
    await client.call("delete_task", name=task.name)


async def test_a_target_out_of_reach_is_a_failed_attempt_without_an_answer(
    queue: Queue, client: Client, idle: Any
) -> None:
    task = await queue.add(
        "lonely", retry_config=PATIENT, request={"url": "http://127.0.0.1:9/discard"}
    )
    idle()
    task = await client.call("get_task", name=task.name)
    assert (task.dispatch_count, task.response_count) == (1, 0)
    assert task.last_attempt.response_status.code == 14
    await client.call("delete_task", name=task.name)


async def test_a_scheduled_task_waits_for_its_time(queue: Queue, target: Target) -> None:
    at = datetime.now(UTC) + timedelta(milliseconds=300)
    await queue.add("later", schedule_time=at)
    await queue.add("now")
    requests = target.wait_for(2)
    assert [request.task for request in requests] == ["now", "later"]
    assert requests[1].at >= at.timestamp()
    eta = float(requests[1].headers["x-cloudtasks-tasketa"])
    assert eta == pytest.approx(at.timestamp(), abs=1e-5)


async def test_a_time_in_the_past_means_now(queue: Queue, target: Target) -> None:
    before = datetime.now(UTC)
    task = await queue.add("late", schedule_time=before - timedelta(days=1))
    assert task.schedule_time >= before
    assert target.wait_for(1)[0].task == "late"


async def test_run_sends_a_task_now_though_it_is_scheduled_and_the_queue_paused(
    queue: Queue, client: Client, target: Target, idle: Any
) -> None:
    await client.call("pause_queue", name=queue.name)
    task = await queue.add("forced", schedule_time=datetime.now(UTC) + timedelta(hours=1))
    ran = await client.call("run_task", name=task.name)
    assert ran.dispatch_count == 1
    assert target.wait_for(1)[0].task == "forced"
    idle()
    with pytest.raises(exceptions.NotFound):
        await client.call("run_task", name=task.name)


@pytest.mark.parametrize("status", [200, 500])
async def test_a_task_deleted_while_it_runs_stays_deleted(
    queue: Queue, client: Client, target: Target, admin: Any, idle: Any, status: int
) -> None:
    target.answer = lambda _: status
    target.hold()
    task = await queue.add("cut")
    target.wait_for(1)
    await client.call("delete_task", name=task.name)
    target.release()
    idle()
    assert len(target.requests) == 1
    (end,) = admin.get("/tasks", params={"queue": queue.id}).json()["tasks"]
    assert end["state"] == "deleted"


async def test_no_more_tasks_run_at_once_than_the_queue_allows(
    queue: Queue, client: Client, target: Target, admin: Any, idle: Any
) -> None:
    settings = {"name": queue.name, "rate_limits": {"max_concurrent_dispatches": 3}}
    await client.call("update_queue", queue=settings)
    most = 0

    def answer(_: Request) -> int:
        nonlocal most
        most = max(most, target.unanswered)
        return 200

    target.answer = answer
    target.hold()
    for number in range(12):
        await queue.add(f"t{number}")
    target.wait_for(3)
    glance = {one["name"]: one for one in admin.get("/queues").json()["queues"]}[queue.name]
    assert (glance["running"], glance["pending"]) == (3, 9)
    target.release()
    idle()
    assert len(target.requests) == 12
    assert most <= 3


async def test_the_rate_limits_what_follows_the_burst(
    queue: Queue, client: Client, target: Target
) -> None:
    settings = {"name": queue.name, "rate_limits": {"max_dispatches_per_second": 20}}
    assert (await client.call("update_queue", queue=settings)).rate_limits.max_burst_size == 20
    await client.call("pause_queue", name=queue.name)
    for number in range(30):
        await queue.add(f"t{number}")
    before = time.time()
    await client.call("resume_queue", name=queue.name)
    # 20 tokens are there; ten more need half a second.
    assert max(request.at for request in target.wait_for(30)) >= before + 0.5


async def test_cookies_of_a_target_are_not_kept(queue: Queue, target: Target, idle: Any) -> None:
    target.reply_headers = {"set-cookie": "session=1; Path=/"}
    await queue.add("one")
    idle()
    await queue.add("two")
    assert all("cookie" not in request.headers for request in target.wait_for(2))

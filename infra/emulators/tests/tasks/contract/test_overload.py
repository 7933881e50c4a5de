"""What a target's 429 and 503 do to its queue, and a caller's missing right to CreateTask."""

from typing import Any

import httpx
import pytest
from google.api_core import exceptions

from infra.emulators.tests.tasks.conftest import Queue
from infra.emulators.tests.tasks.target import Target


def share(admin: httpx.Client, queue: Queue) -> float:
    (row,) = [one for one in admin.get("/queues").json()["queues"] if one["name"] == queue.name]
    return float(row["share"])


def refuse_one(admin: httpx.Client, queue: Queue) -> None:
    answer = admin.post("/faults", json={"kind": "refuse", "next": 1, "queue": queue.id})
    assert answer.status_code == 201


@pytest.mark.parametrize("status", [429, 503])
async def test_overload_slows_the_whole_queue(
    queue: Queue, target: Target, admin: httpx.Client, status: int
) -> None:
    target.answer = lambda request: status if request.retry == 0 else 200
    await queue.add("one")
    target.wait_for(2)
    assert share(admin, queue) < 1


async def test_a_tasks_own_failure_slows_nobody(
    queue: Queue, target: Target, admin: httpx.Client, idle: Any
) -> None:
    target.answer = lambda _: 500
    await queue.add("one")
    idle()
    assert share(admin, queue) == 1


async def test_after_retry_after_the_other_tasks_wait_too(queue: Queue, target: Target) -> None:
    target.answer = lambda request: 503 if request.task == "busy" and request.retry == 0 else 200
    target.reply_headers = {"Retry-After": "1"}
    await queue.add("busy")
    target.wait_until(lambda: target.answered, "the first answer")
    await queue.add("other")
    first, *_, last = target.wait_for(3)
    assert last.at - first.at > 0.9  # a lower bound: a slow machine only makes it longer


async def test_without_the_right_no_task_is_taken(
    queue: Queue, target: Target, admin: httpx.Client, idle: Any
) -> None:
    refuse_one(admin, queue)
    with pytest.raises(exceptions.PermissionDenied):
        await queue.add("one")
    await queue.add("one")
    idle()
    assert len(target.requests) == 1

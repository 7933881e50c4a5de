"""Tasks through the real SDK: creating, reading, deleting, and what is refused."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.api_core import exceptions
from google.cloud.tasks_v2 import HttpMethod, Task

from infra.emulators.tests.tasks.client import Client
from infra.emulators.tests.tasks.conftest import LOCATION, Queue
from infra.emulators.tests.tasks.target import Target

LATER = timedelta(hours=1)


def in_future(span: timedelta) -> datetime:
    return datetime.now(UTC) + span


async def test_a_task_is_answered_complete_and_without_its_body(queue: Queue) -> None:
    before = datetime.now(UTC)
    task = await queue.add("first", schedule_time=in_future(LATER), request={"body": b"secret"})
    assert task.name == queue.task_name("first")
    assert task.view == Task.View.BASIC
    assert task.http_request.http_method == HttpMethod.POST
    assert task.http_request.body == b""
    assert task.http_request.headers["User-Agent"] == "Google-Cloud-Tasks"
    assert task.dispatch_deadline == timedelta(minutes=10)
    assert task.schedule_time >= before + LATER
    assert task.create_time.microsecond == 0
    assert (task.dispatch_count, task.response_count) == (0, 0)


async def test_a_task_without_a_name_gets_one(queue: Queue, client: Client) -> None:
    one = await queue.add(schedule_time=in_future(LATER))
    two = await queue.add(schedule_time=in_future(LATER))
    assert one.name.startswith(f"{queue.name}/tasks/")
    assert one.name != two.name
    assert (await client.call("get_task", name=one.name)) == one


async def test_only_the_full_view_shows_the_body(queue: Queue, client: Client) -> None:
    request = {"body": b"\x00\xff body", "headers": {"X-Mixed": "Case"}}
    task = await queue.add("viewed", schedule_time=in_future(LATER), request=request)
    for view, body in ((Task.View.BASIC, b""), (Task.View.FULL, b"\x00\xff body")):
        ask = {"name": task.name, "response_view": view}
        found = await client.call("get_task", request=ask)
        assert found.view == view
        assert found.http_request.body == body
        assert found.http_request.headers["X-Mixed"] == "Case"


async def test_tasks_are_listed_page_by_page_in_the_view_asked_for(
    queue: Queue, client: Client
) -> None:
    ids = [f"t{number}" for number in range(7)]
    for id_ in ids:
        await queue.add(id_, schedule_time=in_future(LATER), request={"body": id_.encode()})
    full = await client.listed(
        "list_tasks", parent=queue.name, page_size=3, response_view=Task.View.FULL
    )
    assert [task.name for task in full] == [queue.task_name(id_) for id_ in ids]
    assert [task.http_request.body for task in full] == [id_.encode() for id_ in ids]
    basic = await client.listed("list_tasks", parent=queue.name)
    assert {task.http_request.body for task in basic} == {b""}


async def test_a_name_in_use_is_taken(queue: Queue) -> None:
    await queue.add("same", schedule_time=in_future(LATER))
    with pytest.raises(exceptions.AlreadyExists, match="Requested entity already exists"):
        await queue.add("same")


async def test_a_name_stays_taken_after_the_task_is_done(
    queue: Queue, client: Client, target: Target, idle: Any
) -> None:
    await queue.add("once")
    target.wait_for(1)
    idle()
    with pytest.raises(exceptions.AlreadyExists, match="existed too recently"):
        await queue.add("once")
    with pytest.raises(exceptions.NotFound, match="existed recently"):
        await client.call("get_task", name=queue.task_name("once"))
    assert len(target.requests) == 1


async def test_a_name_stays_taken_after_the_task_was_deleted(
    queue: Queue, client: Client, target: Target
) -> None:
    task = await queue.add("gone", schedule_time=in_future(LATER))
    await client.call("delete_task", name=task.name)
    with pytest.raises(exceptions.AlreadyExists, match="existed too recently"):
        await queue.add("gone")
    with pytest.raises(exceptions.NotFound, match="Requested entity was not found"):
        await client.call("delete_task", name=task.name)
    assert not target.requests


@pytest.mark.parametrize("method", ["get_task", "delete_task", "run_task"])
async def test_calls_on_an_unknown_task_are_not_found(
    queue: Queue, client: Client, method: str
) -> None:
    with pytest.raises(exceptions.NotFound, match="Requested entity was not found"):
        await client.call(method, name=queue.task_name("nobody"))


async def test_a_task_in_an_unknown_queue_is_not_found(client: Client, target: Target) -> None:
    queue = Queue(f"{LOCATION}/queues/nobody", client, target)
    with pytest.raises(exceptions.NotFound, match="Queue does not exist"):
        await queue.add()
    with pytest.raises(exceptions.NotFound, match="Queue does not exist"):
        await client.listed("list_tasks", parent=queue.name)


@pytest.mark.parametrize(
    ("id_", "words"),
    [
        ("not a valid id", 'Task ID "not a valid id" can contain only letters'),
        ("a.b", "hyphens"),
        ("a/b", "Task ID"),
        ("", "Task ID"),
        ("x" * 501, "between 1 and 500 characters"),
    ],
)
async def test_a_malformed_task_id_is_refused(queue: Queue, id_: str, words: str) -> None:
    with pytest.raises(exceptions.InvalidArgument, match=words):
        await queue.add(id_)


async def test_a_task_id_of_500_allowed_characters_is_fine(queue: Queue) -> None:
    id_ = ("aZ09_-" * 100)[:500]
    task = await queue.add(id_, schedule_time=in_future(LATER))
    assert task.name == queue.task_name(id_)


async def test_a_task_named_for_another_queue_is_refused(queue: Queue, client: Client) -> None:
    task = {
        "name": f"{LOCATION}/queues/other/tasks/a",
        "http_request": {"url": queue.target.url},
    }
    with pytest.raises(exceptions.InvalidArgument) as refused:
        await client.call("create_task", parent=queue.name, task=task)
    assert refused.value.message == (
        f"The queue name from request ('{queue.name}') must be the same as the queue name in the "
        f"named task ('{LOCATION}/queues/other')."
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"request": {"url": ""}}, "HttpRequest.url is required"),
        ({"request": {"url": "ftp://a/"}}, "must start with 'http://' or 'https://'"),
        ({"request": {"url": "https://"}}, "names no host"),
        ({"request": {"url": "https://a:99999/"}}, "no such port"),
        ({"request": {"url": "https://a\nb/"}}, "malformed"),
        ({"request": {"url": "https://xn--zzzzzz99999/"}}, "malformed"),
        ({"request": {"url": f"https://{'a' * 64}/"}}, "names no host"),
        ({"request": {"url": "https://a/" + "x" * 2100}}, "at most 2083"),
        ({"request": {"http_method": "GET", "body": b"x"}}, "POST, PUT, or PATCH"),
        ({"request": {"headers": {"a b": "c"}}}, "not a valid HTTP header"),
        ({"request": {"headers": {"a": "b\nc: d"}}}, "not a valid HTTP header"),
        ({"request": {"headers": {"a": "名"}}}, "not a valid HTTP header"),
        ({"request": {"headers": {"a": "b" * 82_000}}}, "less than 80KB"),
        ({"request": {"body": b"x" * 1024 * 1024}}, "Task size too large"),
        ({"request": {"oidc_token": {"audience": "a"}}}, "serviceAccountEmail"),
        ({"dispatch_deadline": timedelta(seconds=14)}, "must be between .15s, 30m."),
        ({"dispatch_deadline": timedelta(minutes=31)}, "must be between .15s, 30m."),
        ({"schedule_time": datetime(2200, 1, 1, tzinfo=UTC)}, "too far in the future"),
        ({"retry_config": {"max_attempts": -2}}, "greater or equal to -1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_task_that_breaks_a_rule_is_refused(
    queue: Queue, client: Client, fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(exceptions.InvalidArgument, match=words):
        await queue.add("bad", **fields)
    assert await client.listed("list_tasks", parent=queue.name) == []


async def test_limits_themselves_are_allowed(queue: Queue) -> None:
    await queue.add(
        "edge",
        schedule_time=in_future(timedelta(days=30) - timedelta(seconds=10)),
        dispatch_deadline=timedelta(minutes=30),
        request={"body": b"x" * (1024 * 1024 - 1000)},
    )
    await queue.add("low", schedule_time=in_future(LATER), dispatch_deadline=timedelta(seconds=15))


@pytest.mark.parametrize(
    ("task", "what"),
    [
        ({"app_engine_http_request": {"relative_uri": "/"}}, "App Engine"),
        (
            {
                "http_request": {
                    "url": "https://a/",
                    "oauth_token": {"service_account_email": "a@b.c"},
                }
            },
            "oauth_token",
        ),
    ],
)
async def test_other_targets_and_tokens_are_honestly_unserved(
    queue: Queue, client: Client, task: dict[str, Any], what: str
) -> None:
    with pytest.raises(exceptions.MethodNotImplemented, match=what):
        await client.call("create_task", parent=queue.name, task=task)


async def test_a_task_without_a_target_is_refused(queue: Queue, client: Client) -> None:
    with pytest.raises(exceptions.InvalidArgument, match="no target"):
        await client.call("create_task", parent=queue.name, task={})

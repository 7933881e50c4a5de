"""Queues through the real SDK."""

from typing import Any

import pytest
from google.api_core import exceptions
from google.cloud.tasks_v2 import Queue as QueueMessage
from google.protobuf.field_mask_pb2 import FieldMask

from infra.emulators.tests.tasks.client import Client
from infra.emulators.tests.tasks.conftest import LOCATION, Queue, new_queue_name
from infra.emulators.tests.tasks.target import Target

MISSING = (
    "Queue does not exist. If you just created the queue, wait at least a minute for the queue to "
    "initialize."
)


async def created(client: Client, **settings: Any) -> Any:
    queue = {"name": new_queue_name(), **settings}
    return await client.call("create_queue", parent=LOCATION, queue=queue)


async def test_a_new_queue_has_the_defaults_of_the_service(client: Client) -> None:
    queue = await created(client)
    assert queue.state == QueueMessage.State.RUNNING
    assert queue.rate_limits.max_dispatches_per_second == 500
    assert queue.rate_limits.max_burst_size == 100
    assert queue.rate_limits.max_concurrent_dispatches == 1000
    assert queue.retry_config.max_attempts == 100
    assert queue.retry_config.min_backoff.total_seconds() == 0.1
    assert queue.retry_config.max_backoff.total_seconds() == 3600
    assert queue.retry_config.max_doublings == 16
    assert await client.call("get_queue", name=queue.name) == queue


async def test_a_queue_keeps_what_it_was_given_but_not_output_only_fields(client: Client) -> None:
    queue = await created(
        client,
        state=QueueMessage.State.PAUSED,
        rate_limits={"max_dispatches_per_second": 1, "max_burst_size": 77},
        retry_config={"max_attempts": -1, "max_retry_duration": {"seconds": 60}},
    )
    assert queue.state == QueueMessage.State.RUNNING
    assert queue.rate_limits.max_dispatches_per_second == 1
    assert queue.rate_limits.max_burst_size == 10
    assert queue.retry_config.max_attempts == -1
    assert queue.retry_config.max_retry_duration.total_seconds() == 60


async def test_a_queue_that_exists_cannot_be_created_again(client: Client) -> None:
    queue = await created(client)
    with pytest.raises(exceptions.AlreadyExists, match="Queue already exists"):
        await client.call("create_queue", parent=LOCATION, queue={"name": queue.name})


async def test_a_queue_deleted_recently_is_missing_and_cannot_be_made_again(
    client: Client,
) -> None:
    queue = await created(client)
    await client.call("delete_queue", name=queue.name)
    with pytest.raises(exceptions.NotFound) as missing:
        await client.call("get_queue", name=queue.name)
    assert missing.value.message == MISSING
    with pytest.raises(exceptions.FailedPrecondition, match="existed too recently"):
        await client.call("create_queue", parent=LOCATION, queue={"name": queue.name})
    with pytest.raises(exceptions.FailedPrecondition, match="existed too recently"):
        await client.call("update_queue", queue={"name": queue.name})


@pytest.mark.parametrize("method", ["get_queue", "pause_queue", "resume_queue", "purge_queue"])
async def test_calls_on_an_unknown_queue_are_not_found(client: Client, method: str) -> None:
    with pytest.raises(exceptions.NotFound) as missing:
        await client.call(method, name=f"{LOCATION}/queues/nobody")
    assert missing.value.message == MISSING


async def test_deleting_an_unknown_queue_is_not_found(client: Client) -> None:
    with pytest.raises(exceptions.NotFound, match="Requested entity was not found"):
        await client.call("delete_queue", name=f"{LOCATION}/queues/nobody")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("attribute", "Queue name must be formatted"),
        (f"{LOCATION}/queues/", "Queue name must be formatted"),
        (f"{LOCATION}/queues/a/b", "Queue name must be formatted"),
        (f"{LOCATION}/queues/snake_case", "can contain only letters"),
        (f"{LOCATION}/queues/{'x' * 101}", "between 1 and 100 characters"),
        ("projects/test-project/locations/there/queues/a", "must begin with"),
    ],
)
async def test_a_malformed_queue_name_is_refused(client: Client, name: str, words: str) -> None:
    with pytest.raises(exceptions.InvalidArgument, match=words):
        await client.call("create_queue", parent=LOCATION, queue={"name": name})


async def test_a_queue_id_of_100_characters_is_fine(client: Client) -> None:
    name = f"{LOCATION}/queues/{new_queue_name().rpartition('/')[2].ljust(100, 'x')}"
    made = await client.call("create_queue", parent=LOCATION, queue={"name": name})
    assert made.name == name


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"rate_limits": {"max_dispatches_per_second": -1}}, "cannot be negative"),
        ({"rate_limits": {"max_dispatches_per_second": 501}}, "less than or equal to 500"),
        ({"rate_limits": {"max_concurrent_dispatches": 5001}}, "less than or equal to 5000"),
        ({"retry_config": {"max_attempts": -2}}, "greater or equal to -1"),
        ({"retry_config": {"max_doublings": -1}}, "maxDoublings cannot be negative"),
        (
            {"retry_config": {"min_backoff": {"seconds": 9}, "max_backoff": {"seconds": 8}}},
            "minBackoff must be less than or equal to RetryConfig.maxBackoff",
        ),
    ],
)
async def test_settings_out_of_range_are_refused(
    client: Client, settings: dict[str, Any], words: str
) -> None:
    with pytest.raises(exceptions.InvalidArgument, match=words):
        await created(client, **settings)


async def test_overrides_for_all_tasks_of_a_queue_are_honestly_unserved(client: Client) -> None:
    with pytest.raises(exceptions.MethodNotImplemented, match="http_target"):
        await created(client, http_target={"http_method": "GET"})


async def test_an_update_changes_only_the_masked_fields(client: Client) -> None:
    queue = await created(
        client,
        rate_limits={"max_dispatches_per_second": 5, "max_concurrent_dispatches": 7},
        retry_config={"max_attempts": 9},
    )
    updated = await client.call(
        "update_queue",
        queue={
            "name": queue.name,
            "rate_limits": {"max_dispatches_per_second": 50, "max_concurrent_dispatches": 1},
            "retry_config": {"max_attempts": 1},
        },
        update_mask=FieldMask(paths=["rate_limits.max_dispatches_per_second"]),
    )
    assert updated.rate_limits.max_dispatches_per_second == 50
    assert updated.rate_limits.max_burst_size == 50
    assert updated.rate_limits.max_concurrent_dispatches == 7
    assert updated.retry_config.max_attempts == 9
    assert await client.call("get_queue", name=queue.name) == updated


async def test_an_update_without_a_mask_sets_all_settings_and_leaves_the_state(
    client: Client,
) -> None:
    queue = await created(client, retry_config={"max_attempts": 9})
    await client.call("pause_queue", name=queue.name)
    updated = await client.call("update_queue", queue={"name": queue.name})
    assert updated.retry_config.max_attempts == 100
    assert updated.state == QueueMessage.State.PAUSED


async def test_an_update_makes_a_queue_that_does_not_exist(client: Client) -> None:
    name = new_queue_name()
    made = await client.call(
        "update_queue", queue={"name": name, "retry_config": {"max_attempts": 4}}
    )
    assert made.retry_config.max_attempts == 4
    assert (await client.call("get_queue", name=name)) == made


async def test_a_mask_of_an_unknown_field_is_refused(client: Client) -> None:
    queue = await created(client)
    with pytest.raises(exceptions.InvalidArgument, match=r"rate_limits\.speed"):
        await client.call(
            "update_queue",
            queue={"name": queue.name},
            update_mask=FieldMask(paths=["rate_limits.speed"]),
        )


async def test_queues_are_listed_page_by_page_and_by_location(client: Client) -> None:
    parent = f"projects/{new_queue_name().rpartition('/')[2]}/locations/here"
    names = [f"{parent}/queues/{letter}" for letter in "abcde"]
    for name in names:
        await client.call("create_queue", parent=parent, queue={"name": name})
    listed = await client.listed("list_queues", parent=parent, page_size=2)
    assert [queue.name for queue in listed] == names
    page = await client.call("list_queues", request={"parent": parent, "page_size": 2})
    assert page.next_page_token
    assert len(page.queues) == 2


async def test_a_bad_page_token_is_refused(client: Client) -> None:
    with pytest.raises(exceptions.InvalidArgument, match="page token"):
        await client.listed("list_queues", parent=LOCATION, page_token="{no token}")


async def test_a_paused_queue_takes_tasks_and_sends_them_when_resumed(
    queue: Queue, client: Client, target: Target
) -> None:
    assert (await client.call("pause_queue", name=queue.name)).state == QueueMessage.State.PAUSED
    task = await queue.add("waits")
    assert (await client.call("get_task", name=task.name)).dispatch_count == 0
    assert not target.requests
    resumed = await client.call("resume_queue", name=queue.name)
    assert resumed.state == QueueMessage.State.RUNNING
    assert target.wait_for(1)[0].task == "waits"


async def test_a_purge_deletes_all_tasks_and_keeps_their_names_taken(
    queue: Queue, client: Client, target: Target
) -> None:
    await client.call("pause_queue", name=queue.name)
    for number in range(3):
        await queue.add(f"t{number}")
    purged = await client.call("purge_queue", name=queue.name)
    assert purged.purge_time
    assert await client.listed("list_tasks", parent=queue.name) == []
    with pytest.raises(exceptions.AlreadyExists, match="existed too recently"):
        await queue.add("t1")
    await client.call("resume_queue", name=queue.name)
    await queue.add("after")
    assert [request.task for request in target.wait_for(1)] == ["after"]


async def test_a_deleted_queue_sends_nothing_any_more(client: Client, target: Target) -> None:
    made = await created(client)
    queue = Queue(made.name, client, target)
    await client.call("pause_queue", name=queue.name)
    task = await queue.add("never")
    await client.call("delete_queue", name=queue.name)
    with pytest.raises(exceptions.NotFound) as missing:
        await client.call("get_task", name=task.name)
    assert missing.value.message == MISSING
    with pytest.raises(exceptions.NotFound) as refused:
        await queue.add("late")
    assert refused.value.message == MISSING


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("get_iam_policy", {"request": {"resource": f"{LOCATION}/queues/a"}}),
        (
            "test_iam_permissions",
            {"request": {"resource": f"{LOCATION}/queues/a", "permissions": ["x"]}},
        ),
        ("get_cmek_config", {"name": f"{LOCATION}/cmekConfig"}),
        ("list_queues", {"request": {"parent": LOCATION, "filter": "state: PAUSED"}}),
    ],
)
async def test_what_is_not_served_says_so(
    client: Client, method: str, arguments: dict[str, Any]
) -> None:
    with pytest.raises(exceptions.MethodNotImplemented, match="not served by this emulator"):
        await client.call(method, **arguments)

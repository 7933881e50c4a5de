"""The local Cloud Scheduler: each due cron becomes a task that carries a token."""

import asyncio
import contextlib
import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from infra.schedule import is_due

PARENT = "projects/annals-local/locations/local"
QUEUE = f"{PARENT}/queues/cron"


async def tick(
    table: Mapping[str, Any],
    places: Mapping[str, str],
    endpoint: str,
    identity: Mapping[str, str],
) -> None:
    """For ever, at the full minute; `places` are the functions' addresses. A minute that cannot be
    sent is left out, as in the cloud."""
    import grpc.aio
    from google.api_core.exceptions import AlreadyExists, GoogleAPICallError
    from google.cloud.tasks_v2 import CloudTasksAsyncClient
    from google.cloud.tasks_v2.services.cloud_tasks.transports import (
        CloudTasksGrpcAsyncIOTransport,
    )

    channel = grpc.aio.insecure_channel(endpoint)
    client = CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))
    try:
        with contextlib.suppress(AlreadyExists):
            queue = {"name": QUEUE, "retry_config": {"max_attempts": 1}}
            await client.create_queue(request={"parent": PARENT, "queue": queue})
        while True:
            minute = datetime.now(UTC).replace(second=0, microsecond=0) + timedelta(minutes=1)
            await asyncio.sleep((minute - datetime.now(UTC)).total_seconds())
            for url in due(table, places, minute):
                with contextlib.suppress(GoogleAPICallError):
                    task = _task(url, minute, identity)
                    await client.create_task(request={"parent": QUEUE, "task": task})
    finally:
        await channel.close()


def due(table: Mapping[str, Any], places: Mapping[str, str], minute: datetime) -> list[str]:
    return [
        f"{places[function]}{path}"
        for function, row in table.items()
        for path, expression in row["cron"].items()
        if is_due(expression, minute)
    ]


def _task(url: str, minute: datetime, identity: Mapping[str, str]) -> dict[str, Any]:
    prefix = hashlib.sha256(url.encode()).hexdigest()[:16]
    return {
        "name": f"{QUEUE}/tasks/{prefix}-{int(minute.timestamp())}",
        "http_request": cron_request(url, identity),
    }


def cron_request(url: str, identity: Mapping[str, str]) -> dict[str, Any]:
    """As Cloud Scheduler sends it: without a body."""
    return {"url": url, "http_method": "POST", "oidc_token": dict(identity)}

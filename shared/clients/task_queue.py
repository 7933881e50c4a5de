"""Cloud Tasks: an alarm clock for work whose record is already committed.

Sending a name that is taken is success: the task it stands for exists, or has run.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shared import log
from shared.contracts.queues import Queue
from shared.errors import Misconfigured, Transient
from shared.runtime.auth import charge_headers
from shared.runtime.health import outage_began, outage_ended

if TYPE_CHECKING:
    from google.cloud.tasks_v2 import CloudTasksAsyncClient, Task

OUTAGE = "tasks"
"""Under this name health tells that no task can be sent."""
TIMEOUT_S = 5.0
"""Of looking a task up: only schedules do, and nobody waits for them."""


@dataclass(frozen=True)
class TaskIdentity:
    """As whom the queue calls the handlers: they check both."""

    service_account: str
    audience: str


class TaskQueue:
    """Sends to the function that works a queue; `urls` are the functions' addresses by name."""

    def __init__(
        self,
        client: "CloudTasksAsyncClient",
        *,
        project: str,
        location: str,
        queues: Mapping[str, Queue],
        urls: Mapping[str, str],
        identity: TaskIdentity | None,
        send_timeout_s: float = TIMEOUT_S,
        shards: Mapping[str, int] | None = None,
    ) -> None:
        self._client = client
        self._parent = f"projects/{project}/locations/{location}/queues"
        self._queues = queues
        self._urls = urls
        self._identity = identity
        self._send_timeout_s = send_timeout_s
        self._shards = shards or {}

    async def send(
        self,
        queue: str,
        task_id: str,
        path: str,
        body: Mapping[str, Any],
        *,
        at: datetime | None = None,
    ) -> None:
        """POST `body` to `path` of the queue's function, at `at` or as soon as the queue can.

        Raises Transient when it may not have been taken: sending it again is safe.
        """
        from google.api_core import exceptions as google

        task = self._task(queue, task_id, path, body, at)
        try:
            await self._client.create_task(
                parent=self._place(queue, task_id),
                task=task,
                retry=None,
                timeout=self._send_timeout_s,
            )
        except google.AlreadyExists:
            return
        except google.Forbidden as error:
            reason = f"Cloud Tasks does not let us add to queue {queue!r}"
            outage_began(OUTAGE, f"{reason}: cloudtasks.enqueuer and iam.serviceAccounts.actAs")
            log.error("task_refused", queue=queue, reason=reason)
            raise Misconfigured(reason, queue=queue) from error
        except google.GoogleAPICallError as error:
            raise _own(error, queue) from error
        outage_ended(OUTAGE)

    async def is_waiting(self, queue: str, task_id: str) -> bool:
        """Whether the named task is in the queue, due or not: one that ran is gone."""
        from google.api_core import exceptions as google

        name = f"{self._place(queue, task_id)}/tasks/{task_id}"
        try:
            await self._client.get_task(name=name, retry=None, timeout=TIMEOUT_S)
        except google.NotFound:
            return False
        except google.GoogleAPICallError as error:
            raise _own(error, queue) from error
        return True

    def _place(self, queue: str, task_id: str) -> str:
        """Work of one row may be spread over several queues, by the hash that a name begins with:
        all tasks of a group go to the same."""
        shards = self._shards.get(queue, 1)
        number = int(task_id[:8], 16) % shards if shards > 1 else 0
        return f"{self._parent}/{queue}" + (f"-{number + 1}" if number else "")

    async def close(self) -> None:
        await self._client.transport.close()  # type: ignore[no-untyped-call]

    def _task(
        self, queue: str, task_id: str, path: str, body: Mapping[str, Any], at: datetime | None
    ) -> "Task":
        from google.cloud import tasks_v2
        from google.protobuf.duration_pb2 import Duration
        from google.protobuf.timestamp_pb2 import Timestamp

        row = self._queues[queue]
        url = self._urls.get(row.function)
        if not url:
            raise Misconfigured(f"ANNALS_URL_{row.function.upper()} is not set")
        if self._identity is None:
            raise Misconfigured(
                "ANNALS_TASK_AUTH, ANNALS_TASK_AUDIENCE and ANNALS_TASK_SERVICE_ACCOUNT must be set"
            )
        task = tasks_v2.Task(  # type: ignore[no-untyped-call]
            name=f"{self._place(queue, task_id)}/tasks/{task_id}",
            http_request=tasks_v2.HttpRequest(  # type: ignore[no-untyped-call]
                url=url.rstrip("/") + path,
                http_method=tasks_v2.HttpMethod.POST,
                headers={
                    "Content-Type": "application/json",
                    **log.trace_headers(),
                    **charge_headers(),
                },
                body=json.dumps(body, ensure_ascii=False).encode(),
                oidc_token=tasks_v2.OidcToken(  # type: ignore[no-untyped-call]
                    service_account_email=self._identity.service_account,
                    audience=self._identity.audience,
                ),
            ),
            dispatch_deadline=Duration(seconds=int(row.dispatch_deadline_s)),
        )
        if at is not None:
            due = Timestamp()
            due.FromDatetime(at)
            task.schedule_time = due
        return task


def make_client(endpoint: str | None, credentials: Any = None) -> "CloudTasksAsyncClient":
    """A client of the service at `endpoint` (host:port, not encrypted), or of Google's own with
    these credentials or those of the environment."""
    from google.cloud.tasks_v2 import CloudTasksAsyncClient

    if endpoint is None:
        return CloudTasksAsyncClient(credentials=credentials)
    from google.cloud.tasks_v2.services.cloud_tasks.transports import (
        CloudTasksGrpcAsyncIOTransport,
    )
    from grpc import aio

    # By default a channel waits up to two minutes before it looks for a restarted service again.
    options = [
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 1000),
        ("grpc.max_reconnect_backoff_ms", 1000),
    ]
    channel = aio.insecure_channel(endpoint, options=options)
    return CloudTasksAsyncClient(transport=CloudTasksGrpcAsyncIOTransport(channel=channel))


def _own(error: Exception, queue: str) -> Transient:
    from google.api_core import exceptions as google

    status = type(error).__name__
    if isinstance(error, google.NotFound | google.Forbidden | google.Unauthorized):
        return Misconfigured(f"queue {queue!r} cannot be used ({status})", queue=queue)
    return Transient(f"Cloud Tasks did not take the task ({status})", queue=queue, status=status)

"""Sends the alarm clock for work that is stored already; the sweep heals a send that fails."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol

from shared import log
from shared.domain.jobs.job import Job
from shared.domain.jobs.task_names import attribute_slot, attribute_task_id, job_task_id
from shared.errors import Transient


class Queue(Protocol):
    async def send(
        self,
        queue: str,
        task_id: str,
        path: str,
        body: dict[str, Any],
        *,
        at: datetime | None = None,
    ) -> None: ...


class Dispatch:
    def __init__(self, queue: Queue, now: Callable[[], datetime]) -> None:
        self._queue = queue
        self._now = now

    async def job(self, job: Job) -> bool:
        """Tells whether it was sent; the job is stored either way."""
        return await self._send(
            job.queue, job_task_id(job.job_id, job.generation), job.path, {"job_id": job.job_id}
        )

    async def attribution(self, group_id: str, *, is_history: bool = False) -> bool:
        """One task a group every two seconds, however many messages came.

        Imported history goes through a queue of its own, at a low rate.
        """
        bucket, at = attribute_slot(group_id, self._now())
        queue = "import" if is_history else "attribute"
        return await self._send(
            queue,
            attribute_task_id(group_id, bucket),
            f"/tasks/{queue}",
            {"group_id": group_id},
            at,
        )

    async def _send(
        self, queue: str, task_id: str, path: str, body: dict[str, Any], at: datetime | None = None
    ) -> bool:
        try:
            await self._queue.send(queue, task_id, path, body, at=at)
        except Transient as error:
            log.warning("task_not_sent", queue=queue, reason=error.message)
            return False
        return True

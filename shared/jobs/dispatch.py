"""Sends the alarm clock for work that is stored already; the sweep heals a send that fails."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Protocol

from shared import log
from shared.domain.jobs.attribution_tasks import (
    Slots,
    attribute_again_id,
    attribute_slot,
    attribute_task_id,
    attribute_task_ids,
    job_task_id,
    tries_so_far,
)
from shared.domain.jobs.job import Job
from shared.errors import Misconfigured, Transient

NEXT_PAGE_TRIES = 4
"""A page of scheduled work has no record from which the sweep could send it again."""


class TaskSender(Protocol):
    async def send(
        self,
        queue: str,
        task_id: str,
        path: str,
        body: dict[str, Any],
        *,
        at: datetime | None = None,
    ) -> None: ...

    async def is_waiting(self, queue: str, task_id: str) -> bool: ...


class Dispatch:
    def __init__(self, queue: TaskSender, now: Callable[[], datetime], slots: Slots) -> None:
        self._queue = queue
        self._now = now
        self._slots = slots

    async def job(self, job: Job) -> bool:
        """Tells whether it was sent; the job is stored either way."""
        return await self._send(
            job.queue, job_task_id(job.job_id, job.generation), job.path, {"job_id": job.job_id}
        )

    async def attribution(
        self,
        group_id: str,
        *,
        is_asked: bool = True,
        last_wait: timedelta = timedelta(0),
        is_history: bool = False,
    ) -> bool:
        """One task a group and slot, however many messages came; the slot is short where the bot
        is asked, and longer where the last run came late.

        Imported history goes through a queue of its own, at a low rate.
        """
        slot = self._slots.slot(is_asked=is_asked, last_wait=last_wait)
        bucket, at = attribute_slot(group_id, self._now(), slot)
        queue = "import" if is_history else "attribute"
        return await self._send(
            queue,
            attribute_task_id(group_id, bucket, slot),
            f"/tasks/{queue}",
            {"group_id": group_id},
            at,
        )

    async def is_waiting(self, job: Job) -> bool:
        """Whether its task is still in the queue: then it comes, however late. So is taken for
        true what cannot be found out."""
        return await self._waits(job.queue, job_task_id(job.job_id, job.generation))

    async def attribution_again(self, group_id: str, since: datetime, grace: timedelta) -> bool:
        """For messages that have waited `since` then, unless a task for them still waits; each time
        after a longer pause. Tells whether it was sent."""
        now = self._now()
        tries = tries_so_far(now - since, grace)
        names = [attribute_again_id(group_id, since, tries - 1)] if tries else []
        for slot in self._slots.all():
            names += attribute_task_ids(group_id, since, slot)
        for queue in ("attribute", "import"):
            for name in names:
                if await self._waits(queue, name):
                    return False
        return await self._send(
            "attribute",
            attribute_again_id(group_id, since, tries),
            "/tasks/attribute",
            {"group_id": group_id},
        )

    async def _waits(self, queue: str, task_id: str) -> bool:
        try:
            return await self._queue.is_waiting(queue, task_id)
        except Misconfigured:
            return False  # no queue, no task: sending will say what is wrong
        except Transient as error:
            log.warning("task_not_found_out", queue=queue, reason=error.message)
            return True

    async def next_page(self, queue: str, path: str, cause: str, body: dict[str, Any]) -> None:
        """The schedule's work goes on in a task: the same `cause` makes one. Raises Transient if it
        was not taken, for there is no record that a sweep could find."""
        for _ in range(NEXT_PAGE_TRIES - 1):
            try:
                await self._queue.send(queue, job_task_id(cause, 0), path, body)
            except Misconfigured:
                raise
            except Transient as error:
                log.warning("task_not_sent", queue=queue, reason=error.message)
            else:
                return
        await self._queue.send(queue, job_task_id(cause, 0), path, body)

    async def _send(
        self, queue: str, task_id: str, path: str, body: dict[str, Any], at: datetime | None = None
    ) -> bool:
        try:
            await self._queue.send(queue, task_id, path, body, at=at)
        except Transient as error:
            log.warning("task_not_sent", queue=queue, reason=error.message)
            return False
        return True

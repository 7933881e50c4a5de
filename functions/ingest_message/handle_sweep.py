"""Each minute: sends again what was not sent, and takes back what a dead worker left."""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared import log
from shared.domain.jobs.attribution_tasks import tries_so_far
from shared.domain.jobs.job import Job, JobState, abandoned, looked_at, sent_again
from shared.errors import NotFound
from shared.wiring import Services

LIMIT = 200
"""Of each kind, in one call: what is left waits a minute."""
PAGES = 10
"""Of waiting messages, in each of the parts of all groups: two thousand of one group do not hide
the next."""
AT_ONCE = 20
"""Groups whose tasks are looked for side by side."""


@dataclass(frozen=True)
class SweepReport:
    """`oldest_pending_at` is the message that waits longest for its topic; `stuck` are the groups
    whose messages wait in vain: they are tried with growing pauses."""

    groups_woken: int
    oldest_pending_at: datetime | None
    jobs_taken_back: int
    jobs_sent_again: int
    leases_handed_on: int
    stuck: tuple[str, ...] = ()


async def sweep(made: Services, grace: timedelta) -> SweepReport:
    """What was found, for the logs and the metrics."""
    now = made.now()
    before = now - grace
    waiting = await made.messages.groups_waiting(before, LIMIT, PAGES)
    woken = await _wake(waiting, grace, made)
    stuck = await _set_aside(waiting, now, grace, made)
    taken_back = await _take_back(before, made)
    resent = await _send_again(before, made)
    wanted = await made.leases.expired_and_wanted(LIMIT)
    for lease in wanted:
        await made.worker.send_next(lease)
    oldest = min(waiting.values(), default=None)
    return SweepReport(woken, oldest, taken_back, resent, len(wanted), stuck)


async def _wake(waiting: Mapping[str, datetime], grace: timedelta, made: Services) -> int:
    """Those whose tasks are gone; the longest waiting first, some at once."""
    groups = list(waiting.items())
    woken = 0
    for start in range(0, len(groups), AT_ONCE):
        sent = await asyncio.gather(
            *(
                made.dispatch.attribution_again(group_id, since, grace)
                for group_id, since in groups[start : start + AT_ONCE]
            )
        )
        woken += sum(sent)
    return woken


async def _set_aside(
    waiting: Mapping[str, datetime], now: datetime, grace: timedelta, made: Services
) -> tuple[str, ...]:
    """Groups that were woken again and again in vain: marked, so that only the sweep still tries
    them, and named. A run that comes through takes the mark away."""
    stuck = [
        group_id
        for group_id, since in waiting.items()
        if tries_so_far(now - since, grace) >= made.settings.stuck_after_tries
    ]
    for group_id in stuck:
        with contextlib.suppress(NotFound):  # deleted meanwhile
            await made.groups.set_aside(group_id, now)
    if stuck:
        log.error("groups_stuck", total=len(stuck), groups=stuck[:20])
    return tuple(stuck)


async def _take_back(before: datetime, made: Services) -> int:
    """Running jobs whose lease ran out: pending again, or failed at their last attempt."""
    count = 0
    for job in await made.jobs.overdue(JobState.RUNNING, before, LIMIT):
        if await made.leases.is_taken(job.lease):
            continue
        moved = await made.jobs.move(job.job_id, lambda found: _abandoned(found, made.now()))
        count += 1
        if moved.is_open:
            await made.dispatch.job(moved)
    return count


async def _send_again(before: datetime, made: Services) -> int:
    """Pending or committed jobs whose task never came, or came and went."""
    count = 0
    for state in (JobState.PENDING, JobState.COMMITTED):
        for job in await made.jobs.overdue(state, before, LIMIT):
            if await made.dispatch.is_waiting(job):
                # It comes, however late; looked at again after the same grace.
                await made.jobs.move(job.job_id, lambda found: looked_at(found, made.now()))
                continue
            moved = await made.jobs.move(
                job.job_id, lambda found: sent_again(found, made.now()) if found.is_open else None
            )
            count += await made.dispatch.job(moved)
    return count


def _abandoned(job: Job, now: datetime) -> Job | None:
    """Only if it is still running: its worker may have answered meanwhile."""
    if job.state is not JobState.RUNNING:
        return None
    job = abandoned(job, now)
    return sent_again(job, now) if job.is_open else job

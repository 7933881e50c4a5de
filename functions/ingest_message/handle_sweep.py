"""Each minute: sends again what was not sent, and takes back what a dead worker left."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.domain.jobs.job import Job, JobState, abandoned, sent_again
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import Worker
from shared.stores.jobs import Jobs
from shared.stores.leases import Leases
from shared.stores.messages import Messages

LIMIT = 200
"""Of each kind, in one call: what is left waits a minute."""


@dataclass(frozen=True)
class Deps:
    jobs: Jobs
    leases: Leases
    messages: Messages
    worker: Worker
    dispatch: Dispatch
    now: Callable[[], datetime]
    grace: timedelta


@dataclass(frozen=True)
class SweepReport:
    """`oldest_pending_at` is the message that waits longest for its topic."""

    groups_woken: int
    oldest_pending_at: datetime | None
    jobs_taken_back: int
    jobs_sent_again: int
    leases_handed_on: int


async def sweep(deps: Deps) -> SweepReport:
    """What was found, for the logs and the metrics."""
    before = deps.now() - deps.grace
    groups, oldest = await deps.messages.groups_with_pending(before, LIMIT)
    for group_id in groups:
        await deps.dispatch.attribution(group_id)
    taken_back = await _take_back(before, deps)
    resent = await _send_again(before, deps)
    wanted = await deps.leases.expired_and_wanted(LIMIT)
    for lease in wanted:
        await deps.worker.send_next(lease)
    return SweepReport(len(groups), oldest, taken_back, resent, len(wanted))


async def _take_back(before: datetime, deps: Deps) -> int:
    """Running jobs whose lease ran out: pending again, or failed at their last attempt."""
    count = 0
    for job in await deps.jobs.overdue(JobState.RUNNING, before, LIMIT):
        if await deps.leases.is_taken(job.lease):
            continue
        moved = await deps.jobs.move(job.job_id, lambda found: _abandoned(found, deps.now()))
        count += 1
        if moved.is_open:
            await deps.dispatch.job(moved)
    return count


async def _send_again(before: datetime, deps: Deps) -> int:
    """Pending or committed jobs whose task never came, or came and went."""
    count = 0
    for state in (JobState.PENDING, JobState.COMMITTED):
        for job in await deps.jobs.overdue(state, before, LIMIT):
            moved = await deps.jobs.move(
                job.job_id, lambda found: sent_again(found, deps.now()) if found.is_open else None
            )
            count += await deps.dispatch.job(moved)
    return count


def _abandoned(job: Job, now: datetime) -> Job | None:
    """Only if it is still running: its worker may have answered meanwhile."""
    if job.state is not JobState.RUNNING:
        return None
    job = abandoned(job, now)
    return sent_again(job, now) if job.is_open else job

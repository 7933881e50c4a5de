"""Who waits for a lease is sent when it is free, and not before their time."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import pytest

from shared.contracts.jobs import evolve_job
from shared.domain.jobs.job import Job, JobState
from shared.domain.jobs.kinds import Report
from shared.errors import AnnalsError, Conflict, OverBudget, Transient
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import JobInHand, Outcome, Worker
from shared.wiring import Services
from tests.jobs.pipeline.test_sweep import SLOTS, PausedQueue
from tests.services import Clock

Do = Callable[[JobInHand], Awaitable[Report]]


class Waiting:
    """Two jobs under one lease: while the first runs, the second's task comes in vain."""

    def __init__(self, made: Services, clock: Clock, error: AnnalsError) -> None:
        self.jobs, self.clock, self.error = made.jobs, clock, error
        self.queue = PausedQueue()
        dispatch = Dispatch(self.queue, made.now, SLOTS)
        self.worker = Worker(made.jobs, made.leases, made.groups, dispatch, made.now)
        self.group_id = f"test:waiting-{made.now().timestamp()}"
        self.ran: list[str] = []

    async def make(self) -> tuple[Job, Job]:
        first = await self.jobs.ensure(evolve_job(self.group_id, "first", self.clock()))
        self.clock.turn(seconds=1)
        second = await self.jobs.ensure(evolve_job(self.group_id, "second", self.clock()))
        return first, second

    async def run(self, job: Job, meanwhile: Job) -> None:
        async def fails(work: JobInHand) -> Report:
            self.ran.append(work.job.job_id)
            if len(self.ran) == 1:
                found = await self.worker.run(meanwhile.job_id, fails)
                assert found.outcome is Outcome.WAITING
            raise self.error

        try:
            await self.worker.run(job.job_id, fails)
        except Transient:
            assert isinstance(self.error, Transient | Conflict)

    async def sends(self, job: Job) -> int:
        """How often its task was sent anew."""
        found = await self.jobs.get(job.job_id)
        assert found is not None
        return found.generation


@pytest.mark.parametrize(
    "error",
    [
        OverBudget("nothing is left for today", retry_after_s=8 * 3600),
        Transient("the model is away"),
        Conflict("the record changed meanwhile"),
    ],
    ids=lambda error: error.code,
)
async def test_what_failed_or_is_put_off_gives_way_to_who_waits(
    made: Services, clock: Clock, error: AnnalsError
) -> None:
    clock.at = datetime.now(UTC)
    waiting = Waiting(made, clock, error)
    first, second = await waiting.make()

    await waiting.run(first, meanwhile=second)

    assert await waiting.sends(second) == 1, "it is its turn"
    assert await waiting.sends(first) == 0, "it is not due yet"
    left = await made.jobs.get(first.job_id)
    assert left is not None
    assert (left.state, left.due_at > clock()) == (JobState.PENDING, True)

    await waiting.run(second, meanwhile=first)

    assert await waiting.sends(first) == 0, "nobody wanted the lease meanwhile"

"""Runs a job under its lease: one at a time, nothing lost, nothing twice.

If the lease is taken the job stays pending, and the holder sends it when it releases the lease.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from shared import log
from shared.contracts.queues import queues
from shared.domain.jobs.job import (
    Job,
    JobState,
    KeptReply,
    after_failure,
    put_off,
    sent_again,
    started,
    wait_for_model,
)
from shared.domain.jobs.kinds import Payload, Report, without_words
from shared.errors import (
    AnnalsError,
    BadReply,
    Broken,
    Conflict,
    EpochMoved,
    LostLease,
    NotFound,
    Postponed,
    Transient,
)
from shared.jobs.dispatch import Dispatch
from shared.stores.groups import Groups, Plan
from shared.stores.jobs import Jobs
from shared.stores.leases import Held, Leases

BACK_OFF = timedelta(seconds=60)
"""How long the queue's own retries have before the sweep looks at the job."""
FRESH_STARTS = 3
"""How often a plan that the group's epoch overtook is made again within one attempt."""
FRESH_PLANS = 3
"""The same for a plan some of whose records were changed meanwhile."""


P = TypeVar("P", bound=Payload)
R = TypeVar("R", bound=Report)


class Outcome(StrEnum):
    DONE = "done"
    WAITING = "waiting"
    FAILED = "failed"
    NOTHING = "nothing"


@dataclass(frozen=True)
class Ran:
    """How a run ended: with a report if the work is done, with an error if it failed for good or is
    put off until a budget allows it."""

    outcome: Outcome
    report: Report | None = None
    error: str | None = None


@dataclass(frozen=True)
class JobInHand:
    """A job under its lease. A handler that finds `is_committed` only repeats the effects."""

    job: Job
    held: Held
    _groups: Groups
    _jobs: Jobs

    @property
    def is_committed(self) -> bool:
        return self.job.state is JobState.COMMITTED

    @property
    def model_budget_s(self) -> float:
        """How long models may take in all."""
        return queues()[self.job.queue].model_budget_s

    def payload(self, kind: type[P]) -> P:
        """What the job is asked to do; Broken if that is another kind's task."""
        if not isinstance(self.job.payload, kind):
            raise Broken(f"job {self.job.job_id} has no {kind.__name__} to do")
        return self.job.payload

    def report(self, kind: type[R]) -> R:
        """What was committed."""
        if not isinstance(self.job.report, kind):
            raise Broken(f"job {self.job.job_id} has no {kind.__name__}")
        return self.job.report

    async def keep_reply(self, reply: KeptReply) -> None:
        await self._jobs.keep_reply(self.job.job_id, reply)

    async def reread(self) -> "JobInHand":
        """The same work with the job as it is stored now: a kept reply is on it."""
        return replace(self, job=await self._jobs.get(self.job.job_id) or self.job)

    async def run(
        self,
        kind: type[R],
        plan: "Callable[[JobInHand], Awaitable[R]]",
        effects: Callable[[R], Awaitable[None]] | None = None,
    ) -> R:
        """The shape of all work: `plan` reads, decides and commits, once; `effects` follow from
        its report, and are repeated after a crash."""
        report = self.report(kind) if self.is_committed else await self.planned(plan)
        if effects is not None:
            await effects(report)
        return report

    async def planned(self, plan: "Callable[[JobInHand], Awaitable[R]]") -> R:
        """What `plan` commits and reports. Something it would change was changed by hand while the
        model thought: the model's answer is kept, and the plan made anew."""
        work = self
        for _ in range(FRESH_PLANS):
            try:
                return await plan(work)
            except Conflict:
                log.info("planned_again", group_id=self.job.group_id, kind=self.job.kind)
                work = await work.reread()
        raise Transient("what this job would change keeps changing under it")

    def unanswered(self, error: Transient, now: datetime) -> Transient:
        """What to raise where no model could be asked: an outage delays a job and fails none,
        unless it lasts for weeks."""
        wait = wait_for_model(self.job, now)
        if wait is None or isinstance(error, Postponed):
            return error
        return Postponed(error.message, retry_after_s=wait.total_seconds())

    async def commit(self, plan: Plan) -> None:
        """The plan and the job's move to `committed`, in one fenced commit."""
        await self._groups.commit(plan, self.held, self.job)


Do = Callable[[JobInHand], Awaitable[Report]]


class Worker:
    def __init__(
        self,
        jobs: Jobs,
        leases: Leases,
        groups: Groups,
        dispatch: Dispatch,
        now: Callable[[], datetime],
    ) -> None:
        self._jobs = jobs
        self._leases = leases
        self._groups = groups
        self._dispatch = dispatch
        self._now = now

    async def run(self, job_id: str, do: Do) -> Ran:
        """Do the job if it is still to be done; raises Transient while attempts are left."""
        job = await self._jobs.get(job_id)
        if job is None or not job.is_open:
            return Ran(Outcome.NOTHING, job.report if job else None)
        lease = job.lease
        async with self.holding(lease, lambda: self.send_next(lease)) as held:
            if held is None:
                return Ran(Outcome.WAITING)
            job = await self._jobs.move(
                job_id, lambda found: started(found, self._now()) if found.is_open else None
            )
            if not job.is_open:
                return Ran(Outcome.NOTHING, job.report)
            return await self._attempt(job, held, do)

    async def _attempt(self, job: Job, held: Held, do: Do) -> Ran:
        try:
            report = await self._do_over(job, held, do)
        except LostLease:
            raise
        except Postponed as error:
            return await self._put_off(job, error)
        except AnnalsError as error:
            return await self._failed(job, error)
        await self._jobs.move(
            job.job_id,
            lambda found: replace(
                found,
                state=JobState.DONE,
                report=report,
                reply=None,
                error=None,
                payload=without_words(found.payload),
                took_s=max(0.0, (self._now() - found.created_at).total_seconds()),
            ),
        )
        return Ran(Outcome.DONE, report)

    async def _do_over(self, job: Job, held: Held, do: Do) -> Report:
        """A plan made before something was forgotten is thrown away, and made again."""
        for _ in range(FRESH_STARTS):
            try:
                return await do(JobInHand(job, held, self._groups, self._jobs))
            except EpochMoved:
                log.info("plan_overtaken", job_id=job.job_id, group_id=job.group_id)
                job = await self._jobs.move(job.job_id, lambda found: replace(found, reply=None))
        raise Transient("the group keeps changing under this job")

    async def _put_off(self, job: Job, error: Postponed) -> Ran:
        """Until models may be asked again: nothing is wrong with the job."""
        until = self._now() + timedelta(seconds=error.detail.get("retry_after_s", 3600))
        await self._jobs.move(job.job_id, lambda found: put_off(found, until, error.message))
        log.info("job_put_off", job_id=job.job_id, group_id=job.group_id, code=error.code)
        return Ran(Outcome.WAITING, error=error.message)

    async def _failed(self, job: Job, error: AnnalsError) -> Ran:
        """Errors that a repetition cannot heal end the job at once; the others wait for it."""

        def fail(found: Job) -> Job:
            if not isinstance(error, Transient | BadReply | Conflict):
                found = replace(found, attempts=found.max_attempts)
            return after_failure(found, f"{error.code}: {error.message}", self._now(), BACK_OFF)

        moved = await self._jobs.move(job.job_id, fail)
        log.warning(
            "job_attempt_failed",
            job_id=job.job_id,
            group_id=job.group_id,
            state=moved.state.value,
            code=error.code,
        )
        if moved.state is JobState.FAILED:
            return Ran(Outcome.FAILED, error=moved.error)
        raise Transient(f"job {job.job_id} will be tried again: {error.message}") from error

    @asynccontextmanager
    async def holding(
        self, lease: str, send_next: Callable[[], Awaitable[None]]
    ) -> AsyncIterator[Held | None]:
        """The lease while the body works, or None; whoever wanted it meanwhile is sent after."""
        held = await self._leases.take(lease, uuid.uuid4().hex)
        if held is None:
            yield None
            return
        was_cut_short = False
        try:
            async with self._leases.kept(held):
                yield held
        except asyncio.CancelledError:
            was_cut_short = True
            raise
        finally:
            if await self._leases.release(held, was_cut_short=was_cut_short):
                await send_next()

    async def send_next(self, lease: str) -> None:
        """The one that is due the longest; if more are, the lease stays wanted. What is due later
        the sweep sends."""
        waiting = await self._jobs.waiting(lease, self._now(), limit=2)
        if not waiting:
            return
        if len(waiting) > 1:
            await self._leases.want(lease)
        try:
            job = await self._jobs.move(
                waiting[0].job_id,
                lambda found: sent_again(found, self._now()) if found.is_open else None,
            )
        except NotFound:
            return
        await self._dispatch.job(job)

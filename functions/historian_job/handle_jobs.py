"""An operator's hand on jobs: one job, and a failed one once more."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from shared.domain.jobs.job import Job, JobState, retried
from shared.errors import Conflict
from shared.jobs.dispatch import Dispatch
from shared.stores.jobs import Jobs


@dataclass(frozen=True)
class Deps:
    jobs: Jobs
    dispatch: Dispatch
    now: Callable[[], datetime]


async def retry(job_id: str, deps: Deps) -> Job:
    """With fresh attempts, and from where it was; Conflict unless it failed."""

    def again(job: Job) -> Job:
        if job.state is not JobState.FAILED:
            raise Conflict(f"the job is {job.state.value}; only a failed one can be retried")
        return retried(job, deps.now())

    job = await deps.jobs.move(job_id, again)
    await deps.dispatch.job(job)
    return job

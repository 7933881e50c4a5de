"""An operator's hand on jobs: one job, and a failed one once more."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from shared.domain.jobs.job import Job, JobState, retried
from shared.errors import Conflict, NotFound
from shared.jobs.dispatch import Dispatch
from shared.runtime.auth import Caller
from shared.stores.jobs import Jobs


@dataclass(frozen=True)
class Deps:
    jobs: Jobs
    dispatch: Dispatch
    now: Callable[[], datetime]


async def seen_job(job_id: str, caller: Caller, jobs: Jobs) -> Job:
    """Somebody else's job is as unknown as one that does not exist."""
    job = await jobs.get(job_id)
    if job is None or not caller.may_see(job.group_id):
        raise NotFound(f"there is no job {job_id}")
    return job


async def retry(job_id: str, deps: Deps) -> Job:
    """With fresh attempts, and from where it was; Conflict unless it failed."""

    def again(job: Job) -> Job:
        if job.state is not JobState.FAILED:
            raise Conflict(f"the job is {job.state.value}; only a failed one can be retried")
        return retried(job, deps.now())

    job = await deps.jobs.move(job_id, again)
    await deps.dispatch.job(job)
    return job

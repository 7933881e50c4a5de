"""Which job a caller may see."""

from shared.domain.jobs.job import Job
from shared.errors import NotFound
from shared.runtime.auth import Caller
from shared.wiring import services


async def seen_job(job_id: str, caller: Caller) -> Job:
    """Somebody else's job is as unknown as one that does not exist."""
    job = await services().jobs.get(job_id)
    if job is None or not caller.may_see(job.group_id):
        raise NotFound(f"there is no job {job_id}")
    return job

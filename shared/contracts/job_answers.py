"""What a task carries, jobs as the API shows them, and what is told of their runs."""

from typing import Annotated, Literal

from starlette.responses import JSONResponse

from shared.contracts.api import Answer, Body, GroupId, ListAnswer, Showing
from shared.domain.jobs.job import Job, JobState
from shared.domain.jobs.kinds import ForgetReport


class AttributeTask(Body):
    """The messages of a group that have no topic yet: they are the record of the work."""

    group_id: GroupId


class JobTask(Body):
    """Never the work itself, only where it is recorded."""

    job_id: str


ShownJob = Annotated[
    Job,
    Showing(
        "ShownJob",
        "job_id kind queue group_id state attempts max_attempts generation error created_at due_at",
    ),
]
"""Without its payload: that quotes people."""


ReportedJob = Annotated[
    Job,
    Showing(
        "ReportedJob",
        "job_id kind queue group_id state attempts max_attempts generation error created_at "
        "due_at report",
    ),
]
"""Also with what it did; the report is there from the commit on."""


class JobList(ListAnswer):
    jobs: list[ShownJob]


class JobAnswer(Answer):
    job: ReportedJob


class RetryAccepted(Answer):
    job: ShownJob


class JobRunning(Answer):
    """The work goes on elsewhere: `GET /jobs/{job_id}` of historian_job tells how it ended."""

    job_id: str
    status: Literal["running"] = "running"
    reason: str = ""
    """Why it waits, where that is not only its turn: a budget of models is used up."""


def accepted(job_id: str, reason: str | None = None) -> JSONResponse:
    """The 202 of a route that else answers with its result."""
    return JSONResponse(JobRunning(job_id=job_id, reason=reason or "").model_dump(), 202)


class TaskOutcome(Answer):
    """What became of a task's job; of `waiting` and `nothing` a repetition is not needed."""

    outcome: Literal["done", "waiting", "failed", "nothing"]


class ForgetAccepted(Answer):
    forget_id: str


class ForgetAnswer(Answer):
    """`receipt` says what went, once that is committed."""

    forget_id: str
    state: JobState
    error: str | None
    receipt: ForgetReport | None

"""What a task carries, jobs as the API shows them, and what is told of their runs."""

from typing import Literal

from starlette.responses import JSONResponse

from shared.contracts.api import Answer, Body, GroupId, ListAnswer, Moment, Shown
from shared.domain.jobs.job import JobState
from shared.domain.jobs.kinds import ForgetReport, Report


class AttributeTask(Body):
    """The messages of a group that have no topic yet: they are the record of the work."""

    group_id: GroupId


class JobTask(Body):
    """Never the work itself, only where it is recorded."""

    job_id: str


class ShownJob(Shown):
    """Without its payload: that quotes people."""

    job_id: str
    kind: str
    queue: str
    group_id: str
    state: JobState
    attempts: int
    max_attempts: int
    generation: int
    error: str | None
    created_at: Moment
    due_at: Moment


class ReportedJob(ShownJob):
    """Also with what it did; the report is there from the commit on."""

    report: Report | None


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

"""A job: the durable record of work to do. A task is only its alarm clock.

    pending -> running -> committed -> done
       ^          |  \\________________^
       |__________|-> failed (listed, can be retried)

`committed` means that the model was asked and the plan is stored: a retry goes on from there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from shared.domain.jobs.kinds import Forgetting, Payload, Report

MAX_ERROR_CHARACTERS = 500
"""Enough for a sentence and its cause: an error is read in a list."""
SHORTEST_WAIT, LONGEST_WAIT = timedelta(minutes=10), timedelta(hours=6)
"""Between two attempts while no model answers: an outage is mostly over in minutes; one of days is
asked about four times a day."""
LONGEST_OUTAGE = timedelta(days=14)
"""Then a job counts its attempts like any other and ends as failed, which is listed."""


class JobState(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    COMMITTED = "committed"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True)
class KeptReply:
    """A model's raw answer, and what it was asked about: the group at `epoch`, its messages up to
    `until`. `answer` is a JSON string in ASCII: a model may write half a surrogate pair, which no
    database takes."""

    answer: str
    epoch: int
    until: str | None


@dataclass(frozen=True)
class Job:
    """`lease` names the lock it works under; `generation` counts how often its task was sent anew;
    `reply` keeps a model's answer over a crash; `report` is there from the commit on. `removed` and
    `rederived` count, by kind, what a forgetting has done so far, each with the commit that did
    it. `took_s` is how long it took from its making to its end."""

    job_id: str
    kind: str
    queue: str
    group_id: str
    lease: str
    payload: Payload
    max_attempts: int
    created_at: datetime
    due_at: datetime
    state: JobState = JobState.PENDING
    attempts: int = 0
    generation: int = 0
    error: str | None = None
    has_committed: bool = False
    reply: KeptReply | None = None
    report: Report | None = None
    removed: Mapping[str, int] = field(default_factory=dict)
    rederived: Mapping[str, int] = field(default_factory=dict)
    took_s: float = 0.0

    @property
    def path(self) -> str:
        """The route that does it."""
        return f"/tasks/{self.kind}"

    @property
    def is_open(self) -> bool:
        return self.state in (JobState.PENDING, JobState.RUNNING, JobState.COMMITTED)


def started(job: Job, now: datetime) -> Job:
    """One more attempt. What was committed stays so: only its effects are repeated."""
    state = JobState.COMMITTED if job.state is JobState.COMMITTED else JobState.RUNNING
    return replace(job, state=state, attempts=job.attempts + 1, error=None, due_at=now)


def after_failure(job: Job, error: str, now: datetime, back_off: timedelta) -> Job:
    """Pending again, or failed when that was the last attempt. Committed work stays committed."""
    error = error[:MAX_ERROR_CHARACTERS]
    if job.attempts >= job.max_attempts:
        return replace(job, state=JobState.FAILED, error=error)
    state = JobState.COMMITTED if job.state is JobState.COMMITTED else JobState.PENDING
    return replace(job, state=state, error=error, due_at=now + back_off)


def put_off(job: Job, until: datetime, reason: str) -> Job:
    """Not now, through no fault of its own: the attempt does not count, and the sweep sends it
    again after `until`."""
    state = JobState.COMMITTED if job.state is JobState.COMMITTED else JobState.PENDING
    return replace(
        job,
        state=state,
        attempts=max(0, job.attempts - 1),
        error=reason[:MAX_ERROR_CHARACTERS],
        due_at=until,
    )


def wait_for_model(job: Job, now: datetime) -> timedelta | None:
    """How long a job waits that no model answered: as long again as it has waited so far."""
    waited = now - job.created_at
    if waited > LONGEST_OUTAGE:
        return None
    return min(LONGEST_WAIT, max(SHORTEST_WAIT, waited))


def abandoned(job: Job, now: datetime) -> Job:
    """What becomes of a job whose runner died: its lease ran out while it was running."""
    return after_failure(job, "the worker stopped without an answer", now, timedelta(0))


def committed(job: Job, report: Report | None) -> Job:
    return replace(job, state=JobState.COMMITTED, has_committed=True, report=report)


def retried(job: Job, now: datetime) -> Job:
    """A failed job, asked for again: attempts start over, its task gets a new name."""
    state = JobState.COMMITTED if job.has_committed else JobState.PENDING
    return replace(
        job, state=state, attempts=0, error=None, due_at=now, generation=job.generation + 1
    )


def expiry(job: Job, kept: timedelta) -> datetime | None:
    """When the record of a job may be deleted: a done one after `kept`, a failed one after twice
    that, so that it can be retried; of a forgetting never, as it is the receipt."""
    if job.is_open or isinstance(job.payload, Forgetting):
        return None
    return job.due_at + (kept if job.state is JobState.DONE else 2 * kept)


def looked_at(job: Job, now: datetime) -> Job | None:
    """Its task still waits in the queue: it is not sent again, and gives way to others."""
    waits = job.state in (JobState.PENDING, JobState.COMMITTED)
    return replace(job, due_at=now) if waits else None


def sent_again(job: Job, now: datetime) -> Job:
    return replace(job, generation=job.generation + 1, due_at=now)

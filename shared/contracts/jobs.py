"""The kinds of jobs: which queue each one goes through and which route does it."""

from dataclasses import replace
from datetime import datetime

from shared.contracts.queues import queues
from shared.domain.historian.rewrite import wait_before
from shared.domain.ids import digest
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import (
    EvolveGroup,
    ForgetMessage,
    Payload,
    RecordNote,
    RewriteNote,
    SummarizeTopic,
)
from shared.domain.jobs.lease import attribution_of, evolution_of, history_of, summary_of
from shared.domain.knowledge.event import Note

ROUTES = {
    "summarize": ("summarize", "/tasks/summarize"),
    "evolve": ("evolve", "/tasks/evolve"),
    "historian": ("historian", "/tasks/historian"),
    "extract": ("historian", "/tasks/extract"),
    "forget": ("forget", "/tasks/forget"),
    "import": ("import", "/tasks/import"),
}


def summarize_job(group_id: str, topic_id: str, cause: str, now: datetime) -> Job:
    payload = SummarizeTopic(topic_id, cause)
    return _job(
        "summarize", group_id, f"{topic_id}:{cause}", summary_of(group_id, topic_id), payload, now
    )


def evolve_job(
    group_id: str,
    cause: str,
    now: datetime,
    days: int | None = None,
    after: str | None = None,
) -> Job:
    payload = EvolveGroup(days, after)
    return _job("evolve", group_id, cause, evolution_of(group_id), payload, now)


def next_evolve_job(job: Job, asked: EvolveGroup, after: str | None, now: datetime) -> Job:
    """The next page is a job of its own: its id comes from this one, so twice is once."""
    cause, begins = f"after {job.job_id}", after if asked.days else None
    return evolve_job(job.group_id, cause, now, asked.days, begins)


def historian_job(note: Note, now: datetime) -> Job:
    lease = history_of(note.group_id)
    return _job("historian", note.group_id, note.event_id, lease, RecordNote(note), now)


def rewrite_job(note: Note, tries: int, now: datetime) -> Job:
    """Due later: the sweep sends it when its time has come."""
    cause = f"{note.event_id}:again:{tries}"
    payload = RewriteNote(note, tries)
    job = _job("historian", note.group_id, cause, history_of(note.group_id), payload, now)
    return replace(job, due_at=now + wait_before(tries))


def forget_message_job(group_id: str, message_id: str, topic_id: str | None, now: datetime) -> Job:
    """Its id is that of the message: forgetting twice is once."""
    payload = ForgetMessage(message_id, topic_id)
    return _job("forget", group_id, f"message:{message_id}", attribution_of(group_id), payload, now)


def _job(kind: str, group_id: str, cause: str, lease: str, payload: Payload, now: datetime) -> Job:
    queue, path = ROUTES[kind]
    return Job(
        job_id=f"{kind}-{digest(kind, group_id, cause)}",
        kind=kind,
        queue=queue,
        path=path,
        group_id=group_id,
        lease=lease,
        payload=payload,
        max_attempts=queues()[queue].max_attempts,
        created_at=now,
        due_at=now,
    )

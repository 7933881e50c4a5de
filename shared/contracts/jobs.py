"""The table of jobs, and how each kind is made: what it is asked to do, and under which lease."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from shared.contracts.queues import queues
from shared.domain.group import Group
from shared.domain.ids import digest
from shared.domain.jobs.job import MAX_ERROR_CHARACTERS, Job, JobState
from shared.domain.jobs.kinds import (
    DigestReport,
    EvolutionReport,
    EvolveGroup,
    ForgetGroup,
    ForgetMember,
    ForgetMemory,
    ForgetMessage,
    ForgetReport,
    MergeProfile,
    MoveGroup,
    MoveReport,
    NoteReport,
    Payload,
    ProfileReport,
    RecordNote,
    SkippedPage,
    SummarizeTopic,
    SummaryReport,
    TellWeek,
)
from shared.domain.jobs.lease import (
    attribution_of,
    digest_of,
    evolution_of,
    history_of,
    profile_of,
    summary_of,
)
from shared.domain.knowledge.event import Note
from shared.domain.knowledge.profile import News
from shared.domain.messages.stored_message import StoredMessage

DIGEST_WAITS = timedelta(hours=1)
"""For summaries to be made again after a message was forgotten: the schedule takes minutes."""


@dataclass(frozen=True)
class JobKind:
    """A row of the table: a job that is asked for by one of the `payloads` is sent to
    `/tasks/{name}` through `queue`, and tells by a `report` what was done."""

    name: str
    queue: str
    payloads: tuple[type[Any], ...]
    report: type[Any]

    @property
    def function(self) -> str:
        """Whose route it is."""
        return queues()[self.queue].function


_FORGETTING = (ForgetMessage, ForgetMember, ForgetMemory, ForgetGroup)
_ROWS = (
    JobKind("summarize", "summarize", (SummarizeTopic,), SummaryReport),
    JobKind("digest", "summarize", (TellWeek,), DigestReport),
    JobKind("evolve", "evolve", (EvolveGroup,), EvolutionReport),
    JobKind("historian", "historian", (RecordNote,), NoteReport),
    JobKind("profile", "historian", (MergeProfile,), ProfileReport),
    JobKind("forget", "forget", _FORGETTING, ForgetReport),
    JobKind("move", "forget", (MoveGroup,), MoveReport),
)
KINDS = {row.name: row for row in _ROWS}
_BY_PAYLOAD = {payload: kind for kind in KINDS.values() for payload in kind.payloads}


def kinds_of(function: str) -> tuple[str, ...]:
    """The kinds of jobs that a function does."""
    return tuple(kind.name for kind in KINDS.values() if kind.function == function)


def summarize_job(group_id: str, topic_id: str, cause: str, now: datetime) -> Job:
    payload = SummarizeTopic(topic_id, cause)
    return _job(group_id, f"{topic_id}:{cause}", summary_of(group_id, topic_id), payload, now)


def digest_job(group_id: str, due_at: datetime, now: datetime) -> Job:
    """One a week, however often it is found due."""
    cause = due_at.isoformat()
    return _job(group_id, cause, digest_of(group_id), TellWeek(due_at), now)


def digest_again_job(group_id: str, due_at: datetime, forgetting: str, now: datetime) -> Job:
    """Something of it was forgotten. Due when the summaries it comes from are made again."""
    cause = f"{due_at.isoformat()}:{forgetting}"
    job = _job(group_id, cause, digest_of(group_id), TellWeek(due_at), now)
    return replace(job, due_at=now + DIGEST_WAITS)


def evolve_job(
    group_id: str,
    cause: str,
    now: datetime,
    days: int | None = None,
    after: str | None = None,
    *,
    by_schedule: bool = False,
) -> Job:
    payload = EvolveGroup(days, after, by_schedule)
    return _job(group_id, cause, evolution_of(group_id), payload, now)


def next_evolve_job(job: Job, asked: EvolveGroup, after: str | None, now: datetime) -> Job:
    """The next page is a job of its own: its id comes from this one, so twice is once."""
    cause, begins = f"after {job.job_id}", after if asked.days else None
    return evolve_job(job.group_id, cause, now, asked.days, begins, by_schedule=asked.by_schedule)


def skipped_evolve_job(job: Job, page: SkippedPage, error: str, now: datetime) -> Job:
    """A page that was stepped over: it is listed as failed, and can be tried again."""
    made = evolve_job(job.group_id, f"skipped by {job.job_id}", now)
    return replace(
        made,
        payload=EvolveGroup(None, skipped=page),
        state=JobState.FAILED,
        attempts=made.max_attempts,
        error=error[:MAX_ERROR_CHARACTERS],
    )


def historian_job(note: Note, now: datetime) -> Job:
    lease = history_of(note.group_id)
    return _job(note.group_id, note.event_id, lease, RecordNote(note), now)


def profile_job(group_id: str, news: News, cause: str, now: datetime) -> Job:
    """Committed together with the record that tells something new of a member or the group. The
    same cause makes one merge."""
    lease = profile_of(group_id, news.profile_id)
    payload = MergeProfile(news)
    return _job(group_id, f"{news.profile_id}:{cause}", lease, payload, now)


def forget_message_job(message: StoredMessage, now: datetime) -> Job:
    """Its id is that of the message as it came in: forgetting twice is once, but one that comes
    again when its tombstone has expired is forgotten again."""
    group_id = message.group_id
    cause = f"message:{message.message_id}:{_moment(message.received_at)}"
    payload = ForgetMessage(message.message_id, message.topic_id)
    return _job(group_id, cause, attribution_of(group_id), payload, now)


def forget_member_job(group_id: str, user_id: str, now: datetime) -> Job:
    """One a moment: who has come back and spoken may be forgotten again."""
    cause = f"member:{user_id}:{now.isoformat()}"
    return _job(group_id, cause, attribution_of(group_id), ForgetMember(user_id), now)


def forget_memory_job(group_id: str, root_id: str, now: datetime) -> Job:
    """Its id is that of the memory: forgetting twice is once. Under evolution's lease, as that
    changes memories."""
    lease, payload = evolution_of(group_id), ForgetMemory(root_id)
    return _job(group_id, f"memory:{root_id}", lease, payload, now)


def forget_group_job(group: Group, now: datetime) -> Job:
    """A group is deleted once; one that begins anew when its tombstone has expired, once more."""
    group_id, cause = group.group_id, f"group:{_moment(group.created_at)}"
    return _job(group_id, cause, attribution_of(group_id), ForgetGroup(group_id), now)


def move_job(group_id: str, before: str, now: datetime, after: str | None = None) -> Job:
    """One a page. Under the old group's lease: nothing is attributed there meanwhile."""
    cause = f"from {before}:{after or ''}"
    return _job(group_id, cause, attribution_of(before), MoveGroup(before, after), now)


def _moment(time: datetime | None) -> str:
    return time.isoformat() if time else ""


def _job(group_id: str, cause: str, lease: str, payload: Payload, now: datetime) -> Job:
    kind = _BY_PAYLOAD[type(payload)]
    return Job(
        job_id=f"{kind.name}-{digest(kind.name, group_id, cause)}",
        kind=kind.name,
        queue=kind.queue,
        group_id=group_id,
        lease=lease,
        payload=payload,
        max_attempts=queues()[kind.queue].max_attempts,
        created_at=now,
        due_at=now,
    )

"""Traces of what is forgotten: records of contexts, and jobs that are not done."""

from dataclasses import dataclass

from shared.domain.forgetting.forgotten import Forgotten
from shared.domain.jobs.job import JobState
from shared.domain.jobs.kinds import MergeProfile, Payload, RecordNote
from shared.errors import Conflict
from shared.forgetting.provenance import Provenance
from shared.stores.contexts import blanked_context
from shared.stores.derived import Changes, Derived
from shared.stores.jobs import JOBS, Jobs

NOT_DONE = (JobState.PENDING, JobState.RUNNING, JobState.COMMITTED, JobState.FAILED)
"""A job that is done has no words; one that is not has them until it is."""


@dataclass(frozen=True)
class TraceRemoval:
    derived: Derived
    jobs: Jobs
    provenance: Provenance

    async def contexts(self, group_id: str, forgotten: Forgotten) -> Changes:
        """Records name things by their ids; the reply and what was said of it may quote them."""
        named = [
            *await self.derived.made_of(group_id, "contexts", "message_ids", forgotten.message_ids),
            *await self.provenance.about(group_id, "contexts", "user_id", forgotten),
        ]
        changes = Changes()
        for snapshot in {one.path: one for one in named}.values():
            if snapshot.data.get("user_id") in forgotten.user_ids:
                changes.remove("contexts", snapshot)
            else:
                changes.rewrite("contexts", snapshot, blanked_context(snapshot))
        return changes

    async def open_jobs(self, group_id: str, forgotten: Forgotten, job_id: str) -> None:
        """Notes and news that wait or failed and speak of it; and models' answers kept for a
        repetition, which may quote it. Of a member also the jobs that are done: they name them."""
        states = () if forgotten.user_ids else [one.value for one in NOT_DONE]
        skip = 0
        while page := await self.derived.jobs_page(group_id, skip, states):
            changes = Changes()
            for snapshot in page:
                job = JOBS.read(snapshot)
                if job.job_id != job_id and _is_made_of(job.payload, forgotten):
                    changes.remove("jobs", snapshot)
            skip += len(page) - len(changes.writes)
            try:
                await self.derived.apply(group_id, changes, job_id)
            except Conflict:
                skip = 0
        await self.jobs.blank_replies(group_id)


def _is_made_of(payload: Payload, forgotten: Forgotten) -> bool:
    """Whether a job quotes something that is forgotten."""
    if isinstance(payload, RecordNote):
        note = payload.note
        return forgotten.touches(note.message_ids, [note.user_id])
    if isinstance(payload, MergeProfile):
        news = payload.news
        return forgotten.touches(news.sources, (*news.source_users, news.entity_id))
    return False

"""Traces of what is forgotten: records that name it as their source, records of contexts, and jobs
that are not done."""

from collections.abc import Iterable
from dataclasses import dataclass

from shared.domain.forgetting.forgotten import Forgotten
from shared.domain.jobs.job import JobState
from shared.domain.jobs.kinds import MergeProfile, Payload, RecordNote
from shared.domain.messages.stored_message import StoredMessage
from shared.errors import Conflict
from shared.stores.contexts import blanked_context
from shared.stores.derived import Changes, Derived
from shared.stores.firestore import Snapshot
from shared.stores.jobs import JOBS, Jobs
from shared.stores.messages import Messages


@dataclass(frozen=True)
class Provenance:
    derived: Derived
    messages: Messages

    async def named(
        self, group_id: str, kind: str, forgotten: Forgotten, sources: str
    ) -> list[Snapshot]:
        found = [
            *await self.derived.made_of(group_id, kind, sources, forgotten.message_ids),
            *await self.derived.made_of(group_id, kind, "source_users", forgotten.user_ids),
        ]
        return list({snapshot.path: snapshot for snapshot in found}.values())

    async def about(
        self, group_id: str, kind: str, name: str, forgotten: Forgotten
    ) -> list[Snapshot]:
        found = [
            await self.derived.where(group_id, kind, name, user_id)
            for user_id in forgotten.user_ids
        ]
        return [snapshot for some in found for snapshot in some]

    async def said(self, group_id: str, ids: Iterable[str]) -> dict[str, StoredMessage]:
        wanted = list(dict.fromkeys(ids))
        found = await self.messages.get_many(group_id, wanted) if wanted else {}
        return {key: found_message.message for key, found_message in found.items()}


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
        for snapshot in {snapshot.path: snapshot for snapshot in named}.values():
            if snapshot.data.get("user_id") in forgotten.user_ids:
                changes.remove("contexts", snapshot)
            else:
                changes.rewrite("contexts", snapshot, blanked_context(snapshot))
        return changes

    async def open_jobs(self, group_id: str, forgotten: Forgotten, job_id: str) -> None:
        """Notes and news that wait or failed and speak of it; and models' answers kept for a
        repetition, which may quote it. Of a member also the jobs that are done: they name them."""
        states = () if forgotten.user_ids else [state.value for state in NOT_DONE]
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

"""What a group keeps for a time only: events of notes, records of contexts and of jobs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.config import Settings
from shared.domain.group import Group
from shared.stores.expired import Expired
from shared.stores.jobs import Jobs
from shared.stores.vectors import VectorPlan, Vectors, vector_id

PAGES_A_GROUP = 10
"""Of each kind that one group may purge in a call, so that it does not keep others waiting."""
JOBS_A_GROUP = 1000
"""The same, of jobs."""


@dataclass(frozen=True)
class Retention:
    expired: Expired
    vectors: Vectors
    jobs: Jobs
    settings: Settings
    now: Callable[[], datetime]

    async def purge(self, group: Group, own: Settings) -> tuple[int, bool]:
        """How many records went, and whether that were all. Where the database deletes by itself
        what has an end, there is nothing left to do here."""
        gone, is_all = 0, True
        now, group_id = self.now(), group.group_id
        for kind, days in (
            ("events", own.event_retention_days),
            ("contexts", own.context_retention_days),
        ):
            for page in range(PAGES_A_GROUP if days else 0):
                ids = await self.expired.page(group_id, kind, now - timedelta(days=days))
                await self._drop(group_id, kind, ids)
                gone += len(ids)
                if not ids:
                    break
                is_all = is_all and page < PAGES_A_GROUP - 1
        dropped = await self._drop_jobs(group_id, own)
        return gone + dropped, is_all and dropped < JOBS_A_GROUP

    async def _drop_jobs(self, group_id: str, own: Settings) -> int:
        """A job's record has its end from the deployment; only a shorter one is ours to keep."""
        if own.job_retention_days >= self.settings.job_retention_days:
            return 0
        kept = timedelta(days=own.job_retention_days)
        return await self.jobs.drop_ended(group_id, kept, self.now(), JOBS_A_GROUP)

    async def _drop(self, group_id: str, kind: str, ids: Sequence[str]) -> None:
        if kind == "events" and ids:
            # The vectors first: without its record nobody would know of one that was left.
            vectors = [vector_id("event", one) for one in ids]
            await self.vectors.apply(group_id, VectorPlan(deletes=vectors))
        await self.expired.delete(group_id, kind, ids)

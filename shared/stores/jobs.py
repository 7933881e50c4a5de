"""Jobs: durable work, moved only in transactions."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from shared import log
from shared.domain.ids import safe_id
from shared.domain.jobs.job import Job, JobState, KeptReply, expiry
from shared.domain.memories.memory import Verdict
from shared.errors import Broken, Conflict, NotFound
from shared.stores.firestore import (
    Database,
    Snapshot,
    Write,
    collection,
    create,
    delete,
    put,
    server_time,
)
from shared.stores.records import Codec


def job_path(job_id: str) -> str:
    return f"jobs/{safe_id(job_id)}"


JOBS = Codec(Job)
PAGE = 200
"""Read at once, so that many waiting jobs do not come in one answer."""
HAVING_REPLIES = (JobState.PENDING, JobState.RUNNING, JobState.COMMITTED, JobState.FAILED)


def job_fields(job: Job) -> dict[str, Any]:
    return {**JOBS.fields(job), "updated_at": server_time()}


def new_job(job: Job) -> Write:
    """Part of the commit that causes the work; Conflict if the job exists already."""
    return create(job_path(job.job_id), job_fields(job))


KEPT = timedelta(days=30)
"""Of a job that is done: long enough to look up why something was made."""


class Jobs:
    def __init__(self, database: Database, kept: timedelta = KEPT) -> None:
        self._database = database
        self._kept = kept

    async def get(self, job_id: str) -> Job | None:
        found = await self._database.get(job_path(job_id))
        return JOBS.read(found) if found else None

    async def move(self, job_id: str, change: Callable[[Job], Job | None]) -> Job:
        """The job after `change`, which sees it as it is now and may leave it (None)."""

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], Job]:
            if read[0] is None:
                raise NotFound(f"there is no job {job_id}")
            job = JOBS.read(read[0])
            moved = change(job)
            if moved is None:
                return [], job
            fields = job_fields(moved)
            if ends := expiry(moved, self._kept):
                fields["expires_at"] = ends
            return [put(job_path(job_id), fields)], moved

        return await self._database.transact([job_path(job_id)], decide)

    async def ensure(self, job: Job) -> Job:
        """Create it, or return the one that is there: the same cause makes one job."""
        try:
            await self._database.commit([new_job(job)])
        except Conflict:
            known = await self.get(job.job_id)
            if known is None:
                raise
            return known
        return job

    async def keep_reply(self, job_id: str, reply: KeptReply) -> None:
        """Before the commit: a crash after it must not ask the model again."""
        await self.move(job_id, lambda job: replace(job, reply=reply))

    async def keep_while_pending(self, job_id: str, reply: KeptReply) -> Job:
        """A reply that another job's call brought along; whoever runs already needs none."""
        return await self.move(
            job_id,
            lambda job: replace(job, reply=reply) if job.state is JobState.PENDING else None,
        )

    async def blank_replies(self, group_id: str) -> int:
        """Something was forgotten, and a model's answer may quote it: whoever still needs one
        asks again. A job that is done has none; how many had one is told."""
        query = (
            collection("jobs")
            .where("group_id", "==", group_id)
            .where("state", "in", [state.value for state in HAVING_REPLIES])
            .largest_first("created_at")
        )
        blanked = 0
        for start in itertools.count(step=PAGE):
            found = await self._database.find(query.offset(start).limit(PAGE))
            for job in map(JOBS.read, found):
                if job.reply is not None:
                    await self.move(job.job_id, lambda now: replace(now, reply=None))
                    blanked += 1
            if len(found) < PAGE:
                break
        return blanked

    async def drop_ended(self, group_id: str, kept: timedelta, now: datetime, most: int) -> int:
        """Records of jobs that ended and that their group keeps no longer than that, the newest of
        them first: how many went. Receipts of forgetting stay."""
        gone = 0
        for state in (JobState.DONE, JobState.FAILED):
            query = (
                collection("jobs")
                .where("group_id", "==", group_id)
                .where("state", "==", state.value)
                .where("created_at", "<", now - kept)
                .largest_first("created_at")
            )
            passed = 0
            while gone < most:
                jobs = [
                    JOBS.read(snapshot)
                    for snapshot in await self._database.find(query.offset(passed).limit(PAGE))
                ]
                ends = [(job, expiry(job, kept)) for job in jobs]
                old = [job for job, at in ends if at is not None and at <= now][: most - gone]
                if old:
                    await self._database.commit([delete(job_path(job.job_id)) for job in old])
                gone += len(old)
                passed += len(jobs) - len(old)
                if len(jobs) < PAGE:
                    break
        return gone

    async def waiting(self, lease: str, now: datetime, limit: int) -> list[Job]:
        """Those that wait for the lease and are due, the longest first. What failed a moment ago,
        or is put off until a budget allows it, is not."""
        query = (
            collection("jobs")
            .where("lease", "==", lease)
            .where("state", "in", ["pending", "committed"])
            .where("due_at", "<=", now)
            .order_by("due_at")
            .limit(limit)
        )
        return _readable(await self._database.find(query))

    async def newest_of(self, lease: str, limit: int) -> list[Job]:
        """Those under the lease, whatever became of them, the newest first."""
        query = collection("jobs").where("lease", "==", lease)
        return _readable(await self._database.find(query.largest_first("created_at").limit(limit)))

    async def count(self, state: JobState, since: datetime | None) -> int:
        """Those in `state`, made since then if a time is given."""
        query = collection("jobs").where("state", "==", state.value)
        if since is not None:
            query = query.where("created_at", ">=", since).largest_first("created_at")
        return await self._database.count(query)

    async def totals(self, since: datetime) -> dict[str, float]:
        """Of those made since then that are done: their attempts and seconds, how many changes of
        memories their sources bear out, and how many statements had a secret."""
        query = (
            collection("jobs")
            .where("state", "==", JobState.DONE.value)
            .where("created_at", ">=", since)
            .largest_first("created_at")
        )
        told = [*(f"report.judged.{verdict.value}" for verdict in Verdict), "report.masked"]
        work, judged = await asyncio.gather(
            self._database.sums(query, ["attempts", "took_s"]),
            self._database.sums(query, told),
        )
        changes = {
            f"changes_{verdict.value}": judged[f"report.judged.{verdict.value}"]
            for verdict in Verdict
        }
        return {
            "jobs_done": work["count"],
            "job_attempts": work["attempts"],
            "job_seconds": work["took_s"],
            **changes,
            "changes_judged": sum(changes.values()),
            "secrets_masked": judged["report.masked"],
        }

    async def overdue(self, state: JobState, before: datetime, limit: int) -> list[Job]:
        """Jobs in `state` that should have moved since `before`, the longest waiting first."""
        query = (
            collection("jobs")
            .where("state", "==", state.value)
            .where("due_at", "<", before)
            .order_by("due_at")
            .limit(limit)
        )
        return _readable(await self._database.find(query))

    async def listed(
        self, *, state: str | None, group_id: str | None, limit: int, offset: int
    ) -> tuple[int, list[Job]]:
        """Newest first, with how many there are in all."""
        query = collection("jobs")
        if state is not None:
            query = query.where("state", "==", state)
        if group_id is not None:
            query = query.where("group_id", "==", group_id)
        total = await self._database.count(query)
        page = query.largest_first("created_at").offset(offset).limit(limit)
        return total, [JOBS.read(found) for found in await self._database.find(page)]


def _readable(found: Sequence[Snapshot]) -> list[Job]:
    """Without those that this release cannot read: a later one may have written them before it was
    rolled back, and they must not hold up the others."""
    jobs = []
    for snapshot in found:
        try:
            jobs.append(JOBS.read(snapshot))
        except Broken as error:
            log.error("job_unreadable", path=snapshot.path, code=error.code)
    return jobs

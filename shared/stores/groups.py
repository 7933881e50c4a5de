"""Groups: their documents, settings, epochs, and the fenced commit of a plan."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.domain.audience import KnownAudience
from shared.domain.group import BEGINNING, BeingForgotten, Group, new_group
from shared.domain.ids import safe_id
from shared.domain.jobs.job import Job, committed
from shared.domain.jobs.kinds import Report
from shared.errors import EpochMoved, LostLease, NotFound
from shared.stores.firestore import (
    NAME,
    Database,
    DocumentPath,
    Query,
    Snapshot,
    Write,
    collection,
    gone,
    merge,
    plus,
    put,
    server_time,
    update,
)
from shared.stores.jobs import JOBS, job_fields, job_path
from shared.stores.leases import Held
from shared.stores.records import Codec

GROUPS = Codec(Group)
_FORGETTING = Codec(BeingForgotten)


def group_path(group_id: str) -> str:
    return f"groups/{safe_id(group_id)}"


def put_group(group: Group) -> Write:
    return put(group_path(group.group_id), group_fields(group))


def raised_epoch(group_id: str) -> Write:
    """Something is forgotten with this commit: plans made before it are thrown away."""
    return update(group_path(group_id), {"epoch": plus(1), "updated_at": server_time()})


def being_forgotten(group_id: str, job_id: str, asked: BeingForgotten) -> Write:
    """From this commit on readers are shown nothing that was made of it, until `forgotten`."""
    return merge(group_path(group_id), {"forgetting": {job_id: _FORGETTING.fields(asked)}})


def forgotten(group_id: str, job_id: str) -> Write:
    """Nothing that was made of it is left."""
    return merge(group_path(group_id), {"forgetting": {job_id: gone()}})


def group_fields(group: Group) -> dict[str, Any]:
    return {**GROUPS.fields(group), "updated_at": server_time()}


@dataclass(frozen=True)
class FoundGroup:
    """A group with the revision it was read at: a write can insist that it is still the same."""

    group: Group
    revision: datetime


def audience_write(found: FoundGroup, audience: KnownAudience) -> Write:
    """Fails with Conflict if the group moved: another message may have said that it is private."""
    fields = {"audience": audience, "updated_at": server_time()}
    return update(group_path(found.group.group_id), fields, unchanged_since=found.revision)


@dataclass(frozen=True)
class Plan:
    """What a worker decided, made of `group` as it was at `epoch`.

    `change` takes the group as it is now: another pipeline may have moved its own cursor.
    """

    group_id: str
    epoch: int
    writes: Sequence[Write]
    change: Callable[[Group], Group] | None = None
    report: Report | None = None


class Groups:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, group_id: str) -> Group:
        """NotFound if the group is unknown or was deleted."""
        group = await self.find(group_id)
        if group is None or group.is_deleted:
            raise NotFound(f"there is no group {group_id}")
        return group

    async def find(self, group_id: str) -> Group | None:
        """Also a deleted group's tombstone."""
        found = await self._database.get(group_path(group_id))
        return GROUPS.read(found) if found else None

    async def commit(self, plan: Plan, held: Held, job: Job | None = None) -> None:
        """One commit, fenced: nothing is written by a worker that lost its lease, nor by a plan
        made before something was forgotten. The job, if any, moves to `committed` with it."""
        paths = [held.path, group_path(plan.group_id)]
        paths += [job_path(job.job_id)] if job else []

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], None]:
            held.check(read[0])
            if read[1] is None:
                raise EpochMoved
            group = GROUPS.read(read[1])
            if group.is_deleted or group.epoch != plan.epoch:
                raise EpochMoved
            writes = list(plan.writes)
            if plan.change:
                writes.append(put_group(plan.change(group)))
            if job:
                if read[2] is None:
                    raise LostLease("the job is gone")
                moved = committed(JOBS.read(read[2]), plan.report)
                writes.append(put(job_path(job.job_id), job_fields(moved)))
            return writes, None

        await self._database.transact(paths, decide)

    async def change(
        self,
        group_id: str,
        change: Callable[[Group], Group],
        now: datetime,
        also: Sequence[Write] = (),
    ) -> Group:
        """The group after `change`; one that was never seen is made first. A tombstone stays.
        `also` is written with it."""

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], Group]:
            group = GROUPS.read(read[0]) if read[0] else new_group(group_id, now)
            if group.is_deleted:
                raise NotFound(f"there is no group {group_id}")
            group = change(group)
            return [put_group(group), *also], group

        return await self._database.transact([group_path(group_id)], decide)

    async def set_aside(self, group_id: str, now: datetime) -> None:
        """Its attribution fails again and again: marked with since when, once."""

        def decide(read: list[Snapshot | None]) -> tuple[list[Write], None]:
            if read[0] is None or GROUPS.read(read[0]).is_deleted:
                raise NotFound(f"there is no group {group_id}")
            if GROUPS.read(read[0]).stuck_since:
                return [], None
            return [update(group_path(group_id), {"stuck_since": now})], None

        await self._database.transact([group_path(group_id)], decide)

    async def stuck(self, limit: int, after: datetime | None = None) -> list[Group]:
        """Those whose attribution is set aside, the longest first, from behind that time on."""
        query = self._groups().where("stuck_since", ">", after or BEGINNING)
        found = await self._database.find(query.order_by("stuck_since").limit(limit))
        return [GROUPS.read(snapshot) for snapshot in found]

    async def with_news(
        self, after: datetime | None, after_id: str | None, limit: int
    ) -> list[Group]:
        """Groups that said something since their last evolution, the longest due first, from behind
        that one on."""
        query = (
            self._groups().where("evolve_due", "==", True).order_by("evolve_due_at").order_by(NAME)
        )
        if after_id is not None:
            query = query.start_after(after, DocumentPath(group_path(after_id)))
        return [GROUPS.read(found) for found in await self._database.find(query.limit(limit))]

    async def silent(
        self, now: datetime, after: datetime | None, after_id: str | None, limit: int
    ) -> list[Group]:
        """Groups with a memory that nobody has spoken for in a long time, the longest due first."""
        query = self._groups().where("review_at", "<=", now).order_by("review_at").order_by(NAME)
        if after_id is not None:
            query = query.start_after(after, DocumentPath(group_path(after_id)))
        return [GROUPS.read(found) for found in await self._database.find(query.limit(limit))]

    async def longest_unmaintained(self, limit: int, before: datetime) -> list[Group]:
        """Those whose upkeep is due, a page at a time: each call takes up where the last ended."""
        query = (
            self._groups()
            .where("maintained_at", "<", before)
            .order_by("maintained_at")
            .limit(limit)
        )
        return [GROUPS.read(found) for found in await self._database.find(query)]

    async def digest_due(self, now: datetime, limit: int) -> list[Group]:
        """Those whose week is to be told, the longest due first."""
        query = (
            self._groups().where("digest_due_at", "<=", now).order_by("digest_due_at").limit(limit)
        )
        return [GROUPS.read(found) for found in await self._database.find(query)]

    async def is_any_of(self, platform: str) -> bool:
        """Whether something was ever stored of the platform."""
        first, behind = (DocumentPath(group_path(f"{platform}{sign}")) for sign in (":", ";"))
        query = self._groups().where(NAME, ">=", first).where(NAME, "<", behind)
        return bool(await self._database.find(query.order_by(NAME).limit(1)))

    async def by_id(self, after: str, limit: int) -> list[Group]:
        """A page in the order of their ids, from behind `after`; tombstones too."""
        query = self._groups().order_by("group_id").limit(limit)
        if after:
            query = query.start_after(after)
        return [GROUPS.read(found) for found in await self._database.find(query)]

    def _groups(self) -> Query:
        return collection("groups")

"""Which groups are due for an evolution, and a job for each: the fan-out of the schedule; and the
job of a group that is asked for by hand.

A call takes some pages and says where the next begins: a task goes on from there until no group is
due, however many there are. The longest due come first.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.contracts.jobs import evolve_job
from shared.domain.group import DuePage, Group
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import EvolveGroup
from shared.domain.jobs.lease import evolution_of
from shared.wiring import Services

PAGE = 200
PAGES = 10
"""Groups that are read at once, and how many such pages one call takes: some seconds' work."""
LOOKED_AT = 20
"""Evolutions of one group, the newest, among which an open one is looked for."""
AT_ONCE = 20
"""Jobs made side by side: each is a commit and a task."""


@dataclass(frozen=True)
class FannedOut:
    """`total` groups were due; `next_page` is where the next call goes on, if there is more."""

    total: int
    next_page: DuePage | None = None


async def send_due(made: Services, page: DuePage | None = None) -> FannedOut:
    """One job a group and day, whoever calls how often; the sweep heals what was not sent. First
    those that said something new, then those whose memories nobody spoke for in a long time."""
    now = made.now()
    at: DuePage | None = page or DuePage("news")
    sent: set[str] = set()
    for _ in range(PAGES):
        if at is None:
            return FannedOut(len(sent))
        found = await _read(at, now, made)
        due = [one for one in found if _is_due(one, at, now)]
        groups = [one for one in due if not one.is_deleted and one.group_id not in sent]
        for start in range(0, len(groups), AT_ONCE):
            await asyncio.gather(
                *(_send(group.group_id, now, made) for group in groups[start : start + AT_ONCE])
            )
        sent |= {group.group_id for group in groups}
        # What has no time yet comes last of the news; of the silent each page is read to its end.
        at = _after(at, due if at.kind == "news" else found)
    return FannedOut(len(sent), at)


async def wanted_by_hand(group_id: str, days: int | None, made: Services) -> Job:
    """The open job of the same wish, or a new one. It is named after the newest that there is, so
    that calls at one moment, or on and on while the model is away, open one job."""
    now = made.now()
    known = await made.jobs.newest_of(evolution_of(group_id), LOOKED_AT)
    for job in known:
        if job.is_open and job.payload == EvolveGroup(days):
            return job
    last = known[0].job_id if known else ""
    while True:
        cause = f"by hand, {days} days, after {last}"
        job = await made.jobs.ensure(evolve_job(group_id, cause, now, days))
        if job.is_open:
            return job
        # It ended meanwhile, or the clock of whoever made it was behind.
        last = job.job_id


async def _read(page: DuePage, now: datetime, made: Services) -> Sequence[Group]:
    if page.kind == "news":
        return await made.groups.with_news(page.due_at, page.group_id, PAGE)
    return await made.groups.silent(now, page.due_at, page.group_id, PAGE)


def _is_due(group: Group, page: DuePage, now: datetime) -> bool:
    """A few new messages wait for more; they come last. Of a group that talks, silence is looked at
    together with its news: that is a week at most, and no call of its own."""
    if page.kind == "silent":
        return not group.evolve_due
    return group.evolve_due_at is None or group.evolve_due_at <= now


def _after(page: DuePage, found: Sequence[Group]) -> DuePage | None:
    if len(found) == PAGE:
        last = found[-1]
        due_at = last.evolve_due_at if page.kind == "news" else last.review_at
        return DuePage(page.kind, due_at, last.group_id)
    return DuePage("silent") if page.kind == "news" else None


async def _send(group_id: str, now: datetime, made: Services) -> None:
    cause = f"daily {now.date().isoformat()}"
    job = await made.jobs.ensure(evolve_job(group_id, cause, now, by_schedule=True))
    if job.is_open:
        await made.dispatch.job(job)

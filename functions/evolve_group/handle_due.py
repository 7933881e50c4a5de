"""Which groups are due for an evolution, and a job for each: the fan-out of the schedule."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import datetime

from shared.contracts.jobs import evolve_job
from shared.domain.group import Group
from shared.jobs.dispatch import Dispatch
from shared.stores.groups import Groups
from shared.stores.jobs import Jobs

PAGE = 200
PAGES = 25
"""Groups that are read at once, and how many such pages of each kind one call takes."""


@dataclass(frozen=True)
class Deps:
    groups: Groups
    jobs: Jobs
    dispatch: Dispatch
    now: Callable[[], datetime]


async def send_due(deps: Deps) -> int:
    """One job a group and day, whoever calls how often; the sweep heals what was not sent.
    Tells how many groups were due."""
    now = deps.now()
    seen: set[str] = set()
    async for group in _due(now, deps):
        if group.is_deleted or group.group_id in seen:
            continue
        seen.add(group.group_id)
        job = await deps.jobs.ensure(
            evolve_job(group.group_id, f"daily {now.date().isoformat()}", now)
        )
        if job.is_open:
            await deps.dispatch.job(job)
    return len(seen)


async def _due(now: datetime, deps: Deps) -> AsyncIterator[Group]:
    """Those that said something new, then those whose memories nobody spoke for in a long time."""
    for read in (deps.groups.with_news, lambda *page: deps.groups.silent(now, *page)):
        last: Group | None = None
        for _ in range(PAGES):
            found = await read(last, PAGE)
            for group in found:
                yield group
            if len(found) < PAGE:
                break
            last = found[-1]

"""Evolution and upkeep: by hand, as tasks, on schedule."""

from typing import Annotated

from fastapi import Query
from fastapi.responses import JSONResponse

from shared import log
from shared.contracts.api import GroupId
from shared.contracts.job_answers import JobRunning, accepted
from shared.contracts.memories import (
    DueGroups,
    EvolutionAnswer,
    GroupsDue,
    UpkeepAnswer,
    UpkeepPage,
    made_change,
)
from shared.domain.jobs.kinds import EvolutionReport
from shared.errors import JobFailed
from shared.jobs.worker import Outcome
from shared.runtime.route_access import TheCaller
from shared.wiring import services
from shared.wiring.tasks import Handler, task_routes


def _handler(_: str) -> Handler:
    from functions.evolve_group import handle_evolve

    return handle_evolve.run


router = task_routes("evolve_group", _handler)


@router.post(
    "/memory/evolve/{group_id}",
    response_model=EvolutionAnswer,
    response_model_exclude_none=True,
    responses={202: {"model": JobRunning}},
)
async def evolve_now(
    group_id: GroupId,
    caller: TheCaller,
    days: Annotated[int | None, Query(ge=1, le=365)] = None,
) -> EvolutionAnswer | JSONResponse:
    """Fuse old memories and new discussion. 202 while another run holds the group, or when there
    is more than one model call's worth of news."""
    from functions.evolve_group import handle_due

    caller.require("manage", group_id)
    log.bind(group_id=group_id)
    made = services()
    await made.groups.get(group_id)
    job = await handle_due.wanted_by_hand(group_id, days, made)
    ran = await made.worker.run(job.job_id, lambda work: _handler("evolve")(work, made))
    if ran.outcome is Outcome.FAILED:
        raise JobFailed(ran.error, job_id=job.job_id)
    report = ran.report
    if not isinstance(report, EvolutionReport) or report.next_job:
        return accepted(job.job_id, ran.error)
    changes = await made.memories.changes_of_run(group_id, job.job_id)
    return EvolutionAnswer(
        group_id=group_id,
        job_id=job.job_id,
        evolution_time=report.evolution_time,
        stats=report.stats,
        candidates=report.candidates,
        message=report.message,
        cost=report.cost,
        changes=[made_change(change) for change in changes] if caller.may_read else [],
    )


@router.post("/cron/evolve")
async def evolve_due_groups(page: GroupsDue | None = None) -> DueGroups:
    """A job for each group that said something new, or that has been silent for long: some pages a
    call, and a task that goes on from there."""
    from functions.evolve_group import handle_due

    made = services()
    found = await handle_due.send_due(made, page.page() if page else None)
    if found.next_page is not None:
        day = made.now().date().isoformat()
        await made.dispatch.next_page(
            "evolve",
            "/cron/evolve",
            f"fan-out {day} {found.next_page.name}",
            GroupsDue.after(found.next_page).model_dump(mode="json"),
        )
    return DueGroups(total=found.total)


@router.post("/cron/maintain")
async def maintain(page: UpkeepPage | None = None) -> UpkeepAnswer:
    """Upkeep of the groups that have waited longest for it: a page a call, and a task for the next
    one until none is due."""
    from functions.evolve_group import handle_maintain

    made = services()
    done = await handle_maintain.maintain(handle_maintain.deps_for(made))
    if done.is_more and done.failed < done.groups:
        number = page.number + 1 if page else 1
        run = (page and page.run) or made.now().strftime("%Y-%m-%dT%H")
        await made.dispatch.next_page(
            "evolve",
            "/cron/maintain",
            f"upkeep {run} {number}",
            UpkeepPage(run=run, number=number).model_dump(),
        )
    return UpkeepAnswer.from_record(done)

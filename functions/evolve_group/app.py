"""The routes of evolve_group: runs, the memory API, and upkeep."""

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from shared import log
from shared.config import problems, settings
from shared.contracts.api import AskedTime, GroupId, Id, Limit, Offset
from shared.contracts.job_answers import JobRunning, TaskOutcome, accepted
from shared.contracts.jobs import evolve_job
from shared.contracts.memories import (
    ChangeList,
    ConflictAnswer,
    ConflictList,
    DueGroups,
    EvolutionAnswer,
    GroupsDue,
    MemoryAnswer,
    MemoryErasure,
    MemoryForgotten,
    MemoryHistory,
    MemoryHits,
    MemoryList,
    MemoryQuestion,
    MemoryQuestionBody,
    MemoryStats,
    NewMemory,
    NewStrength,
    NewVersion,
    SettledConflict,
    ShownConflict,
    ShownHit,
    ShownMemory,
    UpkeepAnswer,
    UpkeepPage,
    made_change,
    memory_stats,
    shown_change,
    shown_history,
)
from shared.contracts.queues import queues
from shared.contracts.tasks import JobTask
from shared.contracts.topics import ShownCost
from shared.domain.jobs.job import Job
from shared.domain.jobs.kinds import EvolutionReport, EvolveGroup
from shared.domain.memories.conflict import ConflictStatus
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.errors import JobFailed, NotFound
from shared.jobs.worker import Outcome, Ran
from shared.runtime.app import create_app
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import find_key, services

if TYPE_CHECKING:
    from functions.evolve_group.handle_memory import Deps as ByHand

router = APIRouter()

MAX_LISTED = 1000
"""Of what is counted or shown without pages: years of a lively group."""


async def _evolve(job_id: str, group_id: str) -> Ran:
    """The handler is imported here: only a run pays for it, not every cold start."""
    from functions.evolve_group import handle_evolve

    made = services()
    deps = handle_evolve.deps_for(await made.groups.find(group_id), made)
    return await made.worker.run(job_id, lambda work: handle_evolve.evolve(work, deps))


async def _by_hand(group_id: str) -> "ByHand":
    from functions.evolve_group import handle_memory

    made = services()
    return handle_memory.deps_for(await made.groups.find(group_id), made)


async def _seen(memory_id: str, caller: Caller) -> Memory:
    """Somebody else's memory is as unknown as one that does not exist."""
    memory = await services().memories.find(memory_id)
    if not caller.may_see(memory.group_id):
        raise NotFound(f"there is no memory {memory_id}")
    log.bind(group_id=memory.group_id)
    return memory


def _answer(memory: Memory, caller: Caller) -> MemoryAnswer:
    """Who may change a memory need not be who may read it."""
    shown = ShownMemory.of(memory)
    return MemoryAnswer(memory=shown if caller.may_read else shown.without_text())


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
    caller.require("manage", group_id)
    log.bind(group_id=group_id)
    made = services()
    await made.groups.get(group_id)
    now = made.now()
    job = await made.jobs.ensure(evolve_job(group_id, f"by hand at {now.isoformat()}", now, days))
    ran = await _evolve(job.job_id, group_id)
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
        cost=ShownCost.of(report.cost),
        changes=[made_change(one) for one in changes] if caller.may_read else [],
    )


@router.get("/memory/list/{group_id}")
async def list_memories(
    group_id: GroupId,
    caller: TheCaller,
    status: Literal[
        "active", "core", "candidate", "superseded", "deprecated", "archived", "all"
    ] = "active",
    as_of: AskedTime | None = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> MemoryList:
    """The newest first; `core` are the active ones that are always offered; with `as_of`, what was
    active then."""
    caller.require("read", group_id)
    memories = services().memories
    if as_of is not None:
        held = await memories.active_at(group_id, as_of, MAX_LISTED)
        total, page = len(held), held[offset : offset + limit]
    elif status == "core":
        core = [one for one in await memories.active(group_id, MAX_LISTED) if one.core]
        total, page = len(core), core[offset : offset + limit]
    else:
        wanted = None if status == "all" else status
        total, page = await memories.listed(group_id, status=wanted, limit=limit, offset=offset)
    shown = [ShownMemory.of(one) for one in page]
    return MemoryList(group_id=group_id, total=total, memories=shown)


@router.get("/memory/search/{group_id}")
async def search_memories(
    group_id: GroupId, caller: TheCaller, asked: Annotated[MemoryQuestion, Query()]
) -> MemoryHits:
    """By words and meaning; the best first, each with the chance that it answers. A threshold
    only if one is asked for."""
    caller.require("read", group_id)
    search = services().memory_search
    hits = await search.find(
        group_id, asked.q, limit=asked.limit, threshold=asked.threshold, as_of=asked.as_of
    )
    results = [
        ShownHit(**ShownMemory.of(hit.memory).model_dump(), score=told, confidence=told)
        for hit in hits
        for told in (round(hit.confidence, 4),)
    ]
    return MemoryHits(query=asked.q, results=results)


@router.post("/memory/search/{group_id}")
async def search_memories_by_body(
    group_id: GroupId, caller: TheCaller, asked: MemoryQuestionBody
) -> MemoryHits:
    """The same; the question stands in no access log."""
    return await search_memories(group_id, caller, asked)


@router.get("/memory/history/{memory_id}")
async def history(memory_id: str, caller: TheCaller) -> MemoryHistory:
    """Every version, the first one first, from any version's id; each with what changed."""
    caller.require("read")
    memory = await _seen(memory_id, caller)
    versions = [one.memory for one in await services().memories.history(memory)]
    return shown_history(memory_id, versions)


@router.get("/memory/changes/{group_id}")
async def list_changes(
    group_id: GroupId, caller: TheCaller, days: Annotated[int, Query(ge=1, le=3650)] = 7
) -> ChangeList:
    """The newest first."""
    caller.require("read", group_id)
    now = services().now()
    since = now - timedelta(days=days)
    changes = await services().memories.changes(group_id, since, MAX_LISTED)
    return ChangeList(
        group_id=group_id,
        period=f"{since.date()} to {now.date()}",
        changes=[shown_change(one) for one in changes],
    )


@router.get("/memory/stats/{group_id}")
async def stats(group_id: GroupId, caller: TheCaller) -> MemoryStats:
    """How many memories there are, of which kind, and what the last week changed."""
    caller.require("read", group_id)
    made = services()
    total, jobs = await made.jobs.listed(state=None, group_id=group_id, limit=100, offset=0)
    return memory_stats(
        group_id,
        counts={one.value: await made.memories.count(group_id, one) for one in MemoryStatus},
        active=await made.memories.active(group_id, MAX_LISTED),
        week=await made.memories.changes(group_id, made.now() - timedelta(days=7), MAX_LISTED),
        runs=[one for one in jobs if isinstance(one.payload, EvolveGroup)],
        jobs=total,
    )


@router.get("/memory/conflicts/{group_id}")
async def list_conflicts(
    group_id: GroupId,
    caller: TheCaller,
    status: Literal["open", "settled", "all"] = "open",
    limit: Limit = 20,
    offset: Offset = 0,
) -> ConflictList:
    """What was said against memories, too uncertainly to replace them; the newest first."""
    caller.require("read", group_id)
    wanted = None if status == "all" else ConflictStatus(status)
    total, found = await services().conflicts.listed(group_id, wanted, limit, offset)
    shown = [ShownConflict.of(one) for one in found]
    return ConflictList(group_id=group_id, total=total, conflicts=shown)


@router.post("/memory/conflicts/{group_id}/{conflict_id}")
async def settle_conflict(
    group_id: GroupId, conflict_id: Id, asked: SettledConflict, caller: TheCaller
) -> ConflictAnswer:
    """The memory stays, or the newest claim becomes its next version."""
    from functions.evolve_group import handle_conflicts

    caller.require("manage", group_id)
    caller.require("read", group_id)
    deps = services().deps(handle_conflicts.Deps, by_hand=await _by_hand(group_id))
    done = await handle_conflicts.settle(group_id, conflict_id, asked, deps)
    return ConflictAnswer(conflict=ShownConflict.of(done))


@router.post("/memory/{group_id}", status_code=201)
async def add_memory(group_id: GroupId, asked: NewMemory, caller: TheCaller) -> MemoryAnswer:
    """Add one by hand; Conflict if the group has a memory in these words already."""
    from functions.evolve_group import handle_memory

    caller.require("manage", group_id)
    memory = await handle_memory.add(group_id, asked, await _by_hand(group_id))
    return _answer(memory, caller)


@router.put("/memory/{memory_id}")
async def change_memory(memory_id: str, asked: NewVersion, caller: TheCaller) -> MemoryAnswer:
    """A new version by hand."""
    from functions.evolve_group import handle_memory

    caller.require("manage")
    memory = await _seen(memory_id, caller)
    changed = await handle_memory.change(memory, asked, await _by_hand(memory.group_id))
    return _answer(changed, caller)


@router.delete("/memory/{memory_id}")
async def delete_memory(
    memory_id: str, caller: TheCaller, forget: bool = False
) -> MemoryAnswer | MemoryForgotten:
    """Deprecates, and can be undone; with `forget=true` every version and its words
    are erased, with a receipt at the historian's `/forgets/{forget_id}`."""
    from functions.evolve_group import handle_memory

    caller.require("manage")
    memory = await _seen(memory_id, caller)
    by_hand = await _by_hand(memory.group_id)
    if forget:
        job = await handle_memory.forget(memory, by_hand)
        gone = MemoryErasure(versions=job.removed.get("memories", 0), records=_records(job))
        return MemoryForgotten(memory_id=memory_id, forget_id=job.job_id, forgotten=gone)
    return _answer(await handle_memory.remove(memory, by_hand), caller)


def _records(job: Job) -> int:
    return sum(count for kind, count in job.removed.items() if kind != "vectors")


@router.put("/memory/{memory_id}/restore")
async def restore_memory(memory_id: str, caller: TheCaller) -> MemoryAnswer:
    """What was last true, as a new version on top of the history."""
    from functions.evolve_group import handle_memory

    caller.require("manage")
    memory = await _seen(memory_id, caller)
    restored = await handle_memory.restore(memory, await _by_hand(memory.group_id))
    return _answer(restored, caller)


@router.put("/memory/{memory_id}/strength")
async def weigh_memory(memory_id: str, asked: NewStrength, caller: TheCaller) -> MemoryAnswer:
    """Its weight, in place: that makes no version."""
    from functions.evolve_group import handle_memory

    caller.require("manage")
    memory = await _seen(memory_id, caller)
    weighed = await handle_memory.weigh(memory, asked.strength, await _by_hand(memory.group_id))
    return _answer(weighed, caller)


@router.post("/tasks/evolve")
async def evolve(task: JobTask) -> TaskOutcome:
    """One page of a group's news becomes memories."""
    log.bind(job_id=task.job_id)
    job = await services().jobs.get(task.job_id)
    if job is None:
        return TaskOutcome(outcome="nothing")
    ran = await _evolve(task.job_id, job.group_id)
    return TaskOutcome(outcome=ran.outcome.value)


@router.post("/cron/evolve")
async def evolve_due_groups(page: GroupsDue | None = None) -> DueGroups:
    """A job for each group that said something new, or that has been silent for long: some pages a
    call, and a task that goes on from there."""
    from functions.evolve_group import handle_due

    made = services()
    found = await handle_due.send_due(
        made.deps(handle_due.Deps), page.page() if page is not None else None
    )
    if found.next_page is not None:
        day = made.now().date().isoformat()
        await made.dispatch.next_page(
            "evolve",
            "/cron/evolve",
            f"fan-out {day} {found.next_page.name}",
            GroupsDue.of(found.next_page).model_dump(mode="json"),
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
        number = page.number + 1 if page is not None else 1
        hour = made.now().strftime("%Y-%m-%dT%H")
        run = page.run if page is not None else hour
        await made.dispatch.next_page(
            "evolve",
            "/cron/maintain",
            f"upkeep {run} {number}",
            UpkeepPage(run=run, number=number).model_dump(),
        )
    return UpkeepAnswer.of(done)


app = create_app(
    "evolve_group",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["evolve"].function_timeout_s,
)

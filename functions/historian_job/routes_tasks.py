"""What Cloud Tasks calls: one job each."""

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import APIRouter

from functions.historian_job import handle_forget
from shared import log
from shared.contracts.job_answers import TaskOutcome
from shared.contracts.queues import queues
from shared.contracts.tasks import JobTask
from shared.wiring import services

router = APIRouter()


async def _outcome(task: JobTask, work: Callable[[Any], Awaitable[Any]]) -> TaskOutcome:
    log.bind(job_id=task.job_id)
    return TaskOutcome(outcome=(await services().worker.run(task.job_id, work)).outcome.value)


@router.post("/tasks/historian")
async def historian(task: JobTask) -> TaskOutcome:
    """Makes an event of an end-of-turn note."""
    from functions.historian_job import handle_note

    made = services()
    deps = made.deps(handle_note.Deps, model_budget_s=queues()["historian"].model_budget_s)
    return await _outcome(task, lambda work: handle_note.record_note(work, deps))


@router.post("/tasks/profile")
async def profile(task: JobTask) -> TaskOutcome:
    """Merges something new into a profile."""
    from functions.historian_job import handle_merge

    made = services()
    deps = made.deps(handle_merge.Deps, model_budget_s=queues()["historian"].model_budget_s)
    return await _outcome(task, lambda work: handle_merge.merge_profile(work, deps))


@router.post("/tasks/extract")
async def extract(task: JobTask) -> TaskOutcome:
    """Reads facts, entities and relations out of a batch of rounds."""
    from functions.historian_job import extraction_batch, handle_extract

    made = services()
    job = await made.jobs.get(task.job_id)
    group = await made.groups.find(job.group_id) if job else None
    deps = extraction_batch.deps_for(group, made)
    return await _outcome(task, lambda work: handle_extract.extract(work, deps))


@router.post("/tasks/move")
async def move(task: JobTask) -> TaskOutcome:
    """Brings what a group said and learnt to the id that the platform calls it by now."""
    from functions.historian_job import handle_move, handle_transfer

    made = services()
    deps = handle_move.Deps(made.deps(handle_transfer.Deps), made.deps(handle_forget.Deps))
    return await _outcome(task, lambda work: handle_move.move(work, deps))


@router.post("/tasks/forget")
async def forget(task: JobTask) -> TaskOutcome:
    """Removes what came of a message that is blank already."""
    made = services()
    deps = made.deps(handle_forget.Deps)
    return await _outcome(task, lambda work: handle_forget.forget(work, deps))

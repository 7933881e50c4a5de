"""The route that the task queue calls: one job, done by the handler of its kind."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter

from shared import log
from shared.contracts.job_answers import JobTask, TaskOutcome
from shared.contracts.jobs import kinds_of
from shared.domain.jobs.kinds import Report
from shared.errors import NotFound
from shared.jobs.worker import JobInHand
from shared.wiring import Services, services

Handler = Callable[[JobInHand, Services], Awaitable[Report]]


def task_routes(function: str, handler_of: Callable[[str], Handler]) -> APIRouter:
    """`handler_of` imports the handler of a kind: only a run pays for it, not every cold start."""
    router = APIRouter()

    @router.post("/tasks/{kind}")
    async def run(kind: str, task: JobTask) -> TaskOutcome:
        """Does one job of this kind."""
        if kind not in kinds_of(function):
            raise NotFound(f"{function} does no jobs of the kind {kind}")
        log.bind(job_id=task.job_id)
        made, handler = services(), handler_of(kind)
        ran = await made.worker.run(task.job_id, lambda work: handler(work, made))
        return TaskOutcome(outcome=ran.outcome.value)

    return router

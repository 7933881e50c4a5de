"""Summaries and digests as tasks, and the closing of topics."""

from fastapi import APIRouter

from shared import log
from shared.contracts.job_answers import TaskOutcome
from shared.contracts.tasks import JobTask
from shared.contracts.topics import (
    ClosingAnswer,
    ClosingPage,
)
from shared.wiring import services

router = APIRouter()


@router.post("/tasks/summarize")
async def summarize(task: JobTask) -> TaskOutcome:
    """The next version of a topic's summary."""
    from functions.summarize_topic import handle_summarize

    log.bind(job_id=task.job_id)
    ran = await handle_summarize.run(task.job_id, services())
    return TaskOutcome(outcome=ran.outcome.value)


@router.post("/tasks/digest")
async def tell_week(task: JobTask) -> TaskOutcome:
    """The digest of a week that is over."""
    from functions.summarize_topic import handle_digest

    log.bind(job_id=task.job_id)
    made = services()
    deps = made.deps(handle_digest.Deps)
    ran = await made.worker.run(task.job_id, lambda work: handle_digest.tell_week(work, deps))
    return TaskOutcome(outcome=ran.outcome.value)


@router.post("/cron/topics")
async def close_idle_topics(page: ClosingPage | None = None) -> ClosingAnswer:
    """Topics nobody has spoken in for a while are closed and summarized, old ones archived, weeks
    that are over told: a page a call, and a task for the next one until none is due."""
    from functions.summarize_topic import handle_close, handle_digest

    made = services()
    done = await handle_close.close_idle(made.deps(handle_close.Deps))
    digests = await handle_digest.send_due(made.deps(handle_digest.Deps))
    is_more = done.is_more and bool(done.total or done.archived or done.summaries)
    if is_more or digests.is_more:
        number = page.number + 1 if page else 1
        run = (page and page.run) or made.now().isoformat(timespec="minutes")
        await made.dispatch.next_page(
            "summarize",
            "/cron/topics",
            f"closing {run} {number}",
            ClosingPage(run=run, number=number).model_dump(),
        )
    return ClosingAnswer(
        total=done.total,
        archived=done.archived,
        summaries=done.summaries,
        digests=digests.total,
        is_more=done.is_more or digests.is_more,
    )

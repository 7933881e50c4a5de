"""Summaries and digests as tasks, and the closing of topics."""

from shared.contracts.topics import (
    ClosingAnswer,
    ClosingPage,
)
from shared.wiring import services
from shared.wiring.tasks import Handler, task_routes


def _handler(kind: str) -> Handler:
    if kind == "summarize":
        from functions.summarize_topic import handle_summarize

        return handle_summarize.run
    from functions.summarize_topic import handle_digest

    return handle_digest.run


router = task_routes("summarize_topic", _handler)


@router.post("/cron/topics")
async def close_idle_topics(page: ClosingPage | None = None) -> ClosingAnswer:
    """Topics nobody has spoken in for a while are closed and summarized, old ones archived, weeks
    that are over told: a page a call, and a task for the next one until none is due."""
    from functions.summarize_topic import handle_close, handle_digest

    made = services()
    done = await handle_close.close_idle(made)
    digests = await handle_digest.send_due(made)
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

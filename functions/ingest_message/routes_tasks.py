"""Topics of what was said, and the sweep."""

import functools
from datetime import timedelta
from typing import TYPE_CHECKING

from fastapi import APIRouter

from shared import log
from shared.config import settings
from shared.contracts.ingest_answers import (
    AttributionAnswer,
    SweepAnswer,
)
from shared.contracts.job_answers import AttributeTask
from shared.contracts.queues import queues
from shared.wiring import services

if TYPE_CHECKING:
    from functions.ingest_message.indexing import Indexing

router = APIRouter()


@router.post("/tasks/import", description="The same for imported history, at its own pace.")
@router.post("/tasks/attribute")
async def attribute(task: AttributeTask) -> AttributionAnswer:
    """The topics of what was just said."""
    from functions.ingest_message import handle_attribute

    log.bind(group_id=task.group_id)
    made = services()
    deps = made.deps(
        handle_attribute.AttributionDeps,
        indexing=_indexing(),
        model_budget_s=queues()["attribute"].model_budget_s,
        tables=None,
    )
    return AttributionAnswer.from_record(await handle_attribute.attribute(task.group_id, deps))


@functools.cache
def _indexing() -> "Indexing":
    """One a process: it remembers that an index is away."""
    from functions.ingest_message.indexing import Indexing

    made = services()
    return Indexing(made.vectors, made.word_index)


@router.post("/cron/sweep")
async def sweep() -> SweepAnswer:
    """Sends again what was not sent, and takes back what its runner left."""
    from functions.ingest_message import handle_sweep

    grace = timedelta(seconds=settings().sweep_after_seconds)
    done = await handle_sweep.sweep(services(), grace)
    log.info(
        "swept",
        groups_woken=done.groups_woken,
        jobs_taken_back=done.jobs_taken_back,
        jobs_sent_again=done.jobs_sent_again,
        leases_handed_on=done.leases_handed_on,
    )
    return SweepAnswer.from_record(done)

"""Contexts to look at, what replies used of them, and the groups that a key may see."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse

from shared import log
from shared.contracts.api import GroupId, Limit, Offset
from shared.contracts.context_records import (
    ContextDetail,
    ContextList,
    ExportedContext,
    Feedback,
    FeedbackAnswer,
    GroupList,
)
from shared.contracts.tuning import TuneAnswer, TuneRequest
from shared.domain.context.record import ContextRecord
from shared.errors import NotFound
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.get("/contexts")
async def list_contexts(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    limit: Limit = 20,
    offset: Offset = 0,
) -> ContextList:
    """What was built for the group, the newest first."""
    from functions.build_context import handle_context_records

    caller.require("read", group_id)
    return await handle_context_records.list_contexts(group_id, limit, offset, services().contexts)


@router.get(
    "/contexts/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {}}, "model": ExportedContext}},
)
async def export_contexts(
    caller: TheCaller, group_id: Annotated[GroupId, Query()]
) -> StreamingResponse:
    """Labelled contexts, a JSON object a line: what weights are tuned from."""
    from functions.build_context import handle_context_records

    caller.require("read", group_id)
    lines = handle_context_records.exported(group_id, services().contexts)
    return StreamingResponse(lines, media_type="application/x-ndjson")


@router.get("/contexts/{context_id}")
async def look_at_context(context_id: str, caller: TheCaller) -> ContextDetail:
    """What was offered, what was left out and why, and what the reply used."""
    from functions.build_context import handle_context_records

    caller.require("read")
    record = await _seen(context_id, caller)
    return await handle_context_records.look_at(record, services())


@router.post("/context/{context_id}/feedback")
async def take_feedback(context_id: str, said: Feedback, caller: TheCaller) -> FeedbackAnswer:
    """What the bot said and used of a context, once: used memories grow stronger, others fade."""
    from functions.build_context import handle_feedback

    caller.require("ingest")
    record = await _seen(context_id, caller)
    return await handle_feedback.take_feedback(record, said, services())


async def _seen(context_id: str, caller: Caller) -> ContextRecord:
    """Somebody else's context is as unknown as one that does not exist."""
    record = await services().contexts.find(context_id)
    if not caller.may_see(record.group_id):
        raise NotFound(f"there is no context {context_id}")
    log.bind(group_id=record.group_id)
    return record


@router.post("/groups/{group_id}/tune")
async def tune_group(group_id: GroupId, asked: TuneRequest, caller: TheCaller) -> TuneAnswer:
    """The group's own weights, fitted to what its replies used; taken, if `apply`, only where
    contexts that were held back say that they are better."""
    from functions.build_context import handle_tuning

    caller.require("manage" if asked.apply else "read", group_id)
    log.bind(group_id=group_id)
    return await handle_tuning.tune(group_id, asked, services())


@router.get("/groups")
async def list_groups(
    caller: TheCaller,
    limit: Limit = 50,
    cursor: Annotated[str, Query(max_length=600)] = "",
    stuck: Annotated[bool, Query()] = False,
) -> GroupList:
    """The groups that this key may see, by their ids; with `stuck` only those whose messages get no
    topics though it was tried again and again."""
    from functions.build_context import handle_groups

    caller.require("read")
    if stuck:
        return await handle_groups.list_stuck(caller, limit, services().groups)
    return await handle_groups.list_groups(caller, limit, cursor, services().groups)

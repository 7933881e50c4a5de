"""The routes of build_context: contexts, and the tools of a model."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import PlainTextResponse, StreamingResponse

from functions.build_context.deps import Deps
from functions.build_context.handle_context import build_context
from shared import log
from shared.config import problems, settings
from shared.contracts.api import GroupId, Id, Limit, Offset
from shared.contracts.context import ContextAnswer, ContextRequest
from shared.contracts.looking import (
    ContextDetail,
    ContextList,
    ExportedContext,
    Feedback,
    FeedbackAnswer,
    GroupList,
)
from shared.contracts.metrics import AlertsAnswer, MetricsAnswer
from shared.contracts.tool_calls import McpReply, ToolAnswer, ToolCall, ToolList
from shared.contracts.tuning import TuneAnswer, TuneRequest
from shared.domain.context.record import ContextRecord
from shared.errors import NotFound
from shared.runtime.app import create_app
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import Services, find_key, services

router = APIRouter()

Window = Annotated[int, Query(ge=60, le=30 * 86_400)]
ALERT_WINDOW_S = 3600
"""Of the schedule: as `GET /alerts` without a window."""
HostGroup = Annotated[GroupId | None, Header(alias="X-Annals-Group")]
HostUser = Annotated[Id | None, Header(alias="X-Annals-User")]
HostRequest = Annotated[Id | None, Header(alias="X-Annals-Request")]
"""The host says which group a tool call is of, who speaks and which turn it is."""


@router.post("/context")
async def context(request: ContextRequest, caller: TheCaller) -> ContextAnswer:
    """What the bot should know before it replies."""
    caller.require("read", request.group_id)
    log.bind(group_id=request.group_id)
    deps = context_deps(services())
    return await build_context(request, deps)


@router.get("/contexts")
async def list_contexts(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    limit: Limit = 20,
    offset: Offset = 0,
) -> ContextList:
    """What was built for the group, the newest first."""
    from functions.build_context import handle_looking

    caller.require("read", group_id)
    return await handle_looking.list_contexts(group_id, limit, offset, services().contexts)


@router.get(
    "/contexts/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {}}, "model": ExportedContext}},
)
async def export_contexts(
    caller: TheCaller, group_id: Annotated[GroupId, Query()]
) -> StreamingResponse:
    """Labelled contexts, a JSON object a line: what weights are tuned from."""
    from functions.build_context import handle_looking

    caller.require("read", group_id)
    lines = handle_looking.exported(group_id, services().contexts)
    return StreamingResponse(lines, media_type="application/x-ndjson")


@router.get("/contexts/{context_id}")
async def look_at_context(context_id: str, caller: TheCaller) -> ContextDetail:
    """What was offered, what was left out and why, and what the reply used."""
    from functions.build_context import handle_looking

    caller.require("read")
    record = await _seen(context_id, caller)
    return await handle_looking.look_at(record, services().deps(handle_looking.Deps))


@router.post("/context/{context_id}/feedback")
async def take_feedback(context_id: str, said: Feedback, caller: TheCaller) -> FeedbackAnswer:
    """What the bot said and used of a context, once: used memories grow stronger, others fade."""
    from functions.build_context import handle_feedback

    caller.require("ingest")
    record = await _seen(context_id, caller)
    return await handle_feedback.take_feedback(record, said, services().deps(handle_feedback.Deps))


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
    return await handle_tuning.tune(group_id, asked, services().deps(handle_tuning.Deps))


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


@router.get(
    "/metrics",
    response_model=MetricsAnswer,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def show_metrics(
    caller: TheCaller,
    window_seconds: Window = 3600,
    accept: Annotated[str, Header(max_length=500)] = "",
) -> MetricsAnswer | PlainTextResponse:
    """How well contexts and jobs do, over all groups; Prometheus text if that is accepted."""
    from functions.build_context import handle_metrics
    from shared.domain.metrics.catalogue import prometheus

    caller.require_everywhere("read")
    told = await handle_metrics.metrics(window_seconds, services().deps(handle_metrics.Deps))
    if "text/plain" in accept or "openmetrics" in accept:
        return PlainTextResponse(prometheus(told.metrics, window_seconds, told.variants))
    return told


@router.get("/alerts")
async def show_alerts(caller: TheCaller, window_seconds: Window = 3600) -> AlertsAnswer:
    """What is wrong now, each with its limit; those that fire first."""
    from functions.build_context import handle_metrics

    caller.require_everywhere("read")
    return await handle_metrics.alerts(window_seconds, services().deps(handle_metrics.Deps))


@router.post("/cron/alerts")
async def tell_alerts() -> AlertsAnswer:
    """Logs a line for each alert that fires and one with all metrics, for the cloud's own."""
    from functions.build_context import handle_metrics

    deps = services().deps(handle_metrics.Deps)
    return await handle_metrics.tell_alerts(ALERT_WINDOW_S, deps)


@router.get("/tools")
async def list_tools(caller: TheCaller, aliases: bool = False) -> ToolList:
    """The tools that this key may call, as a chat completion takes them; with `aliases` under
    their older names too."""
    from functions.build_context.handle_tools import listed

    return listed(caller.scopes, with_aliases=aliases)


@router.post("/tools/{name}")
async def call_tool(
    name: str, call: ToolCall, caller: TheCaller, in_header: HostGroup = None
) -> ToolAnswer:
    """One call that a model made, in the group that the host names."""
    from functions.build_context.handle_tools import answered, bound_group

    group_id = bound_group(in_header, call.group_id)
    caller.require_group(group_id)
    log.bind(group_id=group_id)
    return await answered(name, call, group_id, caller, services())


@router.post("/mcp", response_model=McpReply)
async def mcp(
    caller: TheCaller,
    in_header: HostGroup = None,
    user_id: HostUser = None,
    request_id: HostRequest = None,
) -> Response:
    """The same tools over the Model Context Protocol, without a session."""
    from functions.build_context.handle_tools import bound_group

    group_id = bound_group(in_header, None)
    caller.require_group(group_id)
    log.bind(group_id=group_id)
    from functions.build_context.mcp_door import McpAnswer

    call = ToolCall(user_id=user_id, request_id=request_id)
    return McpAnswer(group_id, call, caller, services())


def context_deps(made: Services) -> Deps:
    """What the handler needs of a process's services."""
    return made.deps(
        Deps,
        talk=made.message_search,
        events=made.event_search,
        profiles=made.known_profiles,
        summaries=made.summary_search,
        graph=made.graph_search,
    )


app = create_app(
    "build_context",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=30,
)

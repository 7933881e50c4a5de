"""The routes of build_context."""

from fastapi import APIRouter

from functions.build_context.deps import Deps
from functions.build_context.handle_context import build_context
from shared import log
from shared.config import problems, settings
from shared.contracts.context import ContextAnswer, ContextRequest
from shared.runtime.app import create_app
from shared.runtime.route_access import TheCaller
from shared.wiring import Services, find_key, services

router = APIRouter()


@router.post("/context")
async def context(request: ContextRequest, caller: TheCaller) -> ContextAnswer:
    """What the bot should know before it replies."""
    caller.require("read", request.group_id)
    log.bind(group_id=request.group_id)
    deps = context_deps(services())
    return await build_context(request, deps)


def context_deps(made: Services) -> Deps:
    """What the handler needs of a process's services."""
    return made.deps(
        Deps,
        talk=made.message_search,
        events=made.event_search,
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

"""The context of a reply: alone, as a bot waits for the first one after a cold start."""

from fastapi import APIRouter

from functions.build_context.deps import context_deps
from functions.build_context.handle_context import build_context
from shared import log
from shared.contracts.context import ContextAnswer, ContextRequest
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.post("/context")
async def context(request: ContextRequest, caller: TheCaller) -> ContextAnswer:
    """What the bot should know before it replies."""
    caller.require("read", request.group_id)
    log.bind(group_id=request.group_id)
    deps = context_deps(services())
    return await build_context(request, deps)

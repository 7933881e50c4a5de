"""The routes of build_context."""

from fastapi import APIRouter

from functions.build_context import handle_context
from shared.config import problems, settings
from shared.contracts.context import ContextAnswer, ContextRequest
from shared.runtime import log
from shared.runtime.app import create_app
from shared.runtime.gate import TheCaller
from shared.wiring import find_key, services

router = APIRouter()


@router.post("/context")
async def context(request: ContextRequest, caller: TheCaller) -> ContextAnswer:
    """What the bot should know before it replies."""
    caller.require("read", request.group_id)
    log.bind(group_id=request.group_id)
    made, kept = services(), settings()
    deps = handle_context.Deps(
        messages=made.messages,
        contexts=made.contexts,
        now=made.now,
        max_messages=kept.max_context_messages,
        max_tokens=kept.max_context_tokens,
        window_hours=kept.time_window_hours,
        deadline_s=kept.context_build_timeout_seconds,
        falls_back=kept.fallback_on_error,
    )
    return await handle_context.build_context(request, deps)


app = create_app(
    "build_context",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=30,
)

"""Answers before a reply: what matters, on time, whatever is down."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.contracts.context import ContextAnswer, ContextItem, ContextRequest
from shared.domain.context import Context, traditional
from shared.domain.stored_message import StoredMessage
from shared.errors import AnnalsError, NotFound, Transient
from shared.runtime import log
from shared.stores.contexts import Contexts
from shared.stores.messages import Messages

WINDOW_MESSAGES = 50
RECORD_CAP_S = 0.15


@dataclass(frozen=True)
class Deps:
    messages: Messages
    contexts: Contexts
    now: Callable[[], datetime]
    max_messages: int
    max_tokens: int
    window_hours: int
    deadline_s: float
    falls_back: bool


async def build_context(request: ContextRequest, deps: Deps) -> ContextAnswer:
    """Traditional if it can be had in time, else empty; the answer says which, and why."""
    started = time.perf_counter()
    deadline_s = request.deadline_ms / 1000 if request.deadline_ms else deps.deadline_s
    try:
        async with asyncio.timeout(deadline_s * 0.9):
            context = await _traditional(request, deps)
        mode, reason = "traditional", "reply chain and last messages"
    except NotFound:
        raise
    except (AnnalsError, TimeoutError) as error:
        if not deps.falls_back:
            raise Transient(f"the context could not be built ({type(error).__name__})") from error
        context = Context("", (), (), 0)
        mode, reason = "empty", _reason(error)
    answer = ContextAnswer(
        context_id=uuid.uuid4().hex,
        mode="traditional" if mode == "traditional" else "empty",
        reason=reason,
        stable="",
        dynamic=context.dynamic,
        text=context.dynamic,
        messages=[dict(message) for message in context.messages],
        items=[
            ContextItem(
                kind=item.kind,
                id=item.id,
                score=item.score,
                reasons=list(item.reasons),
                tokens=item.tokens,
            )
            for item in context.items
        ],
        tokens={"stable": 0, "dynamic": context.tokens, "total": context.tokens},
        timings_ms={"total": round((time.perf_counter() - started) * 1000, 1)},
    )
    await _recorded(lambda: deps.contexts.add(request, answer))
    return answer


async def _traditional(request: ContextRequest, deps: Deps) -> Context:
    asked = await _asked(request, deps)
    until = asked.create_time if asked else deps.now()
    since = until - timedelta(hours=request.window_hours or deps.window_hours)
    chain, recent = await asyncio.gather(
        deps.messages.reply_chain(request.group_id, asked) if asked else _none(),
        deps.messages.recent(request.group_id, since=since, until=until, limit=WINDOW_MESSAGES),
    )
    return traditional(
        chain,
        recent,
        exclude=request.message_id,
        max_messages=request.max_messages or deps.max_messages,
        max_tokens=request.max_tokens or deps.max_tokens,
    )


async def _asked(request: ContextRequest, deps: Deps) -> StoredMessage | None:
    if request.message_id is None:
        return None
    found = await deps.messages.get(request.group_id, request.message_id)
    if found is None:
        raise NotFound(f"there is no message {request.message_id} in this group")
    return found


async def _none() -> list[StoredMessage]:
    return []


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "the deadline passed"
    return error.message if isinstance(error, AnnalsError) else type(error).__name__


async def _recorded(write: Callable[[], Awaitable[None]]) -> None:
    """The record of what was offered: worth 150 ms, never the answer."""
    try:
        async with asyncio.timeout(RECORD_CAP_S):
            await write()
    except (AnnalsError, TimeoutError) as error:
        log.warning("context_not_recorded", reason=type(error).__name__)

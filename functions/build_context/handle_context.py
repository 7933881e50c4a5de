"""Answers before a reply: what matters, on time, whatever is down."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable

from functions.build_context.built_context import Built
from functions.build_context.deps import Deps
from functions.build_context.intelligent import build_intelligent
from functions.build_context.kept_record import record_of
from functions.build_context.question import read_question, why_not_intelligent
from functions.build_context.reads import Fallen, Reads
from functions.build_context.traditional import build_traditional
from shared import log
from shared.contracts.context import ContextAnswer, ContextItem, ContextRequest
from shared.domain.context.fitting import EMPTY
from shared.errors import AnnalsError, Transient

RECORD_CAP_S = 0.15
"""The record is for later looks; a bot that waits for its reply does not wait longer than this."""
USABLE = 0.85
"""Of the deadline; the rest is for scoring, rendering and the way back."""


async def build_context(request: ContextRequest, deps: Deps) -> ContextAnswer:
    """Intelligent if it can be had in time, else traditional, else empty; the answer says which
    and why. Whatever hangs, it is there before the deadline, and nothing goes on after it."""
    started = time.perf_counter()
    deadline_s = (
        request.deadline_ms / 1000
        if request.deadline_ms
        else deps.settings.context_build_timeout_seconds
    )
    was_warm = bool(deps.recent.kept(request.group_id))
    reads = Reads(USABLE * deadline_s)
    try:
        built = await _ladder(request, deps, reads)
    finally:
        await reads.close()
    timings = {**reads.timings_ms, "total": round((time.perf_counter() - started) * 1000, 1)}
    answer = _answer(built, timings)
    _tell(request, answer, built)
    if built.is_recorded:
        record = record_of(request, answer, built, deps, was_warm=was_warm)
        await _recorded(
            lambda: deps.contexts.add(record),
            min(RECORD_CAP_S, deadline_s - (time.perf_counter() - started)),
        )
    return answer


def _tell(request: ContextRequest, answer: ContextAnswer, built: Built) -> None:
    """One line a context: ids and numbers, no words."""
    log.info(
        "context_injected",
        context_id=answer.context_id,
        user_id=request.user_id,
        mode=answer.mode,
        variant=built.variant or None,
        items=len(answer.items),
        message_ids=[one.id for one in answer.items if one.kind == "message"],
        memory_ids=[one.id for one in answer.items if one.kind == "memory"],
        tokens=answer.tokens["total"],
        took_ms=answer.timings_ms["total"],
    )


async def _ladder(request: ContextRequest, deps: Deps, reads: Reads) -> Built:
    falls_back = deps.settings.fallback_on_error
    why: list[str] = []
    try:
        question = await read_question(request, deps, reads)
        falls_back = question.settings.fallback_on_error
        off = why_not_intelligent(question)
        if off is None:
            try:
                return await build_intelligent(question, deps, reads)
            except Fallen as fallen:
                if not falls_back:
                    raise
                why.append(str(fallen))
        return await build_traditional(question, deps, reads, off or why[0], is_failed=off is None)
    except Fallen as fallen:
        if not falls_back:
            raise Transient(f"the context could not be built: {fallen}") from fallen
        reason = "; ".join(dict.fromkeys([*why, str(fallen)]))
        is_recorded = deps.settings.enable_async_data_collection
        return Built(EMPTY, "empty", reason, {}, is_recorded, is_failed=True)


def _answer(built: Built, timings: dict[str, float]) -> ContextAnswer:
    context = built.context
    return ContextAnswer(
        context_id=uuid.uuid4().hex,
        mode=built.mode,
        reason=built.reason,
        stable=context.stable,
        dynamic=context.dynamic,
        text=context.text,
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
        tokens={
            "stable": context.stable_tokens,
            "dynamic": context.dynamic_tokens,
            "total": context.stable_tokens + context.dynamic_tokens,
        },
        timings_ms=timings,
        command=built.command,
    )


async def _recorded(write: Callable[[], Awaitable[None]], cap_s: float) -> None:
    """The record of what was offered: worth 150 ms, never the answer."""
    try:
        async with asyncio.timeout(max(0.0, cap_s)):
            await write()
    except (AnnalsError, TimeoutError) as error:
        log.warning("context_not_recorded", reason=type(error).__name__)

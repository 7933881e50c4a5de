"""Contexts as somebody looks at them afterwards: offered, left out, used, and why."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from shared.contracts.context_records import (
    ContextDetail,
    ContextList,
    ExportedContext,
    ItemLeftOut,
    OfferedItem,
    ShownContext,
)
from shared.domain.context.record import HELD_BACK, ContextRecord
from shared.domain.memories.memory import MemoryStatus
from shared.stores.contexts import Contexts
from shared.wiring import Services

MOST_HELD_BACK = 20
"""Candidates shown beside a context: a group seldom has more."""
EXPORT_PAGE = 100
"""Records read at once; an export may be long."""


async def list_contexts(group_id: str, limit: int, offset: int, contexts: Contexts) -> ContextList:
    total, found = await contexts.listed(group_id, limit=limit, offset=offset)
    return ContextList(total=total, contexts=[_shown(one) for one in found])


async def look_at(record: ContextRecord, made: Services) -> ContextDetail:
    """With the texts as they are now: what was forgotten since stays forgotten."""
    held_back = await made.memories.with_status(
        record.group_id, MemoryStatus.CANDIDATE, MOST_HELD_BACK
    )
    waiting = [
        one.memory
        for one in held_back
        if record.created_at is None or one.memory.created_at <= record.created_at
    ]
    texts = await _texts(record, made)
    usage = {(one.kind, one.id): one for one in record.usage}
    factors: Mapping[str, Any] = record.trace.get("factors", {})
    items = []
    for item in record.items:
        used = usage.get((item.kind, item.id))
        items.append(
            OfferedItem(
                kind=item.kind,
                id=item.id,
                score=item.score,
                reasons=list(item.reasons),
                tokens=item.tokens,
                factors=factors.get(item.id, {}) if item.kind == "message" else {},
                was_referenced=used.was_referenced if used else None,
                by=used.by if used else "",
                text=texts.get((item.kind, item.id), ""),
            )
        )
    left_out = [
        ItemLeftOut(
            kind=one.kind,
            id=one.id,
            why=one.why,
            score=one.score,
            text=texts.get((one.kind, one.id), ""),
        )
        for one in record.left_out
    ]
    left_out += [
        ItemLeftOut(kind="memory", id=one.memory_id, why=HELD_BACK, score=None, text=one.statement)
        for one in waiting
    ]
    return ContextDetail(
        context=_shown(record),
        items=items,
        left_out=left_out,
        considered=record.trace.get("considered", len(record.items)),
        threshold=record.trace.get("threshold"),
        scorer=record.trace.get("scorer", ""),
        llm_response=record.llm_response,
        user_feedback=record.user_feedback,
        success_indicator=record.success_indicator,
        reply_type=record.reply_type,
    )


async def exported(group_id: str, contexts: Contexts) -> AsyncIterator[str]:
    """Labelled records, the newest first, a JSON object a line."""
    offset = 0
    while True:
        _, found = await contexts.listed(
            group_id, limit=EXPORT_PAGE, offset=offset, is_labelled=True
        )
        for one in found:
            yield _exported(one).model_dump_json() + "\n"
        if len(found) < EXPORT_PAGE:
            return
        offset += EXPORT_PAGE


def _exported(record: ContextRecord) -> ExportedContext:
    usage = {(one.kind, one.id): one for one in record.usage}
    factors: Mapping[str, Any] = record.trace.get("factors", {})
    items = []
    for item in record.items:
        used = usage.get((item.kind, item.id))
        items.append(
            {
                "kind": item.kind,
                "id": item.id,
                "score": item.score,
                "factors": factors.get(item.id, {}) if item.kind == "message" else {},
                "was_referenced": bool(used and used.was_referenced),
            }
        )
    return ExportedContext(
        context_id=record.context_id,
        group_id=record.group_id,
        created_at=record.created_at,
        mode=record.mode,
        variant=record.variant,
        threshold=record.trace.get("threshold"),
        scorer=record.trace.get("scorer", ""),
        items=items,
        success_indicator=record.success_indicator,
        user_feedback=record.user_feedback,
        reply_type=record.reply_type,
    )


async def _texts(record: ContextRecord, made: Services) -> dict[tuple[str, str], str]:
    named = [(item.kind, item.id) for item in record.items]
    named += [(one.kind, one.id) for one in record.left_out]

    def ids_of(kind: str) -> list[str]:
        return [key for own, key in named if own == kind]

    messages, memories, events = await asyncio.gather(
        made.messages.get_many(record.group_id, ids_of("message")),
        made.memories.get_many(record.group_id, ids_of("memory")),
        made.events.get_many(record.group_id, ids_of("event")),
    )
    return {
        **{
            ("message", key): one.message.content
            for key, one in messages.items()
            if one.message.is_readable
        },
        **{("memory", key): one.statement for key, one in memories.items()},
        **{("event", key): one.canonical_text for key, one in events.items()},
    }


def _shown(record: ContextRecord) -> ShownContext:
    return ShownContext(
        context_id=record.context_id,
        group_id=record.group_id,
        created_at=record.created_at,
        mode=record.mode,
        reason=record.reason,
        user_id=record.user_id,
        trigger_message_id=record.trigger_message_id,
        tokens=dict(record.tokens),
        timings_ms=dict(record.timings_ms),
        variant=record.variant,
        is_labelled=record.is_labelled,
        offered=len(record.items),
        used=sum(one.was_referenced for one in record.usage),
    )

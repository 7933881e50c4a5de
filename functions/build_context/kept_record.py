"""What is kept of a context that was built."""

from functions.build_context.built_context import Built
from functions.build_context.deps import Deps
from shared.contracts.context import ContextAnswer, ContextRequest
from shared.domain.context.record import ContextRecord, asked_units
from shared.domain.context.stats import Counted, built_stats
from shared.stores.contexts import expiry


def record_of(
    request: ContextRequest, answer: ContextAnswer, built: Built, deps: Deps, *, was_warm: bool
) -> ContextRecord:
    items = built.context.items
    return ContextRecord(
        context_id=answer.context_id,
        group_id=request.group_id,
        mode=answer.mode,
        reason=answer.reason,
        user_id=request.user_id,
        trigger_message_id=request.message_id,
        items=items,
        left_out=built.left_out,
        tokens=answer.tokens,
        timings_ms=answer.timings_ms,
        trace=built.trace,
        message_ids=tuple(one.id for one in items if one.kind == "message"),
        offered=tuple(f"{one.kind}:{one.id}" for one in items if one.kind != "message"),
        epoch=built.epoch,
        asked=asked_units(built.question),
        stats=built_stats(
            Counted(
                mode=answer.mode,
                is_failed=built.is_failed,
                took_ms=answer.timings_ms["total"],
                scores=[one.score for one in items if one.kind == "message"],
                tokens=answer.tokens["total"],
                plain_tokens=built.plain_tokens,
                is_warm=was_warm,
                items=len(items),
            )
        ),
        variant=built.variant,
        expires_at=expiry(deps.now(), built.retention_days),
    )

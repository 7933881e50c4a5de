"""The traditional rung: the reply chain and the last messages."""

from functions.build_context.built_context import Built
from functions.build_context.deps import Deps
from functions.build_context.question import (
    WINDOW_MESSAGES,
    Question,
    plain_tokens,
    with_its_line,
)
from functions.build_context.reads import FALLING_BACK, Reads
from shared.domain.context.fitting import traditional
from shared.domain.context.record import left_out
from shared.domain.context.rendering import names_of
from shared.domain.messages.stored_message import StoredMessage


async def build_traditional(
    question: Question, deps: Deps, reads: Reads, reason: str, *, is_failed: bool
) -> Built:
    group_id = question.group.group_id
    reads.start("last_chain", deps.talk.chain(group_id, question.message, {}), until=FALLING_BACK)
    reads.start(
        "last",
        deps.messages.recent(
            group_id, since=question.since, until=question.until, limit=WINDOW_MESSAGES
        ),
        until=FALLING_BACK,
    )
    chain = await reads.get("last_chain", list[StoredMessage]())
    recent = await reads.get("last", list[StoredMessage]())
    reads.need("last_chain", "last")
    question = with_its_line(question, recent)
    names = names_of([*chain, *recent])
    offers = [
        offer
        for offer in traditional(
            chain,
            recent,
            names,
            leave_out=question.own_ids,
            until=question.message.create_time,
            times=question.times,
        )
        if offer.message is not None and offer.message.group_id == group_id
    ]
    if "messages" not in question.request.include:
        offers = []
    context = question.fit([], [], offers, names)
    return question.built(
        context,
        "traditional",
        reason,
        {"scorer": "traditional"},
        is_failed=is_failed,
        left_out=left_out({}, offers, context),
        plain_tokens=plain_tokens(recent),
    )

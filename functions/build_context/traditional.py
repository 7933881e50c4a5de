"""The traditional rung: the reply chain and the last messages."""

from functions.build_context.built_context import Built
from functions.build_context.deps import Deps
from functions.build_context.question import WINDOW_MESSAGES, Question, plain_tokens
from functions.build_context.reads import FALLING_BACK, Reads
from shared.domain.context.fitting import traditional
from shared.domain.context.record import left_out
from shared.domain.context.relevance import with_its_line
from shared.domain.messages.stored_message import StoredMessage


async def build_traditional(
    question: Question, deps: Deps, reads: Reads, reason: str, *, is_failed: bool
) -> Built:
    group_id, asked = question.group.group_id, question.asked
    reads.start("last_chain", deps.talk.chain(group_id, asked, {}), until=FALLING_BACK)
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
    asked = with_its_line(asked, recent)
    offers = [
        one
        for one in traditional(
            chain,
            recent,
            exclude=asked.message_id or asked.said_as,
            until=asked.create_time,
            times=question.times,
        )
        if one.message is not None and one.message.group_id == group_id
    ]
    if "messages" not in question.request.include:
        offers = []
    trace = {"scorer": "traditional"}
    context = question.fit([], offers)
    return question.built(
        context,
        "traditional",
        reason,
        trace,
        is_failed=is_failed,
        left_out=left_out({}, offers, context),
        plain_tokens=plain_tokens(recent),
    )

"""Attribution on real stores: what a crash, a race or an outage leaves behind."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from functions.ingest_message import handle_attribute, handle_messages
from functions.ingest_message.analysis import analysed
from shared.domain.message import Message, Recall
from shared.domain.stored_message import MessageState
from shared.wiring import Services
from tests.services import Clock

GROUP = "test:g1"


def said(number: int, clock: Clock, reply_to: str | None = None) -> Message:
    return Message(
        group_id=GROUP,
        message_id=f"m{number}",
        user_id=f"u{number % 3}",
        content=f"message {number} about the release",
        create_time=clock() + timedelta(seconds=number),
        reply_message_id=reply_to,
    )


def ingesting(made: Services) -> handle_messages.Deps:
    return handle_messages.Deps(made.groups, made.messages, made.dispatch, analysed, made.now)


def attributing(made: Services) -> handle_attribute.Deps:
    return handle_attribute.Deps(
        groups=made.groups,
        messages=made.messages,
        topics=made.topics,
        vectors=made.vectors,
        embedder=made.embedder,
        worker=made.worker,
        dispatch=made.dispatch,
        embed_budget_s=10,
        keeps_message_vectors=True,
    )


async def test_twenty_tasks_at_once_make_no_topic_twice(made: Services, clock: Clock) -> None:
    messages = [said(n, clock, f"m{n - 1}" if n % 5 else None) for n in range(20)]
    await handle_messages.ingest(GROUP, messages, ingesting(made))

    await asyncio.gather(*(handle_attribute.attribute(GROUP, attributing(made)) for _ in range(20)))

    total, topics = await made.topics.listed(GROUP, is_active=None, limit=50, offset=0)
    assert total == 4
    assert [one.message_count for one in topics] == [5, 5, 5, 5]
    assert not await made.messages.pending(GROUP, 10)


async def test_a_recall_during_attribution_leaves_nothing_of_the_message(
    made: Services, clock: Clock
) -> None:
    await handle_messages.ingest(GROUP, [said(1, clock), said(2, clock)], ingesting(made))
    deps = attributing(made)

    class RecallsFirst:
        """The embedder as it is, but while it works somebody takes a message back."""

        async def embed(self, *texts: object, **options: object) -> object:
            recall = Recall(group_id=GROUP, message_id="m1")
            await handle_messages.ingest(GROUP, [recall], ingesting(made))
            return await made.embedder.embed(*texts, **options)  # type: ignore[arg-type]

    await handle_attribute.attribute(GROUP, replace(deps, embedder=RecallsFirst()))  # type: ignore[arg-type]

    message = await made.messages.get(GROUP, "m1")
    assert message is not None
    assert (message.state, message.content, message.topic_id) == (MessageState.RECALLED, "", None)
    _, topics = await made.topics.listed(GROUP, is_active=None, limit=50, offset=0)
    assert [one.creator_id for one in topics] == ["u2"]


async def test_the_same_message_five_times_at_once_is_one_document(
    made: Services, clock: Clock
) -> None:
    receipts = await asyncio.gather(
        *(handle_messages.ingest(GROUP, [said(1, clock)], ingesting(made)) for _ in range(5))
    )

    outcomes = sorted(receipt.outcome for one in receipts for receipt in one)
    assert outcomes == ["duplicate"] * 4 + ["stored"]


@pytest.mark.parametrize("size", [100, 101, 250])
async def test_many_messages_take_several_commits_and_none_is_lost(
    made: Services, clock: Clock, size: int
) -> None:
    await handle_messages.ingest(GROUP, [said(n, clock) for n in range(size)], ingesting(made))

    found = await made.messages.get_many(GROUP, [f"m{n}" for n in range(size)])
    assert len(found) == size

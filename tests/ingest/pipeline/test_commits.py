"""Deliveries at once and in bulk: one document each, none lost."""

import asyncio

import pytest

from functions.ingest_message import handle_messages
from tests.topics.attributing import Attributing, ingesting


async def test_the_same_message_five_times_at_once_is_one_document(group: Attributing) -> None:
    message = group.message(1, "Ann", "hello")
    receipts = await asyncio.gather(
        *(handle_messages.ingest(group.group_id, [message], ingesting(group.made)) for _ in "12345")
    )

    outcomes = sorted(receipt.outcome for one in receipts for receipt in one)
    assert outcomes == ["duplicate"] * 4 + ["stored"]


@pytest.mark.parametrize("size", [100, 101, 250])
async def test_many_messages_take_several_commits_and_none_is_lost(
    group: Attributing, size: int
) -> None:
    await group.say(*(group.message(n, "Ann", f"message {n}") for n in range(size)))

    assert len(await group.messages(range(size))) == size

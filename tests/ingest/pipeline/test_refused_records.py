"""What the database cannot store of one message keeps no other from being stored."""

from dataclasses import replace
from uuid import uuid4

import pytest

from functions.ingest_message import handle_messages
from shared.domain.messages.analyser import analysed
from shared.domain.messages.features import Features
from shared.domain.messages.message import Message
from shared.domain.messages.stored_message import MessageState
from shared.wiring import Services
from tests.topics.attributing import ingesting


def found(message: Message) -> tuple[Features, tuple[str, ...]]:
    """As if our reading of a text had come upon a word that cannot name a field."""
    features, terms = analysed(message)
    if "poison" in message.content:
        return replace(features, keywords={"x" * 2_000: 1.0}), terms
    return features, terms


@pytest.mark.parametrize("poisoned", [{0}, {6}, {2, 3}, {0, 1, 2, 3, 4, 5, 6}], ids=str)
async def test_every_line_is_stored_though_something_found_in_one_cannot_be(
    made: Services, poisoned: set[int]
) -> None:
    deps = replace(ingesting(made), analyse=found)
    group_id = f"test:{uuid4().hex[:12]}"
    lines = [
        Message(
            group_id=group_id, message_id=f"m{n}", user_id="u1", create_time=made.now(),
            content=f"{'poison' if n in poisoned else 'plain'} line number {n}",
        )
        for n in range(7)
    ]  # fmt: skip

    receipts = await handle_messages.ingest(group_id, lines, deps)

    assert [(one.message_id, one.outcome) for one in receipts] == [
        (f"m{n}", "stored") for n in range(7)
    ]
    stored = await made.messages.get_many(group_id, [f"m{n}" for n in range(7)])
    for n in range(7):
        one = stored[f"m{n}"].message
        assert (one.content, one.state) == (lines[n].content, MessageState.PENDING)
        assert bool(one.features) is (n not in poisoned)

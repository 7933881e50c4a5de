"""Deliveries in any order, any number of times, leave the same messages behind."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.messages.delivery import decide_ingest
from shared.domain.messages.features import Features
from shared.domain.messages.message import Message, Recall
from shared.domain.messages.stored_message import StoredMessage
from shared.language import Language, MessageType

START = datetime(2026, 1, 1, tzinfo=UTC)
Delivery = Message | Recall


def analyse(message: Message) -> tuple[Features, tuple[str, ...]]:
    return Features(MessageType.DISCUSSION, Language.ENGLISH), tuple(message.content.split())


def after(deliveries: list[Delivery], batch: int) -> dict[str, StoredMessage]:
    """The documents, delivered in batches, each decided on what the last one left."""
    known: dict[str, StoredMessage] = {}
    for start in range(0, len(deliveries), batch):
        plan = decide_ingest(
            deliveries[start : start + batch],
            known,
            opted_out={"shy"},
            analyse=analyse,
            now=START + timedelta(days=1),
        )
        assert len(plan.receipts) == len(deliveries[start : start + batch])
        known.update(plan.messages)
    return known


@st.composite
def histories(draw: st.DrawFn) -> list[Delivery]:
    """What happened to a few messages: said, perhaps edited, perhaps recalled."""
    deliveries: list[Delivery] = []
    for number in range(draw(st.integers(1, 4))):
        said = Message(
            group_id="lark:1",
            message_id=f"m{number}",
            user_id=draw(st.sampled_from(["ann", "bob", "shy"])),
            content=draw(st.text("ab ", min_size=1, max_size=5)),
            create_time=START + timedelta(minutes=number),
            reply_message_id=f"m{number - 1}" if draw(st.booleans()) else None,
        )
        deliveries.append(said)
        for edit in range(draw(st.integers(0, 2))):
            at = said.create_time + timedelta(seconds=edit + 1)
            deliveries.append(replace(said, content=f"edit {edit}", edited_at=at))
        if draw(st.booleans()):
            deliveries.append(Recall(group_id="lark:1", message_id=said.message_id))
    return deliveries


@given(histories(), st.data())
def test_any_order_and_repetition_ends_the_same(
    history: list[Delivery], data: st.DataObject
) -> None:
    again = data.draw(st.lists(st.sampled_from(history), max_size=5))
    shuffled = data.draw(st.permutations([*history, *again]))
    batch = data.draw(st.integers(1, 5))

    assert after(shuffled, batch) == after(history, 100)


@given(histories())
def test_a_recalled_or_private_message_keeps_nothing_that_was_said(history: list[Delivery]) -> None:
    for message in after(history, 100).values():
        if not message.is_readable:
            assert (message.content, message.features, message.terms) == ("", None, ())

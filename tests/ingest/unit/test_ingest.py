"""What each delivery is called, and what it asks for."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.messages.delivery import IngestPlan, decide_ingest
from shared.domain.messages.features import Features
from shared.domain.messages.message import Message, Recall
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.language import Language, MessageType

AT = datetime(2026, 1, 1, tzinfo=UTC)
SAID = Message(group_id="lark:1", message_id="m1", user_id="ann", content="ship it", create_time=AT)
EDITED = replace(SAID, content="ship it now", edited_at=AT + timedelta(minutes=1))
RECALL = Recall(group_id="lark:1", message_id="m1")


def analyse(message: Message) -> tuple[Features, tuple[str, ...]]:
    return Features(MessageType.DISCUSSION, Language.ENGLISH), tuple(message.content.split())


def deliver(
    *arrivals: Message | Recall, stored: Mapping[str, StoredMessage] | None = None
) -> IngestPlan:
    return decide_ingest(
        arrivals, stored or {}, opted_out={"shy"}, analyse=analyse, now=AT + timedelta(days=1)
    )


def outcomes(plan: IngestPlan) -> list[str]:
    return [receipt.outcome for receipt in plan.receipts]


@pytest.mark.parametrize(
    ("arrivals", "expected"),
    [
        ([SAID], ["stored"]),
        ([SAID, SAID], ["stored", "duplicate"]),
        ([SAID, EDITED], ["stored", "edited"]),
        ([EDITED, SAID], ["stored", "duplicate"]),
        ([SAID, EDITED, EDITED], ["stored", "edited", "duplicate"]),
        ([SAID, RECALL], ["stored", "recalled"]),
        ([RECALL, SAID], ["recalled", "recalled"]),
        ([SAID, RECALL, RECALL], ["stored", "recalled", "duplicate"]),
        ([SAID, RECALL, EDITED], ["stored", "recalled", "recalled"]),
        ([SAID, replace(SAID, recalled=True)], ["stored", "recalled"]),
        ([replace(SAID, recalled=True), SAID], ["recalled", "recalled"]),
    ],
)
def test_every_delivery_has_its_outcome(
    arrivals: list[Message | Recall], expected: list[str]
) -> None:
    assert outcomes(deliver(*arrivals)) == expected


def test_a_new_message_waits_for_its_topic_with_what_was_found_in_it() -> None:
    plan = deliver(SAID)

    stored = plan.messages["m1"]
    assert (stored.state, stored.terms) == (MessageState.PENDING, ("ship", "it"))
    assert plan.has_pending


def test_an_edit_goes_through_attribution_again_and_remembers_its_topic() -> None:
    before = StoredMessage(
        group_id="lark:1",
        message_id="m1",
        user_id="ann",
        content="ship it",
        create_time=AT,
        state=MessageState.ATTRIBUTED,
        topic_id="t1",
    )
    plan = deliver(EDITED, stored={"m1": before})

    edited = plan.messages["m1"]
    assert (edited.state, edited.topic_id) == (MessageState.PENDING, "t1")
    assert edited.terms == ("ship", "it", "now")


def test_only_what_could_be_read_leaves_traces_to_remove() -> None:
    before = deliver(SAID).messages

    assert deliver(RECALL, stored=before).recalled == ("m1",)
    assert deliver(RECALL).recalled == ()


def test_who_opted_out_leaves_only_a_place_in_the_chain() -> None:
    shy = replace(SAID, user_id="shy", reply_message_id="m0")

    stored = deliver(shy).messages["m1"]

    assert (stored.state, stored.content) == (MessageState.OPTED_OUT, "")
    assert stored.reply_message_id == "m0"
    assert not stored.is_readable


@pytest.mark.parametrize(
    ("content", "stored", "is_masked"),
    [
        ("the wifi password is sword-fish9", "the wifi password is ***", True),
        ("charge 4111 1111 1111 1111 please", "charge *** please", True),
        ("ship it on the 14th", "ship it on the 14th", False),
    ],
)
def test_where_a_group_wants_it_no_secret_is_stored_nor_found_by(
    content: str, stored: str, is_masked: bool
) -> None:
    said = replace(SAID, content=content)
    edited = replace(EDITED, content=content)
    for arrivals in ([said], [SAID, edited]):
        plan = decide_ingest(
            arrivals, {}, opted_out=(), analyse=analyse, now=AT, masks_secrets=True
        )
        message = plan.messages["m1"]
        assert (message.content, message.terms) == (stored, tuple(stored.split()))
        assert message.masked_at == (AT if is_masked else None)
    kept = decide_ingest([said], {}, opted_out=(), analyse=analyse, now=AT)
    assert (kept.messages["m1"].content, kept.messages["m1"].masked_at) == (content, None)


def test_of_a_masked_message_that_is_taken_back_nothing_is_told() -> None:
    said = replace(SAID, content="the pin is 4821", recalled=True)
    plan = decide_ingest([said], {}, opted_out=(), analyse=analyse, now=AT, masks_secrets=True)

    assert plan.messages["m1"].masked_at is None

"""An old chat beside its live lines: what the group has already is not stored again."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from annals.histories import messages_of
from annals.histories.telegram import read as telegram
from functions.ingest_message import handle_messages
from shared.contracts.messages import read_message
from shared.domain.messages.message import Message
from shared.domain.messages.stored_message import StoredMessage
from shared.platforms.telegram import normalise
from shared.wiring import Services
from tests.topics.attributing import ingesting

AT = int(datetime(2026, 3, 1, 9, tzinfo=UTC).timestamp())
TALK = [(9, 7, "the boiler is fixed"), (10, 8, "who did it?"), (11, 7, "the boiler is fixed")]


def export(chat: int, kind: str) -> dict[str, Any]:
    return {
        "name": "House", "type": kind, "id": chat,
        "messages": [
            {"id": number, "type": "message", "date_unixtime": str(AT + number), "from": "Ada",
             "from_id": f"user{user}", "text": text,
             **({"reply_to_message_id": 9} if number == 10 else {})}
            for number, user, text in TALK
        ],
    }  # fmt: skip


def webhook(chat: str, kind: str, number: int) -> Message:
    _, user, text = TALK[number - 9]
    update = {"message_id": number, "date": AT + number, "text": text,
              "chat": {"id": int(chat), "type": kind, "title": "House"},
              "from": {"id": user, "is_bot": False, "first_name": "Ada"}}  # fmt: skip
    (found,) = normalise({"update_id": 1, "message": update})
    assert isinstance(found, Message)
    return found


async def lines(made: Services, group_id: str) -> list[StoredMessage]:
    _, found = await made.messages.page(
        group_id, since=None, until=None, user_id=None, topic_id=None, after=None, limit=100
    )
    return sorted(found, key=lambda line: line.create_time)


@pytest.mark.parametrize(
    ("kind", "prefix"), [("private_supergroup", "-100"), ("private_group", "-")]
)
@pytest.mark.parametrize("is_live_first", [True, False])
async def test_a_line_by_webhook_and_by_export_is_one(
    made: Services, kind: str, prefix: str, is_live_first: bool
) -> None:
    chat = uuid4().int % 10**9 + 10**9
    group_id = f"telegram:{prefix}{chat}"
    live_kind = "supergroup" if kind.endswith("supergroup") else "group"
    live = [webhook(f"{prefix}{chat}", live_kind, number) for number in (9, 10)]
    imported = [read_message(one) for one in messages_of(telegram(export(chat, kind)), group_id)]
    if is_live_first:
        await handle_messages.ingest(group_id, live, ingesting(made))
    receipts = await handle_messages.ingest(group_id, imported, ingesting(made))
    if not is_live_first and kind.endswith("supergroup"):
        await handle_messages.ingest(group_id, live, ingesting(made))

    stored = await lines(made, group_id)
    assert [line.content for line in stored] == [text for _, _, text in TALK]
    if is_live_first:
        assert [one.outcome for one in receipts] == ["duplicate", "duplicate", "stored"]
        assert [one.message_id for one in receipts[:2]] == ["9", "10"]


async def test_replies_lead_to_the_live_line(made: Services) -> None:
    group_id = f"telegram:-{(chat := uuid4().int % 10**9)}"
    await handle_messages.ingest(group_id, [webhook(f"-{chat}", "group", 9)], ingesting(made))
    imported = [read_message(one) for one in messages_of(
        telegram(export(chat, "private_group")), group_id)]  # fmt: skip
    await handle_messages.ingest(group_id, imported, ingesting(made))

    assert (await lines(made, group_id))[1].reply_message_id == "9"


async def test_the_same_words_of_another_or_a_second_later_are_another_line(made: Services) -> None:
    group_id = f"onebot:{uuid4().int % 10**9}"
    at = datetime.fromtimestamp(AT, UTC)

    def line(message_id: str, user_id: str, second: int) -> Message:
        return Message(
            group_id=group_id, message_id=message_id, user_id=user_id, content="ha ha",
            create_time=at.replace(second=second),
        )  # fmt: skip

    await handle_messages.ingest(group_id, [line("5-1", "u1", 1)], ingesting(made))
    old = [line("h-1", "u1", 1), line("h-2", "u2", 1), line("h-3", "u1", 2)]
    for _ in range(2):
        await handle_messages.ingest(group_id, old, ingesting(made))

    assert {one.message_id for one in await lines(made, group_id)} == {"5-1", "h-2", "h-3"}


async def test_a_line_that_was_masked_when_it_was_stored_is_known_by_its_export(
    made: Services,
) -> None:
    group_id, masks = f"test:{uuid4().hex[:12]}", {"mask_secrets_in_messages": True}
    await made.groups.change(group_id, partial(replace, settings=masks), made.now())
    line = Message(
        group_id=group_id, message_id="live", user_id="ann", content="the pin is 4821",
        create_time=datetime(2026, 3, 1, 9, tzinfo=UTC),
    )  # fmt: skip
    deps = handle_messages.deps_for(made)
    await handle_messages.ingest(group_id, [line], deps)
    await handle_messages.ingest(group_id, [replace(line, message_id="h-1")], deps)

    assert [(one.message_id, one.content) for one in await lines(made, group_id)] == [
        ("live", "the pin is ***")
    ]

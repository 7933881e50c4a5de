"""Deliveries on real stores: in any order, any number of times, with anything down."""

import asyncio
import random
import threading
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from functions.ingest_message import handle_messages
from shared.domain.audience import Audience
from shared.domain.messages.analyser import analysed
from shared.domain.messages.features import Features
from shared.domain.messages.message import Message, Recall
from shared.domain.messages.stored_message import MessageState
from shared.errors import Forbidden
from shared.wiring import Services
from tests.services import Clock, in_process

Delivery = Message | Recall


def ingesting(made: Services) -> handle_messages.IngestDeps:
    return handle_messages.IngestDeps(made.groups, made.messages, made.dispatch, analysed, made.now)


def history(group_id: str, clock: Clock) -> list[Delivery]:
    """A thousand deliveries: messages, replies, edits of every fifth, recalls of every tenth."""
    deliveries: list[Delivery] = []
    for number in range(770):
        said = Message(
            group_id=group_id,
            message_id=f"m{number}",
            user_id=f"u{number % 7}",
            content=f"message {number} on subject {number % 13}",
            create_time=clock() - timedelta(hours=2) + timedelta(seconds=number),
            reply_message_id=f"m{number - 3}" if number % 3 == 0 and number > 3 else None,
        )
        deliveries.append(said)
        if number % 5 == 0:
            edited_at = said.create_time + timedelta(seconds=30)
            deliveries.append(replace(said, content=f"edited {number}", edited_at=edited_at))
        if number % 10 == 5:
            deliveries.append(Recall(group_id=group_id, message_id=said.message_id))
    return deliveries


async def state(made: Services, group_id: str) -> dict[str, Any]:
    found = await made.messages.get_many(group_id, [f"m{number}" for number in range(770)])
    return {
        message_id: replace(
            one.message, group_id="-:-", received_at=None, updated_at=None, pending_since=None
        )
        for message_id, one in found.items()
    }


async def test_a_thousand_deliveries_in_any_order_end_the_same(
    made: Services, clock: Clock
) -> None:
    ordered, shuffled = "test:ordered", "test:shuffled"
    await handle_messages.ingest(ordered, history(ordered, clock), ingesting(made))
    deliveries = history(shuffled, clock)
    random.Random(7).shuffle(deliveries)
    parts = [deliveries[start : start + 50] for start in range(0, len(deliveries), 50)]
    for start in range(0, len(parts), 4):
        await asyncio.gather(
            *(
                handle_messages.ingest(shuffled, part, ingesting(made))
                for part in parts[start : start + 4]
            )
        )

    assert len(deliveries) == 1001
    assert await state(made, shuffled) == await state(made, ordered)


async def test_a_recall_by_native_id_means_the_newest_message_whatever_its_clock_says(
    made: Services, clock: Clock
) -> None:
    group_id = "onebot:9"

    def said(at: int) -> Message:
        when = clock() + timedelta(minutes=at)
        return Message(
            group_id=group_id,
            message_id=f"77-{at}",
            native_id="77",
            user_id="5",
            content=f"said at {at}",
            create_time=when,
        )

    recall = Recall(group_id=group_id, native_id="77", recalled_at=clock() - timedelta(minutes=15))
    await handle_messages.ingest(group_id, [said(0), said(10), said(20)], ingesting(made))
    await handle_messages.ingest(group_id, [recall], ingesting(made))

    states = {at: await made.messages.get(group_id, f"77-{at}") for at in (0, 10, 20)}
    recalled = [at for at, one in states.items() if one and one.state is MessageState.RECALLED]
    assert recalled == [20]


async def test_a_recall_that_came_first_by_a_clock_that_is_behind_still_takes_its_message_back(
    made: Services, clock: Clock
) -> None:
    group_id = "onebot:10"
    recall = Recall(group_id=group_id, native_id="78", recalled_at=clock() - timedelta(hours=1))
    said = Message(
        group_id=group_id,
        message_id="78-1",
        native_id="78",
        user_id="5",
        content="taken back",
        create_time=clock(),
    )

    await handle_messages.ingest(group_id, [recall], ingesting(made))
    await handle_messages.ingest(group_id, [said], ingesting(made))

    blank = await made.messages.get(group_id, "78-1")
    assert blank is not None
    assert (blank.state, blank.content) == (MessageState.RECALLED, "")


async def test_the_bots_own_private_recall_finds_its_chat_and_nobody_elses(
    made: Services, clock: Clock
) -> None:
    def said(group_id: str, user_id: str, audience: Audience) -> Message:
        return Message(
            group_id=group_id,
            message_id="79-1",
            native_id="79",
            user_id=user_id,
            content="hello",
            create_time=clock(),
            audience=audience,
        )

    own = said("onebot:private-20", "10001", "private")
    others = [
        said("onebot:private-21", "21", "private"),
        said("onebot:900", "10001", "group"),
        said("test:private-20", "10001", "private"),
    ]
    for one in (own, *others):
        await handle_messages.ingest(one.group_id, [one], ingesting(made))
    recall = Recall(
        group_id="onebot:private-10001", native_id="79", user_id="10001", is_somewhere_private=True
    )

    found = await handle_messages.placed(recall, ingesting(made))

    assert found == Recall(group_id=own.group_id, message_id="79-1", user_id="10001")
    unknown = replace(recall, native_id="80")
    assert await handle_messages.placed(unknown, ingesting(made)) is None


async def test_a_recall_by_native_id_may_come_before_its_message(
    made: Services, clock: Clock
) -> None:
    group_id = "onebot:9"
    recall = Recall(group_id=group_id, native_id="77", recalled_at=clock())
    early = Message(
        group_id=group_id,
        message_id="77-1",
        native_id="77",
        user_id="5",
        content="taken back",
        create_time=clock() - timedelta(minutes=1),
    )
    later = replace(early, message_id="77-2", create_time=clock() + timedelta(days=9))

    await handle_messages.ingest(group_id, [recall], ingesting(made))
    await handle_messages.ingest(group_id, [early, later], ingesting(made))

    blank = await made.messages.get(group_id, "77-1")
    kept = await made.messages.get(group_id, "77-2")
    assert blank is not None
    assert kept is not None
    assert (blank.state, blank.content) == (MessageState.RECALLED, "")
    assert kept.content == "taken back"


async def test_a_reply_by_native_id_finds_its_message(made: Services, clock: Clock) -> None:
    group_id = "onebot:9"
    asked = Message(
        group_id=group_id,
        message_id="8-1",
        native_id="8",
        user_id="5",
        content="where?",
        create_time=clock(),
    )
    answer = replace(
        asked,
        message_id="9-2",
        native_id="9",
        reply_native_id="8",
        create_time=clock() + timedelta(seconds=9),
    )

    await handle_messages.ingest(group_id, [asked], ingesting(made))
    await handle_messages.ingest(group_id, [answer], ingesting(made))

    stored = await made.messages.get(group_id, "9-2")
    assert stored is not None
    assert stored.reply_message_id == "8-1"


async def test_while_cloud_tasks_is_down_messages_are_stored_all_the_same(
    told: dict[str, Any], clock: Clock
) -> None:
    async with in_process(told, clock, CLOUD_TASKS_ENDPOINT="127.0.0.1:9") as made:
        message = Message(
            group_id="test:1",
            message_id="m1",
            user_id="u",
            content="is anybody there?",
            create_time=clock(),
        )

        receipts = await handle_messages.ingest("test:1", [message], ingesting(made))

        assert [one.outcome for one in receipts] == ["stored"]
        assert len(await made.messages.pending("test:1", 10)) == 1


async def test_a_deleted_group_tells_by_name_that_it_takes_nothing(
    made: Services, clock: Clock
) -> None:
    """By that a client knows that it need not try again, and that its other groups may go on."""
    gone = "test:gone"
    await made.groups.change(gone, lambda group: replace(group, deleted_at=clock()), clock())
    late = Message(
        group_id=gone, message_id="m1", user_id="u", content="anybody?", create_time=clock()
    )

    with pytest.raises(Forbidden) as raised:
        await handle_messages.ingest(gone, [late], ingesting(made))
    assert raised.value.detail == {"group_id": gone, "is_deleted": True}


async def test_imported_history_takes_the_slow_lane(made: Services, clock: Clock) -> None:
    sent: list[tuple[str, bool]] = []

    class Noting:
        async def attribution(self, group_id: str, *, is_history: bool, **_: Any) -> bool:
            sent.append((group_id, is_history))
            return True

    deps = replace(ingesting(made), dispatch=Noting())  # type: ignore[arg-type]
    for group_id, age in (("test:old", timedelta(days=30)), ("test:new", timedelta())):
        messages = [
            Message(
                group_id=group_id,
                message_id=f"m{number}",
                user_id="u",
                content="words",
                create_time=clock() - age,
            )
            for number in range(3)
        ]
        await handle_messages.ingest(group_id, messages, deps)

    assert sent == [("test:old", True), ("test:new", False)]


async def test_an_answer_to_the_bot_is_placed_soon_and_one_to_a_person_later(
    made: Services, clock: Clock
) -> None:
    sent: list[bool] = []

    class Noting:
        async def attribution(self, group_id: str, *, is_asked: bool, **_: Any) -> bool:
            sent.append(is_asked)
            return True

    deps = replace(ingesting(made), dispatch=Noting())  # type: ignore[arg-type]
    said = Message(
        group_id="test:asked", message_id="m1", user_id="u", content="one", create_time=clock()
    )
    for one in (
        said,
        replace(said, message_id="m2", user_id="bot", role="assistant"),
        replace(said, message_id="m3", reply_message_id="m2"),
        replace(said, message_id="m4", reply_message_id="m1"),
    ):
        await handle_messages.ingest("test:asked", [one], deps)

    assert sent == [False, True, True, False]


async def test_long_text_is_read_beside_the_event_loop(made: Services) -> None:
    """The reading waits for the loop to go on: on the loop it would wait for ever."""
    may_go_on = threading.Event()
    was_free: list[bool] = []

    def analyse(message: Message) -> tuple[Features, tuple[str, ...]]:
        was_free.append(may_go_on.wait(timeout=20))
        return analysed(message)[0], ()

    group_id = f"test:{uuid4().hex[:12]}"
    long = Message(
        group_id=group_id,
        message_id="m1",
        user_id="u1",
        user_name="Ann",
        content="[image: " * 8_000,
        create_time=made.now(),
    )
    deps = handle_messages.IngestDeps(made.groups, made.messages, made.dispatch, analyse, made.now)
    ingesting = asyncio.create_task(handle_messages.ingest(group_id, [long], deps))
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0.2, may_go_on.set)
    await ingesting

    assert was_free == [True]

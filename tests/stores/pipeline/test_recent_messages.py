"""The last messages: one document and what waits, and never behind the database."""

from datetime import timedelta
from typing import Any

import httpx

from shared.domain.group import BEGINNING, new_group
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.tail import LINES, new_tail
from shared.stores.groups import put_group
from shared.stores.message_records import new_message
from shared.stores.recent_messages import Recent
from shared.stores.tails import forgotten_lines, put_tail
from shared.wiring import Services
from tests.services import Clock

GROUP = "test:ring"


def stored(number: int, clock: Clock, **changes: Any) -> StoredMessage:
    fields: dict[str, Any] = {
        "group_id": GROUP,
        "message_id": f"m{number}",
        "user_id": "u1",
        "content": f"line {number}",
        "create_time": clock() - timedelta(minutes=300 - number),
        **changes,
    }
    return StoredMessage(**fields)


async def write(made: Services, *messages: StoredMessage) -> None:
    await made.database.commit([new_message(one) for one in messages])


async def last(ring: Recent, clock: Clock, limit: int = 50, hours: int = 24) -> list[str]:
    await ring.refresh(GROUP)
    found = await ring.window(
        GROUP, since=clock() - timedelta(hours=hours), until=clock(), limit=limit
    )
    return [one.message_id for one in found]


async def test_what_comes_later_is_there_at_the_next_read(made: Services, clock: Clock) -> None:
    ring = made.recent
    assert await last(ring, clock) == []
    await write(made, stored(1, clock))
    assert await last(ring, clock) == ["m1"]
    await write(made, stored(3, clock), stored(2, clock))

    assert await last(ring, clock) == ["m1", "m2", "m3"]


def attributed(number: int, clock: Clock, **changes: Any) -> StoredMessage:
    return stored(number, clock, state=MessageState.ATTRIBUTED, topic_id="t", **changes)


async def put(made: Services, *lines: StoredMessage, epoch: int = 0) -> None:
    """The lines are stored, and in the tail, as attribution leaves them."""
    last = lines[-LINES:]
    reaches = BEGINNING if len(last) == len(lines) else last[0].create_time
    tail = new_tail(epoch, last, (), reaches)
    group = new_group(GROUP, made.now())
    await made.database.commit([put_group(group), put_tail(GROUP, tail), *map(new_message, lines)])


async def test_a_tail_of_another_epoch_is_not_trusted(made: Services, clock: Clock) -> None:
    await put(made, attributed(1, clock), attributed(2, clock), epoch=3)
    await made.recent.refresh(GROUP)

    assert not made.recent.drop_if_stale(GROUP, 3)
    assert made.recent.drop_if_stale(GROUP, 4)
    await made.recent.refresh(GROUP, 4)
    assert sorted(made.recent.kept(GROUP)) == ["m1", "m2"]
    assert (made.recent.hits, made.recent.misses) == (1, 1)


async def test_a_recalled_line_is_not_shown_and_the_tail_stays_good(
    made: Services, clock: Clock
) -> None:
    await put(made, attributed(1, clock), attributed(2, clock))
    await made.database.commit(forgotten_lines(GROUP, ["m1"]))
    group = await made.groups.get(GROUP)
    await made.recent.refresh(GROUP, group.epoch)

    assert list(made.recent.kept(GROUP)) == ["m2"]
    assert (made.recent.hits, made.recent.misses) == (1, 0)


async def test_an_edit_that_waits_takes_the_place_of_the_line(made: Services, clock: Clock) -> None:
    await put(made, attributed(1, clock), attributed(2, clock))
    found = await made.messages.get_many(GROUP, ["m1"])
    await made.messages.apply({"m1": stored(1, clock, content="said better")}, found)
    await made.recent.refresh(GROUP)

    assert made.recent.kept(GROUP)["m1"].content == "said better"


async def test_only_the_newest_are_kept_and_older_ones_come_from_the_database(
    made: Services, clock: Clock
) -> None:
    await put(made, *(attributed(n, clock) for n in range(150)))
    assert len(await last(made.recent, clock)) == 50
    assert len(made.recent.kept(GROUP)) == LINES

    assert await last(made.recent, clock, limit=140) == [f"m{n}" for n in range(10, 150)]


async def test_a_longer_window_than_is_kept_comes_from_the_database(
    made: Services, clock: Clock
) -> None:
    old = stored(1, clock, create_time=clock() - timedelta(days=3))
    await write(made, old, stored(2, clock))

    assert await last(made.recent, clock, hours=24) == ["m2"]
    assert await last(made.recent, clock, hours=24 * 7) == ["m1", "m2"]


async def test_the_last_lines_are_one_document_and_what_waits(
    made: Services, clock: Clock, told: dict[str, Any]
) -> None:
    await put(made, *(attributed(n, clock) for n in range(90)))
    await write(made, stored(90, clock), stored(91, clock))
    admin = told["admin"]["firestore"]
    async with httpx.AsyncClient(trust_env=False) as client:
        await client.post(f"{admin}/counters/reset")
        found = await last(made.recent, clock)
        counted = (await client.get(f"{admin}/counters")).json()

    assert found == [f"m{n}" for n in range(42, 92)]
    assert counted["rpcs"] == {"BatchGetDocuments": 1, "RunQuery": 1}

"""The ring of recent messages: cheap when warm, and never behind the database."""

from datetime import timedelta
from typing import Any

import httpx

from shared.domain.messages.stored_message import StoredMessage
from shared.stores.messages import delete_message, new_message
from shared.stores.recent_messages import KEPT_MESSAGES, Recent
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


async def test_a_group_that_forgot_is_read_anew(made: Services, clock: Clock) -> None:
    ring = made.recent
    await write(made, stored(1, clock), stored(2, clock))
    await last(ring, clock)
    await made.database.commit([delete_message(GROUP, "m1")])

    assert not ring.drop_if_stale(GROUP, 0)
    assert ring.drop_if_stale(GROUP, 1)
    assert await last(ring, clock) == ["m2"]


async def test_only_the_newest_are_kept_and_older_ones_come_from_the_database(
    made: Services, clock: Clock
) -> None:
    ring = made.recent
    await write(made, *(stored(n, clock) for n in range(150)))
    assert len(await last(ring, clock)) == 50
    assert len(ring.kept(GROUP)) == KEPT_MESSAGES

    assert await last(ring, clock, limit=140) == [f"m{n}" for n in range(10, 150)]


async def test_a_longer_window_than_is_kept_comes_from_the_database(
    made: Services, clock: Clock
) -> None:
    old = stored(1, clock, create_time=clock() - timedelta(days=3))
    await write(made, old, stored(2, clock))

    assert await last(made.recent, clock, hours=24) == ["m2"]
    assert await last(made.recent, clock, hours=24 * 7) == ["m1", "m2"]


async def test_a_warm_read_reads_only_what_changed(
    made: Services, clock: Clock, told: dict[str, Any]
) -> None:
    await write(made, *(stored(n, clock) for n in range(90)))
    await last(made.recent, clock)
    admin = told["admin"]["firestore"]
    async with httpx.AsyncClient(trust_env=False) as client:
        await client.post(f"{admin}/counters/reset")
        await last(made.recent, clock)
        rpcs = (await client.get(f"{admin}/counters")).json()["rpcs"]

    assert rpcs == {"RunQuery": 1}
    assert (made.recent.hits, made.recent.misses) == (1, 1)

"""Two writers whose server times cross: a cursor that stays behind now skips no message."""

from datetime import timedelta
from typing import Any

from shared.domain.group import BEGINNING, cursor_after
from shared.domain.messages.stored_message import StoredMessage
from shared.stores.firestore import create
from shared.stores.message_records import MESSAGES, message_path
from shared.wiring import Services
from tests.services import Clock

GROUP = "test:crossing"


async def store(made: Services, message_id: str, **changes: Any) -> None:
    """As a writer leaves it whose commit became visible later than its time says."""
    one = StoredMessage(
        group_id=GROUP, message_id=message_id, user_id="u", content="hello", **changes
    )
    await made.database.commit([create(message_path(GROUP, message_id), MESSAGES.fields(one))])


async def test_a_message_that_becomes_visible_late_is_still_read_and_none_twice(
    made: Services, clock: Clock
) -> None:
    at = clock()
    await store(made, "a", create_time=at, received_at=at - timedelta(seconds=30))
    await store(made, "c", create_time=at, received_at=at - timedelta(seconds=1))
    first = await made.messages.since(GROUP, None, 10)
    cursor = cursor_after(None, first, at)
    await store(made, "b", create_time=at, received_at=at - timedelta(seconds=2))
    second = await made.messages.since(GROUP, cursor, 10)
    done = cursor_after(cursor, second, at + timedelta(minutes=1))

    assert [one.message_id for one in first] == ["a", "c"]
    assert [one.message_id for one in second] == ["b"]
    assert done is not None
    assert done.at > BEGINNING
    assert await made.messages.since(GROUP, done, 10) == []

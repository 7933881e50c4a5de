"""A tail of long vectors is cut before anybody counts on what it holds."""

import os
from datetime import UTC, datetime, timedelta

from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.tail import Tail, TailChange, UnindexedLine, after_run
from shared.stores.database import Snapshot
from shared.stores.tails import MAX_BYTES, _read, fitting, put_tail

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def tail_of(bytes_a_vector: int, content: str = "hello") -> Tail:
    """A hundred lines, all of which the index has missed."""
    vector = os.urandom(bytes_a_vector)
    lines = [
        StoredMessage(
            group_id="g:1", message_id=f"m{n}", user_id="u", content=content, topic_id="t",
            create_time=NOW + timedelta(seconds=n), state=MessageState.ATTRIBUTED, vector=vector,
        )
        for n in range(100)
    ]  # fmt: skip
    owed = [UnindexedLine(one.message_id, vector) for one in lines]
    return after_run(Tail(1, NOW), TailChange(placed=lines, unindexed=owed))


def stored(tail: Tail) -> Tail:
    written = put_tail("g:1", tail).data
    assert written is not None
    data = {key: value for key, value in written.items() if key != "updated_at"}
    found = _read(Snapshot("groups/g:1/tail/last", data, NOW, NOW))
    assert found is not None
    return found


def test_what_fits_is_stored_as_it_is() -> None:
    tail = tail_of(2 * 512)

    assert fitting(tail) == tail
    assert len(stored(tail).unindexed) == 100


def test_what_is_owed_is_known_before_it_is_stored() -> None:
    tail = fitting(tail_of(2 * 3072))

    assert 1 < len(tail.unindexed) < 100
    assert [one.message_id for one in stored(tail).unindexed] == [
        one.message_id for one in tail.unindexed
    ]


def test_long_lines_that_press_well_are_kept() -> None:
    tail = tail_of(2 * 512, content="ha" * 2_000)

    assert sum(len(one.content) for one in tail.lines) * 4 > MAX_BYTES
    assert fitting(tail) == tail

"""What has no room in the tail leaves it as pages."""

import os
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.pages import PAGE_LINES, Page
from shared.domain.tail import PAGE_AFTER, Tail, TailChange, UnindexedLine, after_run
from shared.stores.firestore import Snapshot
from shared.stores.tails import MAX_BYTES, _read, paged_to_fit, put_tail

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def line(number: int, content: str = "hello", vector: bytes = b"") -> StoredMessage:
    return StoredMessage(
        group_id="g:1",
        message_id=f"m{number}",
        user_id="u",
        content=content,
        topic_id="t",
        create_time=NOW + timedelta(seconds=number),
        state=MessageState.ATTRIBUTED,
        vector=vector,
    )


def tail_of(bytes_a_vector: int, content: str = "hello") -> Tail:
    """A hundred lines, all of which the index has missed."""
    vector = os.urandom(bytes_a_vector)
    lines = [line(n, content, vector) for n in range(100)]
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

    assert paged_to_fit(tail) == (tail, [])
    assert stored(tail).lines == tail.lines


def test_what_has_no_room_leaves_as_pages_and_what_is_owed_is_known_before() -> None:
    whole = tail_of(2 * 3072)
    tail, pages = paged_to_fit(whole)

    assert 1 < len(tail.unindexed) < 100
    assert [one.message_id for page in pages for one in page.lines] + [
        one.message_id for one in tail.lines
    ] == [one.message_id for one in whole.lines]
    assert tail.reaches_back_to == tail.lines[0].create_time
    assert [one.message_id for one in stored(tail).unindexed] == [
        one.message_id for one in tail.unindexed
    ]
    assert stored(tail).pages == tail.pages == tuple(one.outline for one in pages)


def test_long_lines_that_press_well_are_kept() -> None:
    tail = tail_of(2 * 512, content="ha" * 2_000)

    assert sum(len(one.content) for one in tail.lines) * 4 > MAX_BYTES
    assert paged_to_fit(tail) == (tail, [])


@given(st.lists(st.integers(1, 150), min_size=1, max_size=6))
def test_no_line_is_lost_between_tail_and_pages(steps: list[int]) -> None:
    """Runs of any size: every line is in the tail or in one page, and only full pages leave."""
    tail, pages, said = Tail(1, NOW), list[Page](), 0
    for step in steps:
        tail = after_run(tail, TailChange(placed=[line(said + n) for n in range(step)]))
        said += step
        tail, more = paged_to_fit(tail)
        pages += more
    kept = [one.message_id for page in pages for one in page.lines]
    kept += [one.message_id for one in tail.lines]

    assert kept == [f"m{n}" for n in range(said)]
    assert all(len(one.lines) == PAGE_LINES for one in pages)
    assert len(tail.lines) <= PAGE_AFTER

"""A topic told again by the lines that stay."""

from datetime import UTC, datetime

import pytest

from shared.domain.forgetting.remaining_records import LinesLeft
from shared.domain.messages.stored_message import StoredMessage

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def lines(first: int, last: int) -> list[StoredMessage]:
    return [
        StoredMessage(
            group_id="g:1", message_id=f"m{n}", user_id=f"u{n % 3}", content="a line",
            create_time=NOON,
        )
        for n in range(first, last)
    ]  # fmt: skip


@pytest.mark.parametrize("sizes", [[5], [20], [21], [12, 12], [20, 20, 3], [0, 7, 0, 20, 1]])
def test_every_line_is_kept_or_counted_once(sizes: list[int]) -> None:
    """Pages come from the newest to the oldest."""
    total, left = sum(sizes), LinesLeft()
    at = total
    for size in sizes:
        left = left.before(lines(at - size, at), 20)
        at -= size

    assert [one.message_id for one in left.newest] == [
        f"m{n}" for n in range(max(0, total - 20), total)
    ]
    assert left.older == max(0, total - 20)
    assert set(left.older_users) == {f"u{n % 3}" for n in range(left.older)}
    assert (left.older_tokens > 0) == (left.older > 0)
    if left.older:
        assert left.older_users[0] == "u0"

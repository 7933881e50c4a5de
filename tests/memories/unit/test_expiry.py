"""Until when a memory holds: from its words, and what upkeep makes of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from shared.domain.memories.expiry import EXPIRED, expiry_in, is_expired
from shared.domain.memories.memory import Memory
from shared.domain.memories.upkeep import to_archive

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("the pool is closed until Friday", "2026-03-07"),
        ("I am on leave till March 20", "2026-03-21"),
        ("泳池维修，到3月20日为止", "2026-03-21"),
        ("我在外地，一直到周五结束", "2026-03-07"),
        ("we meet on Friday", None),
        ("I worked there until last year", None),
        ("我到3月20日的车站了", None),
    ],
)
def test_words_say_until_when(said: str, day: str | None) -> None:
    found = expiry_in([(said, MONDAY)])
    assert (found.date().isoformat() if found else None) == day


def test_a_day_ends_where_the_group_is() -> None:
    """Friday evening in UTC is Saturday in Shanghai: the Friday meant is the next one."""
    said = [("until Friday", datetime(2026, 3, 6, 18, tzinfo=UTC))]  # Saturday, 2:00, in Shanghai

    assert expiry_in(said) == datetime(2026, 3, 7, tzinfo=UTC)
    assert expiry_in(said, ZoneInfo("Asia/Shanghai")) == datetime(2026, 3, 13, 16, tzinfo=UTC)


def test_what_has_expired_is_archived_with_its_reason() -> None:
    memory = Memory("m", "g", "The pool is closed", 1, MONDAY, MONDAY)
    short = replace(memory, memory_id="n", expires_at=MONDAY + timedelta(days=1))
    later = MONDAY + timedelta(days=2)
    steps = to_archive([memory, short], threshold=0.2, max_active=30, run_id="r", now=later)

    assert not is_expired(short, MONDAY)
    assert [(one.new.memory_id, one.change.reason) for one in steps] == [("n", EXPIRED)]

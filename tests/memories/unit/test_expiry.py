"""What upkeep makes of a memory that held until some day."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from shared.domain.memories.memory import Memory, is_expired
from shared.domain.memories.upkeep import EXPIRED, to_archive

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_what_has_expired_is_archived_with_its_reason() -> None:
    memory = Memory("m", "g", "The pool is closed", 1, MONDAY, MONDAY)
    short = replace(memory, memory_id="n", valid_until=MONDAY + timedelta(days=1))
    later = MONDAY + timedelta(days=2)
    steps = to_archive([memory, short], threshold=0.2, max_active=30, run_id="r", now=later)

    assert not is_expired(short, MONDAY)
    assert [(one.new.memory_id, one.change.reason) for one in steps] == [("n", EXPIRED)]

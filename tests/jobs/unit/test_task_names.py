"""Names of tasks: when they are the same, when they differ, and what the service allows."""

import hashlib
import re
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.jobs.task_names import (
    GRACE,
    SLOT,
    attribute_slot,
    attribute_task_id,
    job_task_id,
)

GROUP = "lark:oc_1"
ALLOWED = re.compile(r"[A-Za-z0-9_-]{1,500}")
EVEN = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
FIRST = datetime(2020, 1, 1, tzinfo=UTC)
times = st.integers(0, 80 * 365 * 86_400 * 1_000_000).map(
    lambda microseconds: FIRST + timedelta(microseconds=microseconds)
)


def test_a_task_is_due_a_second_after_the_end_of_the_slot_that_follows_the_commit() -> None:
    bucket, due = attribute_slot(GROUP, EVEN)
    begins = due - GRACE - 2 * SLOT
    assert begins <= EVEN < begins + SLOT
    assert attribute_slot(GROUP, begins) == (bucket, due)


@given(times)
def test_messages_of_one_slot_share_a_task_and_the_next_slot_has_another(now: datetime) -> None:
    bucket, due = attribute_slot(GROUP, now)
    begins = due - GRACE - 2 * SLOT
    assert attribute_slot(GROUP, begins + SLOT - timedelta(microseconds=1)) == (bucket, due)
    assert attribute_slot(GROUP, begins + SLOT) == (bucket + 1, due + SLOT)


def test_the_tasks_of_many_groups_do_not_come_at_once() -> None:
    due = [attribute_slot(f"lark:oc_{number}", EVEN)[1] for number in range(200)]
    tenths = Counter((one - EVEN) // timedelta(milliseconds=100) for one in due)
    assert len(tenths) == SLOT / timedelta(milliseconds=100)
    assert max(tenths.values()) < 30


@given(st.text(), times)
def test_a_task_never_runs_before_all_of_its_messages_are_committed(
    group_id: str, now: datetime
) -> None:
    _, due = attribute_slot(group_id, now)
    assert SLOT + GRACE < due - now <= 2 * SLOT + GRACE


@given(times, st.integers(-12, 12))
def test_the_slot_is_the_same_in_every_time_zone(now: datetime, hours: int) -> None:
    elsewhere = now.astimezone(timezone(timedelta(hours=hours)))
    assert attribute_slot(GROUP, elsewhere) == attribute_slot(GROUP, now)


def test_a_name_starts_with_the_hash_of_its_cause() -> None:
    prefix = hashlib.sha256(b"lark:oc_1").hexdigest()[:16]
    assert attribute_task_id("lark:oc_1", 7) == f"{prefix}-7"
    assert job_task_id("lark:oc_1", 0) == f"{prefix}-0"


@given(st.text(), st.integers(0, 10**12))
def test_every_name_is_one_the_service_takes(cause: str, number: int) -> None:
    for name in (attribute_task_id(cause, number), job_task_id(cause, number)):
        assert ALLOWED.fullmatch(name)


def test_another_generation_is_another_name() -> None:
    assert job_task_id("job", 1) != job_task_id("job", 2)
    assert job_task_id("job", 1) != job_task_id("other", 1)

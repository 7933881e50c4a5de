"""Names of tasks: when they are the same, when they differ, and what the service allows."""

import hashlib
import re
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.jobs.attribution_tasks import (
    GRACE,
    attribute_slot,
    attribute_task_id,
    job_task_id,
)

GROUP = "lark:oc_1"
SLOT = timedelta(seconds=2)
ALLOWED = re.compile(r"[A-Za-z0-9_-]{1,500}")
EVEN = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
FIRST = datetime(2020, 1, 1, tzinfo=UTC)
times = st.integers(0, 80 * 365 * 86_400 * 1_000_000).map(
    lambda microseconds: FIRST + timedelta(microseconds=microseconds)
)


lengths = st.sampled_from([timedelta(seconds=one) for one in (0.5, 2, 20, 60, 3600)])


@given(times, lengths)
def test_messages_of_one_slot_share_a_task_and_the_next_slot_has_another(
    now: datetime, slot: timedelta
) -> None:
    bucket, due = attribute_slot(GROUP, now, slot)
    begins = due - GRACE - slot
    assert begins <= now < begins + slot
    assert attribute_slot(GROUP, begins, slot) == (bucket, due)
    last = begins + slot - timedelta(microseconds=1)
    assert attribute_slot(GROUP, last, slot) == (bucket, due)
    assert attribute_slot(GROUP, begins + slot, slot) == (bucket + 1, due + slot)


def test_the_tasks_of_many_groups_do_not_come_at_once() -> None:
    due = [attribute_slot(f"lark:oc_{number}", EVEN, SLOT)[1] for number in range(200)]
    tenths = Counter((one - EVEN) // timedelta(milliseconds=100) for one in due)
    assert len(tenths) == SLOT / timedelta(milliseconds=100)
    assert max(tenths.values()) < 30


@given(st.text(), times, lengths)
def test_a_task_never_runs_before_all_of_its_messages_are_committed(
    group_id: str, now: datetime, slot: timedelta
) -> None:
    _, due = attribute_slot(group_id, now, slot)
    assert GRACE < due - now <= slot + GRACE


@given(times, st.integers(-12, 12))
def test_the_slot_is_the_same_in_every_time_zone(now: datetime, hours: int) -> None:
    elsewhere = now.astimezone(timezone(timedelta(hours=hours)))
    assert attribute_slot(GROUP, elsewhere, SLOT) == attribute_slot(GROUP, now, SLOT)


def test_slots_of_different_lengths_never_share_a_name() -> None:
    assert attribute_task_id(GROUP, 7, SLOT) != attribute_task_id(GROUP, 7, 2 * SLOT)


def test_a_name_starts_with_the_hash_of_its_cause() -> None:
    prefix = hashlib.sha256(b"lark:oc_1").hexdigest()[:16]
    assert attribute_task_id("lark:oc_1", 7, SLOT) == f"{prefix}-2000-7"
    assert job_task_id("lark:oc_1", 0) == f"{prefix}-0"


@given(st.text(), st.integers(0, 10**12))
def test_every_name_is_one_the_service_takes(cause: str, number: int) -> None:
    for name in (attribute_task_id(cause, number, SLOT), job_task_id(cause, number)):
        assert ALLOWED.fullmatch(name)


def test_another_generation_is_another_name() -> None:
    assert job_task_id("job", 1) != job_task_id("job", 2)
    assert job_task_id("job", 1) != job_task_id("other", 1)

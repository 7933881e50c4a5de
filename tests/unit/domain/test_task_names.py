"""Names of tasks: when they are the same, when they differ, and what the service allows."""

import hashlib
import re
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.task_names import (
    GRACE,
    SLOT,
    attribute_slot,
    attribute_task_id,
    job_task_id,
)

ALLOWED = re.compile(r"[A-Za-z0-9_-]{1,500}")
EVEN = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
FIRST = datetime(2020, 1, 1, tzinfo=UTC)
times = st.integers(0, 80 * 365 * 86_400 * 1_000_000).map(
    lambda microseconds: FIRST + timedelta(microseconds=microseconds)
)


def test_the_task_is_due_a_second_after_the_end_of_the_slot_that_follows_the_commit() -> None:
    bucket, due = attribute_slot(EVEN + timedelta(seconds=0.5))
    assert due == EVEN + timedelta(seconds=5)
    assert bucket == EVEN.timestamp() // 2 + 1


def test_messages_of_one_slot_share_a_task_and_the_next_slot_has_another() -> None:
    first = attribute_slot(EVEN)
    assert attribute_slot(EVEN + timedelta(seconds=1.999999)) == first
    assert attribute_slot(EVEN + timedelta(seconds=2))[0] == first[0] + 1


@given(times)
def test_a_task_never_runs_before_all_of_its_messages_are_committed(now: datetime) -> None:
    _, due = attribute_slot(now)
    assert SLOT + GRACE < due - now <= 2 * SLOT + GRACE


@given(times, st.integers(-12, 12))
def test_the_slot_is_the_same_in_every_time_zone(now: datetime, hours: int) -> None:
    elsewhere = now.astimezone(timezone(timedelta(hours=hours)))
    assert attribute_slot(elsewhere) == attribute_slot(now)


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

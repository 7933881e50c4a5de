"""The token bucket and the limit on concurrency."""

from hypothesis import given
from hypothesis import strategies as st

from infra.emulators.tasks.pacing import (
    Bucket,
    Limits,
    allowance,
    burst_for,
    full,
    next_token_us,
    refilled,
    taken,
)

SECOND = 1_000_000
LIMITS = Limits(rate_per_second=2, burst=10, concurrency=5)


def test_a_full_bucket_allows_a_burst_within_the_concurrency() -> None:
    assert allowance(full(LIMITS, 0), LIMITS, running=0) == 5
    assert allowance(full(LIMITS, 0), LIMITS, running=4) == 1
    assert allowance(full(LIMITS, 0), LIMITS, running=9) == 0


def test_tokens_come_back_at_the_rate_and_no_more_than_the_burst() -> None:
    empty = Bucket(0.0, 0)
    assert refilled(empty, LIMITS, SECOND).tokens == 2
    assert refilled(empty, LIMITS, 60 * SECOND).tokens == 10


def test_a_clock_set_back_takes_nothing_away() -> None:
    assert refilled(Bucket(3.0, 60 * SECOND), LIMITS, 0) == Bucket(3.0, 0)


def test_the_wait_is_until_a_whole_token_is_there() -> None:
    assert next_token_us(Bucket(0.5, 0), LIMITS) == SECOND // 4
    assert next_token_us(Bucket(1.0, 0), LIMITS) == 0


def test_the_burst_is_the_one_the_service_shows() -> None:
    assert [burst_for(rate) for rate in (0.5, 1, 10, 20.5, 500)] == [10, 10, 10, 21, 100]


@given(st.lists(st.integers(0, SECOND), min_size=1, max_size=60), st.floats(0.1, 500))
def test_no_span_sees_more_than_the_burst_and_the_rate_allow(steps: list[int], rate: float) -> None:
    limits = Limits(rate, 10, 1000)
    bucket, now, sent = full(limits, 0), 0, 0
    for step in steps:
        now += step
        bucket = refilled(bucket, limits, now)
        count = allowance(bucket, limits, running=0)
        bucket, sent = taken(bucket, count), sent + count
    assert sent <= limits.burst + rate * now / SECOND + 1e-6

"""When a task is tried again and when it is given up."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.emulators.tasks.backoff import (
    RETENTION_US,
    History,
    RetryPolicy,
    interval_us,
    is_exhausted,
    next_attempt_us,
)

SECOND = 1_000_000
POLICY = RetryPolicy(
    max_attempts=5,
    max_retry_us=0,
    min_backoff_us=10 * SECOND,
    max_backoff_us=300 * SECOND,
    max_doublings=3,
)
FAILED_ONCE = History(dispatches=1, failures=1, first_dispatch_us=0, created_us=0)


def intervals_s(policy: RetryPolicy, count: int) -> list[float]:
    return [interval_us(policy, retry) / SECOND for retry in range(1, count + 1)]


def test_the_documented_example() -> None:
    assert intervals_s(POLICY, 9) == [10, 20, 40, 80, 160, 240, 300, 300, 300]


def test_without_doublings_it_grows_by_the_minimum() -> None:
    policy = replace(POLICY, max_doublings=0, max_backoff_us=45 * SECOND)
    assert intervals_s(policy, 6) == [10, 20, 30, 40, 45, 45]


def test_with_many_doublings_it_only_doubles_up_to_the_maximum() -> None:
    policy = replace(POLICY, max_doublings=16, max_backoff_us=100 * SECOND)
    assert intervals_s(policy, 6) == [10, 20, 40, 80, 100, 100]


def test_a_minimum_equal_to_the_maximum_is_constant() -> None:
    policy = replace(POLICY, max_backoff_us=10 * SECOND)
    assert set(intervals_s(policy, 10)) == {10}


def test_fractions_of_a_second_are_kept() -> None:
    policy = replace(POLICY, min_backoff_us=100_000, max_backoff_us=SECOND, max_doublings=2)
    assert intervals_s(policy, 6) == [0.1, 0.2, 0.4, 0.8, 1, 1]


def test_absurd_settings_cost_nothing() -> None:
    policy = replace(POLICY, max_doublings=2**31 - 1)
    assert interval_us(policy, 2**31 - 1) == policy.max_backoff_us


policies = st.builds(
    RetryPolicy,
    max_attempts=st.integers(-1, 100),
    max_retry_us=st.just(0),
    min_backoff_us=st.integers(1, 10 * SECOND),
    max_backoff_us=st.integers(10 * SECOND, 3600 * SECOND),
    max_doublings=st.integers(0, 40),
)


@given(policies)
def test_the_wait_never_shrinks_and_stays_within_its_bounds(policy: RetryPolicy) -> None:
    waits = [interval_us(policy, retry) for retry in range(1, 80)]
    assert waits[0] == policy.min_backoff_us
    assert all(earlier <= later for earlier, later in itertools.pairwise(waits))
    assert max(waits) <= policy.max_backoff_us


@given(policies)
def test_each_step_doubles_first_and_is_constant_after(policy: RetryPolicy) -> None:
    capless = replace(policy, max_backoff_us=2**80)
    waits = [interval_us(capless, retry) for retry in range(1, 60)]
    for retry, (earlier, later) in enumerate(itertools.pairwise(waits), start=1):
        if retry <= policy.max_doublings:
            assert later == 2 * earlier
        else:
            assert later - earlier == policy.min_backoff_us * 2**policy.max_doublings


def test_a_failed_attempt_is_followed_by_the_next_interval() -> None:
    history = History(dispatches=3, failures=3, first_dispatch_us=0, created_us=0)
    assert next_attempt_us(POLICY, history, 7 * SECOND) == 47 * SECOND


def test_it_is_given_up_after_exactly_its_attempts() -> None:
    given_up = [
        next_attempt_us(POLICY, replace(FAILED_ONCE, dispatches=n, failures=n), 0) is None
        for n in range(1, 6)
    ]
    assert given_up == [False, False, False, False, True]


def test_one_attempt_means_no_retry() -> None:
    assert next_attempt_us(replace(POLICY, max_attempts=1), FAILED_ONCE, 0) is None


def test_an_attempt_cut_off_by_a_crash_does_not_count_but_lengthens_the_wait() -> None:
    history = History(dispatches=6, failures=4, first_dispatch_us=0, created_us=0)
    assert next_attempt_us(POLICY, history, 0) == interval_us(POLICY, 6)


def test_with_both_limits_both_must_be_reached() -> None:
    policy = replace(POLICY, max_attempts=2, max_retry_us=60 * SECOND)
    twice = replace(FAILED_ONCE, dispatches=2, failures=2)
    assert not is_exhausted(policy, twice, 59 * SECOND)
    assert not is_exhausted(policy, FAILED_ONCE, 61 * SECOND)
    assert is_exhausted(policy, twice, 60 * SECOND)


def test_unlimited_attempts_end_with_the_duration() -> None:
    policy = replace(POLICY, max_attempts=-1, max_retry_us=60 * SECOND)
    often = replace(FAILED_ONCE, failures=1000, first_dispatch_us=5 * SECOND)
    assert not is_exhausted(policy, often, 64 * SECOND)
    assert is_exhausted(policy, often, 65 * SECOND)


@pytest.mark.parametrize("attempts", [-1, 100])
def test_nothing_outlives_the_retention(attempts: int) -> None:
    policy = replace(POLICY, max_attempts=attempts)
    assert not is_exhausted(policy, FAILED_ONCE, RETENTION_US - 1)
    assert is_exhausted(policy, FAILED_ONCE, RETENTION_US)

"""A queue whose target says that it is overloaded."""

from hypothesis import given
from hypothesis import strategies as st

from infra.emulators.tasks.pacing import (
    UNSLOWED,
    Limits,
    Throttle,
    overloaded,
    recovered,
    slowed,
)

SECOND = 1_000_000
LIMITS = Limits(rate_per_second=64, burst=64, concurrency=20)


def test_answers_within_a_second_halve_the_rate_once() -> None:
    throttle = UNSLOWED
    for at in (100 * SECOND, 100 * SECOND + 5, 100 * SECOND + 999_999):
        throttle = overloaded(throttle, at)
    assert slowed(LIMITS, throttle) == Limits(32, 32, 10)


def test_one_that_stays_overloaded_gets_a_trickle_and_never_nothing() -> None:
    throttle = UNSLOWED
    for second in range(60):
        throttle = overloaded(throttle, second * SECOND)
    limits = slowed(LIMITS, throttle)
    assert 1 <= limits.rate_per_second <= 3
    assert (limits.burst, limits.concurrency) >= (1, 1)


def test_the_rate_comes_back_by_itself() -> None:
    throttle = overloaded(UNSLOWED, SECOND)
    assert slowed(LIMITS, recovered(throttle, 12 * SECOND)) == LIMITS


def test_a_target_that_names_a_time_is_left_alone_until_then() -> None:
    throttle = overloaded(UNSLOWED, SECOND, retry_after_us=30 * SECOND)
    assert throttle.not_before_us == 31 * SECOND


@given(share=st.floats(1 / 32, 1), at=st.integers(0, 10**9), later=st.integers(0, 10**9))
def test_recovery_never_goes_back_nor_beyond_the_whole(share: float, at: int, later: int) -> None:
    assert share <= recovered(Throttle(share, at), at + later).share <= 1

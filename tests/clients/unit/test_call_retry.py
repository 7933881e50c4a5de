"""When a failed call is tried again."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.clients.call_retry import LEAST_CALL_S, RetryPolicy, next_delay, retry_after

POLICY = RetryPolicy(attempts=4, first_s=0.5, longest_s=3.0)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
chances = st.floats(0, 1)


def test_delays_double_up_to_the_longest() -> None:
    policy = RetryPolicy(attempts=10, first_s=0.5, longest_s=3.0)
    delays = [next_delay(policy, failures=n, left_s=60, chance=1.0) for n in (1, 2, 3, 4, 5)]
    assert delays == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_it_gives_up_after_the_last_attempt() -> None:
    assert next_delay(POLICY, failures=3, left_s=60) is not None
    assert next_delay(POLICY, failures=4, left_s=60) is None


@given(st.integers(1, 3), chances)
def test_the_spread_lies_between_half_the_delay_and_all_of_it(failures: int, chance: float) -> None:
    whole = next_delay(POLICY, failures=failures, left_s=60, chance=1.0)
    delay = next_delay(POLICY, failures=failures, left_s=60, chance=chance)
    assert whole is not None
    assert delay is not None
    assert whole / 2 <= delay <= whole


@given(st.integers(1, 3), chances, st.floats(0, 30))
def test_it_never_comes_back_sooner_than_asked(failures: int, chance: float, asked: float) -> None:
    delay = next_delay(POLICY, failures=failures, left_s=3600, asked_s=asked, chance=chance)
    assert delay is not None
    assert delay >= asked


@given(st.integers(0, 9), chances, st.none() | st.floats(0, 1e6), st.floats(0, 60))
def test_waiting_never_eats_the_whole_budget(
    failures: int, chance: float, asked: float | None, left: float
) -> None:
    delay = next_delay(POLICY, failures=failures, left_s=left, asked_s=asked, chance=chance)
    assert delay is None or 0 <= delay <= left - LEAST_CALL_S


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "7"}, 1.5),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds

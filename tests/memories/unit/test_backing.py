"""One voice, however often it says a thing, is one voice."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.memories.backing import APART, is_backed

MIDNIGHT = datetime(2026, 3, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def test_two_minutes_around_midnight_are_no_two_days() -> None:
    assert not is_backed(["ann"], [MIDNIGHT - MINUTE, MIDNIGHT + MINUTE])
    assert is_backed(["ann"], [MIDNIGHT, MIDNIGHT + APART])
    assert is_backed(["ann", "bob"], [MIDNIGHT])


@given(st.lists(st.timedeltas(timedelta(0), APART - MINUTE), min_size=1, max_size=50))
def test_however_often_within_a_day_is_once(moments: list[timedelta]) -> None:
    assert not is_backed(["ann"] * len(moments), [MIDNIGHT + one for one in moments])

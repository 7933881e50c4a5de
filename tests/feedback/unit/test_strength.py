"""How memories grow by being used and fade by being passed over."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.feedback.references import StrengthRules, weighed
from shared.domain.memories.memory import Memory, MemoryStatus

NOW = datetime(2026, 3, 1, tzinfo=UTC)
RULES = StrengthRules(up=0.05, down=0.02)
ONE = Memory("k1", "g:1", "Ann rows", 1, NOW, NOW, strength=0.5)


def test_what_is_used_grows_and_what_is_not_fades() -> None:
    (used,) = weighed([ONE], {"k1"}, RULES, NOW)
    (passed_over,) = weighed([ONE], set(), RULES, NOW)

    assert used.strength == pytest.approx(0.55)
    assert used.faded_at is None
    assert passed_over.strength == pytest.approx(0.48)
    assert passed_over.faded_at == NOW


def test_it_fades_once_a_day_and_no_oftener() -> None:
    faded = replace(ONE, faded_at=NOW)

    assert weighed([faded], set(), RULES, NOW + timedelta(hours=23)) == []
    assert len(weighed([faded], set(), RULES, NOW + timedelta(hours=24))) == 1


def test_a_core_memory_never_fades_but_grows() -> None:
    core = replace(ONE, core=True, strength=0.9)

    assert weighed([core], set(), RULES, NOW) == []
    assert weighed([core], {"k1"}, RULES, NOW)[0].strength == pytest.approx(0.95)


@pytest.mark.parametrize("status", [MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED])
def test_a_memory_that_is_no_longer_active_does_not_move(status: MemoryStatus) -> None:
    assert weighed([replace(ONE, status=status)], {"k1"}, RULES, NOW) == []


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_strength_stays_between_nothing_and_all(
    strength: float, up: float, down: float, is_used: bool
) -> None:
    memory = replace(ONE, strength=strength)
    for one in weighed([memory], {"k1"} if is_used else set(), StrengthRules(up, down), NOW):
        assert 0 <= one.strength <= 1

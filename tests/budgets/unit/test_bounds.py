"""Prices and bounds of a day."""

import pytest

from shared.config import load
from shared.domain.usage import CallCounts, Price, SpendingBounds, price_table


def test_a_price_is_dollars_a_million_tokens() -> None:
    table = price_table(["small=0.15/0.60", "embedder=0.02"])
    assert table == {"small": Price(0.15, 0.60), "embedder": Price(0.02, 0.0)}
    assert table["small"].dollars(1_000_000, 500_000) == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("bounds", "reached"),
    [
        (SpendingBounds(), None),
        (SpendingBounds(calls=4), None),
        (SpendingBounds(calls=3), "3 calls"),
        (SpendingBounds(tokens=120), "120 tokens"),
        (SpendingBounds(dollars=0.5), "0.5 dollars"),
        (SpendingBounds(calls=9, tokens=200, dollars=1), None),
    ],
)
def test_a_day_reaches_its_bounds(bounds: SpendingBounds, reached: str | None) -> None:
    assert bounds.reached_by(CallCounts(3, 100, 20, 0.5)) == reached


def test_what_is_no_price_gives_way_with_a_warning() -> None:
    settings, problems = load({"MEMORY_PRICES": "small=cheap"})
    assert settings.prices == ()
    assert any("MEMORY_PRICES" in one.message for one in problems)


def test_each_task_may_have_its_own_place_and_key() -> None:
    settings, problems = load(
        {
            "MEMORY_BASE_URL_PROFILE_MERGE": "http://127.0.0.1:9/v1",
            "MEMORY_TASK_API_KEYS": "profile_merge=sk-1, memory_evolve=sk-2",
        }
    )
    own = vars(settings)
    assert not [one for one in problems if not one.is_security]
    assert own["base_url_profile_merge"] == "http://127.0.0.1:9/v1"
    assert own["base_url_memory_evolve"] is None
    assert settings.task_api_keys == ("profile_merge=sk-1", "memory_evolve=sk-2")

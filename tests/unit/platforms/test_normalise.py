"""Every payload under `tests/fixtures/platforms` becomes what its file says."""

from types import ModuleType

import pytest

from shared.platforms import discord, lark, onebot, slack, telegram
from tests.unit.platforms.fixtures import Case, as_json, cases

MODULES: dict[str, ModuleType] = {
    "lark": lark,
    "onebot": onebot,
    "slack": slack,
    "telegram": telegram,
    "discord": discord,
}


@pytest.mark.parametrize("case", cases(), ids=str)
def test_a_payload_becomes_what_its_fixture_says(case: Case) -> None:
    arrivals = MODULES[case.platform].normalise(case.payload)

    assert [as_json(arrival) for arrival in arrivals] == case.arrivals

"""Every payload under `tests/fixtures/platforms` becomes what its file says."""

import pytest

from shared.errors import InvalidInput
from shared.platforms import discord, telegram
from tests.platforms.clients import MODULES
from tests.platforms.fixtures import Case, as_json, cases


@pytest.mark.parametrize("case", cases(), ids=str)
def test_a_payload_becomes_what_its_fixture_says(case: Case) -> None:
    arrivals = MODULES[case.platform].normalise(case.payload)

    assert [as_json(arrival) for arrival in arrivals] == case.arrivals


def test_half_a_character_does_not_reach_the_store() -> None:
    case = next(each for each in cases("telegram") if each.name == "text")
    torn = {**case.payload, "message": {**case.payload["message"], "text": "hi \ud83d"}}

    (message,) = telegram.normalise(torn)

    assert as_json(message)["content"] == "hi \ufffd"


def test_a_text_that_is_too_long_is_cut_not_lost() -> None:
    case = next(each for each in cases("discord") if each.name == "text")
    long = {**case.payload, "d": {**case.payload["d"], "content": "字" * 30_000}}

    (message,) = discord.normalise(long)

    content = as_json(message)["content"]
    assert content.endswith("字…")
    assert 65_530 <= len(content.encode()) <= 65_536


@pytest.mark.parametrize("platform", MODULES)
def test_what_is_missing_is_named_by_its_path(platform: str) -> None:
    payload = {
        "lark": {"header": {"event_type": "im.message.receive_v1"}, "event": {"sender": {}}},
        "onebot": {"post_type": "message", "message": "hi", "user_id": 1},
        "slack": {"type": "event_callback", "event": {"type": "message", "text": "hi"}},
        "telegram": {"message": {"text": "hi"}},
        "discord": {"t": "MESSAGE_CREATE", "d": {"content": "hi"}},
    }[platform]

    with pytest.raises(InvalidInput, match=r"the payload lacks [a-z_.]+"):
        MODULES[platform].normalise(payload)

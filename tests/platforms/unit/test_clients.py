"""What public clients send becomes what a reader of the chat would say happened."""

from collections import Counter

import pytest

from shared.platforms import discord, lark, onebot, slack, telegram
from shared.platforms.receive import PLATFORMS as RECEIVED
from shared.platforms.webhook import Secrets
from tests.platforms.clients import discord as discord_clients
from tests.platforms.clients import lark as lark_clients
from tests.platforms.clients import onebot as onebot_clients
from tests.platforms.clients import slack as slack_clients
from tests.platforms.clients import telegram as telegram_clients
from tests.platforms.clients.case import ClientCase
from tests.platforms.fixtures import as_json

KNOWN = Secrets(lark_bot_open_id=lark_clients.BOT_OPEN_ID)
PLATFORMS = {
    "lark": (lark.normalise, lark_clients.CASES),
    "onebot": (onebot.normalise, onebot_clients.CASES),
    "slack": (slack.normalise, slack_clients.CASES),
    "telegram": (telegram.normalise, telegram_clients.CASES),
    "discord": (discord.normalise, discord_clients.CASES),
}
assert set(PLATFORMS) == set(RECEIVED), "every platform has payloads of its clients"
ALL = [(platform, case) for platform, (_, cases) in PLATFORMS.items() for case in cases]


@pytest.mark.parametrize(("platform", "case"), ALL, ids=str)
def test_a_clients_payload_becomes_what_was_meant(platform: str, case: ClientCase) -> None:
    if platform == "lark":
        (arrival,) = lark.normalise(case.payload, KNOWN)
    else:
        (arrival,) = PLATFORMS[platform][0](case.payload)

    told = as_json(arrival)

    assert {name: told.get(name) for name in case.becomes} == case.becomes


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_platform_is_tried_in_the_forms_of_two_clients(platform: str) -> None:
    clients = Counter(case.client for case in PLATFORMS[platform][1])

    assert len(clients) >= 2, "two clients, or two versions of the sender"
    assert clients.total() >= 25

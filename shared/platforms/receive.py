"""The one way in: a platform's name and a raw request give what arrived and what to answer.

To add a platform, write a module with `receive(webhook, secrets)` and name it here.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from shared.errors import NotFound
from shared.platforms import discord, lark, onebot, slack, telegram
from shared.platforms.webhook import Received, Secrets, Webhook

_PLATFORMS: dict[str, Callable[[Webhook, Secrets], Received]] = {
    "lark": lark.receive,
    "onebot": onebot.receive,
    "slack": slack.receive,
    "telegram": telegram.receive,
    "discord": discord.receive,
}

RELAYED = frozenset({"discord"})
"""Platforms whose requests prove nothing by themselves: the route asks for an API key."""


def receive(
    platform: str, headers: Mapping[str, str], body: bytes, secrets: Secrets, now: datetime
) -> Received:
    """Verify, then normalise.

    Raises Unauthenticated for what the platform did not send, InvalidInput for what cannot be
    read, Misconfigured naming the secret that is not set, NotFound for an unknown platform.
    """
    if platform not in _PLATFORMS:
        raise NotFound(f"there is no platform {platform!r}: {', '.join(_PLATFORMS)}")
    return _PLATFORMS[platform](Webhook(headers, body, now), secrets)

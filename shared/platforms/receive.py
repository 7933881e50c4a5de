"""The one way in: a platform's name and a raw request give what arrived and what to answer.

To add a platform, write a module with `receive(webhook, secrets)` and name it here.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from shared.errors import NotFound
from shared.platforms import discord, lark, onebot, slack, telegram
from shared.platforms.webhook import Received, Secrets, Webhook

PLATFORMS: dict[str, Callable[[Webhook, Secrets], Received]] = {
    "lark": lark.receive,
    "onebot": onebot.receive,
    "slack": slack.receive,
    "telegram": telegram.receive,
    "discord": discord.receive,
}

_RELAYED: dict[str, Callable[[Webhook, Secrets], Received]] = {
    "discord": discord.receive,
    "onebot": onebot.receive_relayed,
}


def is_relayed(platform: str, headers: Mapping[str, str]) -> bool:
    """Whether a bot passes on what it saw. Such a request proves nothing by itself: the route
    asks for an API key. Discord's are always relayed; OneBot's are if they come with a key instead
    of a signature."""
    named = {name.lower() for name, value in headers.items() if value}
    has_key_alone = "authorization" in named and "x-signature" not in named
    return platform == "discord" or (platform in _RELAYED and has_key_alone)


def receive(
    platform: str,
    headers: Mapping[str, str],
    body: bytes,
    secrets: Secrets,
    now: datetime,
    *,
    is_trusted: bool = False,
) -> Received:
    """Verify, then normalise; `is_trusted` says that the route knows the sender by its API key.

    Raises Unauthenticated for what the platform did not send, InvalidInput for what cannot be
    read, Misconfigured naming the secret that is not set, NotFound for an unknown platform.
    """
    if platform not in PLATFORMS:
        raise NotFound(f"there is no platform {platform!r}: {', '.join(PLATFORMS)}")
    readers = _RELAYED if is_trusted and platform in _RELAYED else PLATFORMS
    return readers[platform](Webhook(headers, body, now), secrets)

"""Every platform, the one way in for its webhook, and whether it is set up here."""

from collections.abc import Mapping
from datetime import datetime

from shared.errors import NotFound
from shared.platforms import discord, lark, onebot, slack, telegram
from shared.platforms.platform import Platform, Received, Secrets, SetupCheck, Webhook

PLATFORMS: dict[str, Platform] = {
    platform.name: platform
    for platform in (
        lark.PLATFORM,
        onebot.PLATFORM,
        slack.PLATFORM,
        telegram.PLATFORM,
        discord.PLATFORM,
    )
}


def platform_named(name: str) -> Platform:
    """NotFound for one that is not known here."""
    if name not in PLATFORMS:
        raise NotFound(f"there is no platform {name!r}: {', '.join(PLATFORMS)}")
    return PLATFORMS[name]


def is_relayed(platform: str, headers: Mapping[str, str]) -> bool:
    """Whether a bot passes on what it saw. Such a request proves nothing by itself: the route
    asks for an API key. A platform that signs is relayed if a key comes instead of a signature."""
    known = platform_named(platform)
    named = {name.lower() for name, value in headers.items() if value}
    has_key_alone = "authorization" in named and "x-signature" not in named
    return known.is_always_relayed or (known.receive_relayed is not None and has_key_alone)


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
    known = platform_named(platform)
    read = known.receive_relayed if is_trusted and known.receive_relayed else known.receive
    return read(Webhook(headers, body, now), secrets)


def check_setup(platform: str, secrets: Secrets, *, has_arrived: bool) -> list[SetupCheck]:
    """What can be told without asking the platform; `has_arrived`: whether any group of it is
    known here. What only the platform knows (scopes, events, the address it sends to) stands in
    the advice of the last check."""
    known = platform_named(platform)
    checks = [_is_set(name, secrets) for name in known.secrets]
    checks += known.checks(secrets)
    advice = "" if has_arrived else f"nothing has arrived: {known.if_nothing_arrives}"
    return [*checks, SetupCheck("a message has arrived", has_arrived, advice)]


def is_ready(checks: list[SetupCheck]) -> bool:
    return all(check.passed for check in checks if check.is_needed)


def _is_set(name: str, secrets: Secrets) -> SetupCheck:
    is_set = bool(secrets.get(name))
    advice = "" if is_set else f"set {name.upper()} and start ingest_message anew"
    return SetupCheck(f"{name.upper()} is set", is_set, advice)

"""Whether a platform is set up here, as far as that can be told without asking it. Pure.

What only the platform knows (scopes, events, the address it sends to) stands in the advice of the
last check: nothing has arrived yet.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from shared.platforms.webhook import Secrets

_TELEGRAM_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,256}")
"""What setWebhook takes as a secret token."""
_SLACK_SECRET = re.compile(r"[0-9a-f]{32}")
"""What Slack shows under Basic Information; the local cloud's is longer."""

NEEDED: Mapping[str, tuple[str, ...]] = {
    "lark": ("lark_encrypt_key", "lark_verification_token"),
    "onebot": ("onebot_secret",),
    "slack": ("slack_signing_secret",),
    "telegram": ("telegram_secret_token",),
    "discord": (),
}
"""The settings without which a platform's webhook answers 503."""

_NOTHING_CAME = {
    "lark": "publish a version of the app, subscribe to im.message.receive_v1 with this address, "
    "grant im:message.group_msg, and add the bot to a group",
    "onebot": "give the client this address as an HTTP client (HTTP POST) and ONEBOT_SECRET as its "
    "token, enable it, and say something in a group",
    "slack": "enable Event Subscriptions with this address, subscribe to message.channels, "
    "reinstall the app, and invite it to a channel",
    "telegram": "call setWebhook with this address and TELEGRAM_SECRET_TOKEN, turn off privacy "
    "mode with BotFather, and add the bot to the group anew",
    "discord": "run a relay with a key of scope ingest, turn on the Message Content intent, and "
    "say something where the bot can read",
}


@dataclass(frozen=True)
class SetupCheck:
    """`advice` says what to do; it is empty where the check passed. A check that is not
    `is_needed` may fail, and messages still arrive."""

    name: str
    passed: bool
    advice: str = ""
    is_needed: bool = True


def check_setup(platform: str, secrets: Secrets, *, has_arrived: bool) -> list[SetupCheck]:
    """`has_arrived`: whether any group of the platform is known here."""
    checks = [_is_set(name, getattr(secrets, name)) for name in NEEDED[platform]]
    checks += _shapes(platform, secrets)
    advice = "" if has_arrived else f"nothing has arrived: {_NOTHING_CAME[platform]}"
    return [*checks, SetupCheck("a message has arrived", has_arrived, advice)]


def is_ready(checks: list[SetupCheck]) -> bool:
    return all(check.passed for check in checks if check.is_needed)


def _is_set(name: str, value: str | None) -> SetupCheck:
    advice = "" if value else f"set {name.upper()} and start ingest_message anew"
    return SetupCheck(f"{name.upper()} is set", bool(value), advice)


def _shapes(platform: str, secrets: Secrets) -> list[SetupCheck]:
    """Values that are set but cannot be what the platform gave."""
    if platform == "lark":
        given = secrets.lark_bot_open_id or ""
        advice = (
            "set LARK_BOT_OPEN_ID to the bot's open_id (ou_...): else a mention of the bot is only "
            "known where Lark says mentioned_type"
        )
        ok = given.startswith("ou_")
        name = "LARK_BOT_OPEN_ID is an open id"
        return [SetupCheck(name, ok, "" if ok else advice, is_needed=False)]
    if platform == "telegram" and (token := secrets.telegram_secret_token):
        ok = bool(_TELEGRAM_TOKEN.fullmatch(token))
        advice = "" if ok else "setWebhook takes 1 to 256 characters of A-Z, a-z, 0-9, _ and -"
        return [SetupCheck("TELEGRAM_SECRET_TOKEN can be given to setWebhook", ok, advice)]
    if platform == "slack" and (secret := secrets.slack_signing_secret):
        ok = bool(_SLACK_SECRET.fullmatch(secret))
        advice = "" if ok else "copy it from Basic Information, not the verification token"
        name = "SLACK_SIGNING_SECRET looks like one"
        return [SetupCheck(name, ok, advice, is_needed=False)]
    return []

"""What every platform's door shares: the request, the secrets, the answer, safe comparison."""

import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any

from shared.domain.messages.message import Arrival
from shared.errors import InvalidInput, Misconfigured, Unauthenticated


@dataclass(frozen=True)
class Webhook:
    """One request as it came: raw bytes, because signatures cover bytes."""

    headers: Mapping[str, str]
    body: bytes
    now: datetime

    def header(self, name: str) -> str:
        """The header's value by its lower-case name, empty if it is not there."""
        for key, value in self.headers.items():
            if key.lower() == name:
                return value
        return ""


@dataclass(frozen=True)
class Secrets:
    """What a deployment knows of its platforms, one field a setting, of the same name in lower
    case; unset is None."""

    lark_encrypt_key: str | None = None
    lark_verification_token: str | None = None
    lark_bot_open_id: str | None = None
    onebot_secret: str | None = None
    slack_signing_secret: str | None = None
    telegram_secret_token: str | None = None

    @classmethod
    def of(cls, settings: object) -> "Secrets":
        """Those that the settings have."""
        return cls(**{one.name: getattr(settings, one.name) for one in fields(cls)})

    def need(self, name: str) -> str:
        """The secret, or Misconfigured naming the setting that would hold it."""
        secret: str | None = getattr(self, name)
        if not secret:
            raise Misconfigured(f"{name.upper()} is not set", setting=name.upper())
        return secret


@dataclass(frozen=True)
class WebhookAnswer:
    """What the platform wants to hear; without a body the answer is empty."""

    status: int = 200
    body: Mapping[str, Any] | None = field(default_factory=dict)


@dataclass(frozen=True)
class Received:
    arrivals: list[Arrival]
    answer: WebhookAnswer


def same(given: str, expected: str) -> bool:
    """Compares in constant time; any text is allowed, also what is not ASCII."""
    return hmac.compare_digest(
        given.encode(errors="surrogatepass"), expected.encode(errors="surrogatepass")
    )


def check_fresh(timestamp: str, now: datetime, within: timedelta) -> None:
    """Refuses a request whose signed time (seconds, plain digits) is too far from now."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise Unauthenticated("the request's timestamp is missing or no number")
    if abs(now.timestamp() - int(timestamp)) > within.total_seconds():
        raise Unauthenticated("the request's timestamp is too far from now")


def parse_object(body: bytes) -> dict[str, Any]:
    """The body as a JSON object in UTF-8; anything else is InvalidInput."""
    try:
        value = json.loads(body.decode())
    except (ValueError, RecursionError) as error:
        raise InvalidInput("the body is not JSON in UTF-8") from error
    if not isinstance(value, dict):
        raise InvalidInput("the body is not a JSON object")
    return value

"""What every platform's module shares: the request, the secrets, the answer, and its descriptor.

A platform is one module that exports a `Platform`; `registry.py` names it, and every list of
platforms is made from there.
"""

import hmac
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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


class Secrets(dict[str, str]):
    """What a deployment knows of its platforms, by the names of the settings; unset ones are left
    out."""

    def need(self, name: str) -> str:
        """The secret, or Misconfigured naming the setting that would hold it."""
        if not self.get(name):
            raise Misconfigured(f"{name.upper()} is not set", setting=name.upper())
        return self[name]


@dataclass(frozen=True)
class WebhookAnswer:
    """What the platform wants to hear; without a body the answer is empty."""

    status: int = 200
    body: Mapping[str, Any] | None = field(default_factory=dict)


@dataclass(frozen=True)
class Received:
    arrivals: list[Arrival]
    answer: WebhookAnswer


@dataclass(frozen=True)
class SetupCheck:
    """`advice` says what to do; it is empty where the check passed. A check that is not
    `is_needed` may fail, and messages still arrive."""

    name: str
    passed: bool
    advice: str = ""
    is_needed: bool = True


Receive = Callable[[Webhook, Secrets], Received]


def _no_checks(_secrets: Secrets) -> list[SetupCheck]:
    return []


@dataclass(frozen=True, kw_only=True)
class Platform:
    """A chat platform: how its webhook is read, and what its owner has to set up.

    `receive` verifies and normalises one request, with the settings in `secrets`, without which it
    answers 503. `receive_relayed` reads what a bot passes on that showed an API key; it is the only
    way in where `is_always_relayed`. `checks` finds values that are set but cannot be right;
    `if_nothing_arrives` says what to click. `page` is its name under docs/platforms.
    """

    name: str
    receive: Receive
    secrets: tuple[str, ...] = ()
    if_nothing_arrives: str
    page: str
    receive_relayed: Receive | None = None
    is_always_relayed: bool = False
    checks: Callable[[Secrets], list[SetupCheck]] = _no_checks


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

"""Requests as the platforms send them: encrypted and signed."""

import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from shared.platforms import registry
from shared.platforms.platform import Received, Secrets
from tests.platforms.clients import CLIENTS

NOW = datetime(2023, 11, 14, 22, 13, 21, tzinfo=UTC)
SECRETS = Secrets(
    {name: value for client in CLIENTS.values() for name, value in client.SECRETS.items()}
)


@dataclass(frozen=True)
class Request:
    platform: str
    headers: dict[str, str]
    body: bytes

    def with_header(self, name: str, value: str | None) -> "Request":
        """The same with one header changed, or without it."""
        headers = {key: old for key, old in self.headers.items() if key != name}
        return replace(self, headers=headers if value is None else {**headers, name: value})

    def received(self, secrets: Secrets = SECRETS, now: datetime = NOW) -> Received:
        return registry.receive(self.platform, self.headers, self.body, secrets, now)


def send(
    platform: str, payload: dict[str, Any], secrets: Secrets = SECRETS, now: datetime = NOW
) -> Request:
    body = json.dumps(payload, ensure_ascii=False).encode()
    headers, body = CLIENTS[platform].signed(body, secrets, now)
    return Request(platform, headers, body)

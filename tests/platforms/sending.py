"""What the platforms do before they send: encrypt and sign, written from their documents."""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC

from shared.platforms import receive
from shared.platforms.webhook import Received, Secrets

NOW = datetime(2023, 11, 14, 22, 13, 21, tzinfo=UTC)
SECRETS = Secrets(
    lark_encrypt_key="development-lark-key",
    lark_verification_token="development-lark-token",
    onebot_secret="development-onebot-secret",
    slack_signing_secret="development-slack-secret",
    telegram_secret_token="development_telegram_token",
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
        return receive.receive(self.platform, self.headers, self.body, secrets, now)


def send(platform: str, payload: dict[str, Any], secrets: Secrets = SECRETS) -> Request:
    body = json.dumps(payload, ensure_ascii=False).encode()
    timestamp = str(int(NOW.timestamp()))
    if platform == "lark":
        body = lark_encrypted(body, secrets.need("lark_encrypt_key"))
        key = secrets.need("lark_encrypt_key")
        return Request(platform, lark_signed(body, timestamp, "83914", key), body)
    if platform == "onebot":
        key = secrets.need("onebot_secret")
        digest = hmac.new(key.encode(), body, hashlib.sha1).hexdigest()
        return Request(platform, {"X-Self-ID": "10001", "X-Signature": f"sha1={digest}"}, body)
    if platform == "slack":
        key = secrets.need("slack_signing_secret")
        return Request(platform, slack_signed(body, timestamp, key), body)
    if platform == "telegram":
        token = secrets.need("telegram_secret_token")
        return Request(platform, {"X-Telegram-Bot-Api-Secret-Token": token}, body)
    return Request(platform, {}, body)


def lark_signed(body: bytes, timestamp: str, nonce: str, key: str) -> dict[str, str]:
    signature = hashlib.sha256(f"{timestamp}{nonce}{key}".encode() + body).hexdigest()
    return {
        "X-Lark-Request-Timestamp": timestamp,
        "X-Lark-Request-Nonce": nonce,
        "X-Lark-Signature": signature,
    }


def lark_encrypted(plain: bytes, key: str) -> bytes:
    start = hashlib.sha256(plain).digest()[:16]
    padding = 16 - len(plain) % 16
    encryptor = Cipher(AES(hashlib.sha256(key.encode()).digest()), CBC(start)).encryptor()
    data = encryptor.update(plain + bytes([padding]) * padding) + encryptor.finalize()
    return json.dumps({"encrypt": base64.b64encode(start + data).decode()}).encode()


def slack_signed(body: bytes, timestamp: str, key: str) -> dict[str, str]:
    digest = hmac.new(key.encode(), f"v0:{timestamp}:".encode() + body, hashlib.sha256)
    return {
        "X-Slack-Request-Timestamp": timestamp,
        "X-Slack-Signature": f"v0={digest.hexdigest()}",
        "X-Slack-Retry-Num": "1",
    }

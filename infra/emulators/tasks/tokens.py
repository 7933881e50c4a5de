"""OIDC tokens as Google makes them for a service account, signed by a key of the emulator's own."""

import base64
import hashlib
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

ISSUER = "https://accounts.google.com"
LIFETIME_S = 3600
_REUSE_S = 300
"""A token is signed anew after this long: signing costs more than all the rest of a delivery."""


@dataclass(frozen=True)
class _Signed:
    token: str
    issued_s: int


class Signer:
    """Makes tokens. The key lives in the data folder, so tokens stay valid over restarts."""

    def __init__(self, data: Path) -> None:
        self._key, self._certificate = _kept(data / "oidc.pem")
        self.key_id = self._certificate.fingerprint(hashes.SHA1()).hex()  # noqa: S303 - as Google's
        self._recent: dict[tuple[str, str], _Signed] = {}

    def token(self, email: str, audience: str, now_s: int) -> str:
        recent = self._recent.get((email, audience))
        if recent is None or not 0 <= now_s - recent.issued_s < _REUSE_S:
            recent = _Signed(self._sign(claims(email, audience, now_s)), now_s)
            if len(self._recent) > 1000:
                self._recent.clear()
            self._recent[email, audience] = recent
        return recent.token

    def certificates(self) -> dict[str, str]:
        """As Google serves them at /oauth2/v1/certs: PEM certificates by key id."""
        pem = self._certificate.public_bytes(serialization.Encoding.PEM)
        return {self.key_id: pem.decode()}

    def jwk_set(self) -> dict[str, Any]:
        """As Google serves them at /oauth2/v3/certs."""
        numbers = self._key.public_key().public_numbers()
        return {
            "keys": [
                {
                    "kty": "RSA",
                    "alg": "RS256",
                    "use": "sig",
                    "kid": self.key_id,
                    "n": _number(numbers.n),
                    "e": _number(numbers.e),
                }
            ]
        }

    def _sign(self, content: dict[str, Any]) -> str:
        header = {"alg": "RS256", "kid": self.key_id, "typ": "JWT"}
        signed = f"{_part(header)}.{_part(content)}"
        signature = self._key.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signed}.{_base64(signature)}"


def claims(email: str, audience: str, now_s: int) -> dict[str, Any]:
    """The claims of Google's token for this service account."""
    account = str(int(hashlib.sha256(email.encode()).hexdigest(), 16) % 10**20 + 10**20)
    return {
        "iss": ISSUER,
        "aud": audience,
        "azp": account,
        "sub": account,
        "email": email,
        "email_verified": True,
        "iat": now_s,
        "exp": now_s + LIFETIME_S,
    }


def _kept(path: Path) -> tuple[rsa.RSAPrivateKey, x509.Certificate]:
    if not path.exists():
        draft = path.with_name(path.name + ".draft")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(_new_key_and_certificate())
        draft.replace(path)
    pem = path.read_bytes()
    key = serialization.load_pem_private_key(pem, password=None)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise OSError(f"{path} holds no RSA key; remove it and a new one is made")
    return key, x509.load_pem_x509_certificate(pem)


def _new_key_and_certificate() -> bytes:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "cloud-tasks.emulator.local")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=3650))
        .sign(key, hashes.SHA256())
    )
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ) + certificate.public_bytes(serialization.Encoding.PEM)


def _part(content: dict[str, Any]) -> str:
    return _base64(json.dumps(content, separators=(",", ":")).encode())


def _number(value: int) -> str:
    return _base64(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()

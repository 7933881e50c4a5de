"""The token of a task, checked by google-auth's own verifier against the emulator's keys."""

import base64
import json
import time
from typing import Any

import google.auth.transport.requests
import pytest
import requests
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from google.auth import exceptions
from google.oauth2 import id_token

from infra.emulators.testing import Emulators
from infra.emulators.tests.tasks.conftest import Queue
from infra.emulators.tests.tasks.target import Target

ACCOUNT = "tasks@annals-local.iam.gserviceaccount.com"
AUDIENCE = "https://ingest.example"


def verified(token: str, emulator: Emulators, audience: str, path: str = "/certs") -> Any:
    with requests.Session() as session:
        transport = google.auth.transport.requests.Request(session=session)
        url = emulator.told["admin"]["tasks"] + path
        return id_token.verify_token(token, transport, audience, certs_url=url)


async def token_of(queue: Queue, target: Target, **oidc: str) -> str:
    asked = {"service_account_email": ACCOUNT, **oidc}
    request = {"oidc_token": asked, "headers": {"Authorization": "Basic mine"}}
    await queue.add(path="/signed", request=request)
    (arrived,) = target.wait_for(1, path="/signed")
    scheme, _, token = arrived.headers["authorization"].partition(" ")
    assert scheme == "Bearer"
    return token


def part(content: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


def opened(token: str) -> tuple[dict[str, Any], dict[str, Any]]:
    header, claims, _ = (
        base64.urlsafe_b64decode(piece + "=" * (-len(piece) % 4)) for piece in token.split(".")
    )
    return json.loads(header), json.loads(claims)


@pytest.mark.parametrize("path", ["/certs", "/certs/jwk"])
async def test_google_auth_accepts_the_token(
    queue: Queue, target: Target, emulator: Emulators, path: str
) -> None:
    token = await token_of(queue, target, audience=AUDIENCE)
    claims = verified(token, emulator, AUDIENCE, path)
    assert claims["iss"] == "https://accounts.google.com"
    assert claims["aud"] == AUDIENCE
    assert (claims["email"], claims["email_verified"]) == (ACCOUNT, True)
    assert claims["sub"] == claims["azp"]
    assert claims["sub"].isdigit()
    assert claims["exp"] == claims["iat"] + 3600
    assert claims["iat"] <= time.time()


async def test_the_audience_is_the_url_when_none_is_given(
    queue: Queue, target: Target, emulator: Emulators
) -> None:
    token = await token_of(queue, target)
    assert verified(token, emulator, f"{target.url}/signed")["email"] == ACCOUNT


async def test_google_auth_refuses_another_audience(
    queue: Queue, target: Target, emulator: Emulators
) -> None:
    token = await token_of(queue, target, audience=AUDIENCE)
    with pytest.raises(exceptions.InvalidValue, match="audience"):
        verified(token, emulator, "https://somebody.else")


async def test_google_auth_refuses_a_token_of_another_key(
    queue: Queue, target: Target, emulator: Emulators
) -> None:
    token = await token_of(queue, target, audience=AUDIENCE)
    header, claims = opened(token)
    stranger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    signed = f"{part(header)}.{part(claims)}"
    signature = stranger.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    forged = f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"
    with pytest.raises(exceptions.MalformedError, match="signature"):
        verified(forged, emulator, AUDIENCE)


async def test_google_auth_refuses_a_token_that_was_changed(
    queue: Queue, target: Target, emulator: Emulators
) -> None:
    token = await token_of(queue, target, audience=AUDIENCE)
    header, claims = opened(token)
    claims["email"] = "intruder@annals-local.iam.gserviceaccount.com"
    forged = ".".join([part(header), part(claims), token.split(".")[2]])
    with pytest.raises(exceptions.MalformedError, match="signature"):
        verified(forged, emulator, AUDIENCE)


async def test_google_auth_refuses_a_token_without_a_signature(
    queue: Queue, target: Target, emulator: Emulators
) -> None:
    token = await token_of(queue, target, audience=AUDIENCE)
    _, claims = opened(token)
    forged = f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}."
    with pytest.raises((exceptions.MalformedError, exceptions.InvalidValue)):
        verified(forged, emulator, AUDIENCE)

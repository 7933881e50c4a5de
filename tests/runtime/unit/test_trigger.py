"""Tasks and schedules: only the allowed account's token, checked with google-auth's verifier."""

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID
from fastapi import APIRouter

from shared.config import Settings, load
from shared.errors import Forbidden, Misconfigured, Transient, Unauthenticated
from shared.runtime.certificates import (
    LEAST_KEPT_S,
    MOST_KEPT_S,
    RENEWED_AT_MOST_EVERY_S,
    Certificates,
    Fetched,
    fetch_with_requests,
    lifetime_s,
)
from shared.runtime.trigger import REMOVED_SIGNATURE, Triggers, claims_passed_by_iam
from tests.runtime.serving import AS_ROOT, ENVIRON, client, make_app

ACCOUNT = ENVIRON["ANNALS_TASK_SERVICE_ACCOUNT"]
router = APIRouter()
ran: list[str] = []


@router.post("/tasks/evolve")
async def task() -> dict[str, Any]:
    ran.append("task")
    return {"success": True}


@router.post("/cron/sweep")
async def cron() -> dict[str, Any]:
    ran.append("cron")
    return {"success": True}


@cache
def key_pair(name: str) -> tuple[rsa.RSAPrivateKey, str]:
    """A key and its certificate, as Google publishes them."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    return key, certificate.public_bytes(serialization.Encoding.PEM).decode()


def part(content: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


def token(signer: str = "google", key_id: str = "google", **changed: Any) -> str:
    now = int(time.time())
    claims = {
        "iss": "https://accounts.google.com",
        "aud": "annals",
        "email": ACCOUNT,
        "email_verified": True,
        "iat": now,
        "exp": now + 600,
    }
    claims = {name: value for name, value in (claims | changed).items() if value is not None}
    signed = f"{part({'alg': 'RS256', 'kid': key_id, 'typ': 'JWT'})}.{part(claims)}"
    signature = key_pair(signer)[0].sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


class Publisher:
    """Serves certificates over HTTP on loopback, and counts how often."""

    def __init__(self) -> None:
        self.certificates: Any = {"google": key_pair("google")[1]}
        self.status = 200
        self.asked = 0
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.asked += 1
                body = json.dumps(publisher.certificates).encode()
                self.send_response(publisher.status)
                self.send_header("Cache-Control", "public, max-age=3600")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/certs"

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def publisher() -> Iterator[Publisher]:
    publisher = Publisher()
    yield publisher
    publisher.stop()


@pytest.fixture
def environ(publisher: Publisher) -> dict[str, str]:
    return {**ENVIRON, "ANNALS_OIDC_CERTS_URL": publisher.url}


async def status(environ: dict[str, str], sent: str | None, path: str = "/tasks/evolve") -> int:
    headers = {"Authorization": f"Bearer {sent}"} if sent else {}
    async with client(make_app(router, environ=environ), headers=headers) as http:
        return (await http.post(path, json={})).status_code


async def test_the_allowed_account_may_trigger_tasks_and_crons(environ: dict[str, str]) -> None:
    ran.clear()
    assert await status(environ, token()) == 200
    assert await status(environ, token(iss="accounts.google.com"), "/cron/sweep") == 200
    assert ran == ["task", "cron"]


REFUSED: dict[str, tuple[Callable[[], str | None], int]] = {
    "no token": (lambda: None, 401),
    "an API key": (lambda: AS_ROOT["Authorization"].removeprefix("Bearer "), 401),
    "not a token": (lambda: "a.b.c", 401),
    "a token that is no object": (lambda: f"{base64.b64encode(b'[]').decode()}.x.y", 401),
    "forged with the right key id": (lambda: token(signer="forger"), 401),
    "a foreign key": (lambda: token(signer="forger", key_id="forger"), 401),
    "a key id that is no text": (lambda: f"{part({'kid': ['google']})}.{part({})}.x", 401),
    "changed after signing": (
        lambda: f"{token().split('.')[0]}.{part({'email': ACCOUNT})}.{token().split('.')[2]}",
        401,
    ),
    "unsigned": (
        lambda: f"{part({'alg': 'none', 'kid': 'google'})}.{token().split('.')[1]}.",
        401,
    ),
    "another audience": (lambda: token(aud="https://elsewhere"), 401),
    "no audience": (lambda: token(aud=None), 401),
    "expired": (lambda: token(iat=int(time.time()) - 7200, exp=int(time.time()) - 3600), 401),
    "not yet valid": (lambda: token(iat=int(time.time()) + 3600), 401),
    "another issuer": (lambda: token(iss="https://evil.example"), 401),
    "no issuer": (lambda: token(iss=None), 401),
    "an unverified address": (lambda: token(email_verified=False), 401),
    "a verified address in words": (lambda: token(email_verified="true"), 401),
    "another account": (lambda: token(email="other@project.iam.gserviceaccount.com"), 403),
    "no account": (lambda: token(email=None), 403),
    "as IAM leaves it": (
        lambda: token().rpartition(".")[0] + f".{REMOVED_SIGNATURE}",
        401,
    ),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_every_other_token_is_refused_and_nothing_runs(
    environ: dict[str, str], case: str
) -> None:
    make, expected = REFUSED[case]
    ran.clear()
    assert await status(environ, make()) == expected
    assert ran == []


async def test_what_is_no_token_makes_nobody_fetch_certificates(
    environ: dict[str, str], publisher: Publisher
) -> None:
    for case in ("no token", "an API key", "not a token", "a key id that is no text"):
        assert await status(environ, REFUSED[case][0]()) == 401
    assert publisher.asked == 0


async def test_the_headers_of_a_task_prove_nothing(environ: dict[str, str]) -> None:
    headers = {"X-CloudTasks-TaskName": "t", "X-CloudTasks-QueueName": "evolve"}
    async with client(make_app(router, environ=environ), headers=headers) as http:
        assert (await http.post("/tasks/evolve", json={})).status_code == 401


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ANNALS_TASK_AUTH", ""),
        ("ANNALS_TASK_AUTH", "none"),
        ("ANNALS_TASK_AUDIENCE", ""),
        ("ANNALS_TASK_SERVICE_ACCOUNT", ""),
        ("ANNALS_TASK_SERVICE_ACCOUNT", "somebody"),
        ("ANNALS_OIDC_CERTS_URL", "nonsense"),
    ],
)
async def test_without_a_setting_the_routes_are_503_and_name_it(
    environ: dict[str, str], name: str, value: str
) -> None:
    ran.clear()
    app = make_app(router, environ={**environ, name: value})
    async with client(app, headers={"Authorization": f"Bearer {token()}"}) as http:
        for path in ("/tasks/evolve", "/cron/sweep"):
            answer = await http.post(path, json={})
            assert answer.status_code == 503
            assert answer.json()["error"]["detail"] == {"setting": name}
    assert ran == []


async def test_certificates_are_fetched_once_for_many_tokens(
    environ: dict[str, str], publisher: Publisher
) -> None:
    app = make_app(router, environ=environ)
    async with client(app, headers={"Authorization": f"Bearer {token()}"}) as http:
        for _ in range(5):
            assert (await http.post("/tasks/evolve", json={})).status_code == 200
    assert publisher.asked == 1


async def test_a_new_signing_key_is_fetched_when_it_first_turns_up(
    environ: dict[str, str], publisher: Publisher
) -> None:
    clock = [0.0]
    triggers = Triggers(_settings(environ))
    assert await triggers.check(f"Bearer {token()}") == ACCOUNT
    assert triggers._certificates is not None
    triggers._certificates._clock = lambda: clock[0]
    triggers._certificates._fetched_at = 0.0
    publisher.certificates = {"next": key_pair("next")[1]}
    rolled = f"Bearer {token(signer='next', key_id='next')}"
    with pytest.raises(Unauthenticated):
        await triggers.check(rolled)
    assert publisher.asked == 1
    clock[0] = RENEWED_AT_MOST_EVERY_S
    assert await triggers.check(rolled) == ACCOUNT
    for number in range(5):
        with pytest.raises(Unauthenticated):
            await triggers.check(f"Bearer {token(key_id=f'invented{number}')}")
    assert publisher.asked == 2


async def test_a_signer_that_cannot_be_reached_is_a_503_not_a_refusal(
    environ: dict[str, str], publisher: Publisher
) -> None:
    publisher.status = 500
    assert await status(environ, token()) == 503
    publisher.stop()
    with pytest.raises(Transient):
        await Triggers(_settings(environ)).check(f"Bearer {token()}")


async def test_certificates_in_another_form_are_named_as_a_wrong_setting(
    environ: dict[str, str], publisher: Publisher
) -> None:
    publisher.certificates = {"keys": [{"kid": "google", "kty": "RSA"}]}
    with pytest.raises(Misconfigured, match="ANNALS_OIDC_CERTS_URL"):
        await Triggers(_settings(environ)).check(f"Bearer {token()}")


class Source:
    """A signer's address whose answers and times the test decides; runs in a thread like any."""

    def __init__(self) -> None:
        self.now = 0.0
        self.asked = 0
        self.is_up = True
        self.threads: set[int] = set()

    def fetch(self, _: str) -> Fetched:
        self.asked += 1
        self.threads.add(threading.get_ident())
        if not self.is_up:
            raise ConnectionError("down")
        return Fetched(200, b'{"k": "pem"}', {"cache-control": "max-age=100"})


async def test_certificates_expire_and_old_ones_hold_while_the_signer_is_down() -> None:
    source = Source()
    certificates = Certificates("http://signer", source.fetch, lambda: source.now)
    held = await certificates.current()
    source.now = 99.0
    assert await certificates.current() is held
    assert source.asked == 1
    source.is_up, source.now = False, 100.0
    assert await certificates.current() is held
    assert await certificates.current() is held
    assert source.asked == 2
    source.is_up, source.now = True, 100.0 + LEAST_KEPT_S
    assert await certificates.current() is not held
    assert source.asked == 3


async def test_the_fetch_does_not_block_the_event_loop() -> None:
    source = Source()
    await Certificates("http://signer", source.fetch, lambda: source.now).current()
    assert source.threads
    assert threading.get_ident() not in source.threads


async def test_with_nothing_in_hand_every_request_tries_again() -> None:
    source = Source()
    source.is_up = False
    certificates = Certificates("http://signer", source.fetch, lambda: source.now)
    for _ in range(2):
        with pytest.raises(Transient):
            await certificates.current()
    assert source.asked == 2
    source.is_up = True
    assert (await certificates.current()).data


@pytest.mark.parametrize(
    ("control", "seconds"),
    [
        ("public, max-age=600, must-revalidate", 600),
        ("", 3600),
        ("no-store", 3600),
        ("max-age=0", LEAST_KEPT_S),
        ("max-age=999999999", MOST_KEPT_S),
    ],
)
def test_certificates_hold_as_long_as_their_publisher_says(control: str, seconds: float) -> None:
    assert lifetime_s({"Cache-Control": control}) == seconds


def test_a_fetch_that_finds_nobody_is_an_os_error(publisher: Publisher) -> None:
    publisher.stop()
    with pytest.raises(OSError, match="refused"):
        fetch_with_requests(publisher.url)


def passed_by_iam(**changed: Any) -> str:
    return token(**changed).rpartition(".")[0] + f".{REMOVED_SIGNATURE}"


async def test_behind_iam_the_claims_are_checked_and_no_certificate_is_fetched(
    environ: dict[str, str], publisher: Publisher
) -> None:
    environ = {**environ, "ANNALS_TASK_AUTH": "iam"}
    ran.clear()
    assert await status(environ, passed_by_iam()) == 200
    assert await status(environ, passed_by_iam(aud="elsewhere")) == 401
    assert await status(environ, passed_by_iam(aud=None)) == 401
    assert await status(environ, passed_by_iam(exp=int(time.time()) - 3600)) == 401
    assert await status(environ, passed_by_iam(exp=None)) == 401
    assert await status(environ, passed_by_iam(iss="https://evil.example")) == 401
    assert await status(environ, passed_by_iam(email_verified=False)) == 401
    assert await status(environ, passed_by_iam(email="other@x.example")) == 403
    assert await status(environ, f"x.{REMOVED_SIGNATURE}") == 401
    assert await status(environ, None) == 401
    assert ran == ["task"]
    assert publisher.asked == 0


def test_behind_iam_a_token_with_its_signature_did_not_pass_iam() -> None:
    with pytest.raises(Unauthenticated, match="ANNALS_TASK_AUTH is oidc"):
        claims_passed_by_iam(token(), "annals", time.time())


async def test_another_account_is_known_but_not_allowed(environ: dict[str, str]) -> None:
    with pytest.raises(Forbidden):
        await Triggers(_settings(environ)).check(f"Bearer {token(email='other@x.example')}")


def _settings(environ: dict[str, str]) -> Settings:
    return load(environ)[0]

"""Tasks and schedules: only the allowed account's token, checked with PyJWT."""

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from fastapi import APIRouter
from jwt.algorithms import RSAAlgorithm

from shared.config import Settings, load
from shared.errors import Forbidden, Misconfigured, Transient, Unauthenticated
from shared.runtime.trigger import REMOVED_SIGNATURE, Triggers
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
def key_of(name: str) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def published(name: str) -> dict[str, Any]:
    """The public half, as Google publishes it."""
    own = RSAAlgorithm.to_jwk(key_of(name).public_key(), as_dict=True)
    return {**own, "kid": name, "use": "sig", "alg": "RS256"}


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
    signature = key_of(signer).sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


class Publisher:
    """Serves public keys over HTTP on loopback, and counts how often."""

    def __init__(self) -> None:
        self.answer: Any = {"keys": [published("google")]}
        self.status = 200
        self.asked = 0
        publisher = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                publisher.asked += 1
                body = json.dumps(publisher.answer).encode()
                self.send_response(publisher.status)
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


async def test_what_is_no_token_makes_nobody_fetch_keys(
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


async def test_keys_are_fetched_once_for_many_tokens(
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
    triggers = Triggers(_settings(environ))
    assert await triggers.check(f"Bearer {token()}") == ACCOUNT
    publisher.answer = {"keys": [published("next")]}
    rolled = f"Bearer {token(signer='next', key_id='next')}"
    with pytest.raises(Unauthenticated):
        await triggers.check(rolled)
    assert publisher.asked == 1, "it was asked just now"
    assert triggers._keys is not None
    triggers._keys._last_successful_fetch = None
    assert await triggers.check(rolled) == ACCOUNT
    for number in range(5):
        with pytest.raises(Unauthenticated):
            await triggers.check(f"Bearer {token(key_id=f'invented{number}')}")
    assert publisher.asked == 2, "whoever invents key ids causes no flood"


async def test_a_signer_that_cannot_be_reached_is_a_503_not_a_refusal(
    environ: dict[str, str], publisher: Publisher
) -> None:
    publisher.status = 500
    assert await status(environ, token()) == 503
    publisher.stop()
    with pytest.raises(Transient):
        await Triggers(_settings(environ)).check(f"Bearer {token()}")


@pytest.mark.parametrize("answer", [{"google": "a PEM certificate"}, {"keys": []}])
async def test_keys_in_another_form_are_named_as_a_wrong_setting(
    environ: dict[str, str], publisher: Publisher, answer: Any
) -> None:
    publisher.answer = answer
    with pytest.raises(Misconfigured, match="ANNALS_OIDC_CERTS_URL"):
        await Triggers(_settings(environ)).check(f"Bearer {token()}")


async def test_keys_hold_while_the_signer_is_down(
    environ: dict[str, str], publisher: Publisher
) -> None:
    triggers = Triggers(_settings(environ))
    await triggers.check(f"Bearer {token()}")
    publisher.stop()
    assert await triggers.check(f"Bearer {token()}") == ACCOUNT


def passed_by_iam(**changed: Any) -> str:
    return token(**changed).rpartition(".")[0] + f".{REMOVED_SIGNATURE}"


async def test_behind_iam_the_claims_are_checked_and_no_key_is_fetched(
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


async def test_behind_iam_a_token_with_its_signature_did_not_pass_iam(
    environ: dict[str, str],
) -> None:
    triggers = Triggers(_settings({**environ, "ANNALS_TASK_AUTH": "iam"}))
    with pytest.raises(Unauthenticated, match="ANNALS_TASK_AUTH is oidc"):
        await triggers.check(f"Bearer {token()}")


async def test_another_account_is_known_but_not_allowed(environ: dict[str, str]) -> None:
    with pytest.raises(Forbidden):
        await Triggers(_settings(environ)).check(f"Bearer {token(email='other@x.example')}")


def _settings(environ: dict[str, str]) -> Settings:
    return load(environ)[0]

"""Who is let in, what a platform is answered, and what a missing secret is called."""

import base64
import json
import subprocess
import sys
from datetime import timedelta

import pytest

from shared.errors import InvalidInput, Misconfigured, NotFound, Unauthenticated
from shared.platforms.lark import decrypt
from shared.platforms.platform import Secrets, WebhookAnswer
from shared.platforms.registry import PLATFORMS
from tests.platforms.clients import lark, slack
from tests.platforms.fixtures import Case, as_json, cases
from tests.platforms.sending import NOW, SECRETS, Request, send

TEXT = {case.platform: case.payload for case in cases() if case.name in ("text", "text_segments")}
CHALLENGE = b'{"challenge":"c-1","token":"development-lark-token","type":"url_verification"}'


@pytest.mark.parametrize("case", cases(), ids=str)
def test_what_a_platform_sends_is_let_in(case: Case) -> None:
    received = send(case.platform, case.payload).received()

    assert [as_json(arrival) for arrival in received.arrivals] == case.arrivals


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_platform_hears_what_it_wants(platform: str) -> None:
    empty_for_onebot = WebhookAnswer(204, None) if platform == "onebot" else WebhookAnswer(200, {})

    assert send(platform, TEXT[platform]).received().answer == empty_for_onebot


def test_header_names_may_come_in_any_case() -> None:
    request = send("slack", TEXT["slack"])
    lowered = Request("slack", {k.lower(): v for k, v in request.headers.items()}, request.body)

    assert lowered.received() == request.received()


@pytest.mark.parametrize(
    ("platform", "setting"),
    [(name, secret.upper()) for name, known in PLATFORMS.items() for secret in known.secrets],
)
def test_a_secret_that_is_not_set_is_named(platform: str, setting: str) -> None:
    request = send(platform, TEXT[platform])
    lacking = Secrets({name: value for name, value in SECRETS.items() if name != setting.lower()})

    with pytest.raises(Misconfigured, match=setting):
        request.received(lacking)


def test_discord_needs_no_secret() -> None:
    assert send("discord", TEXT["discord"]).received(Secrets()).arrivals


def test_an_unknown_platform_is_not_found() -> None:
    with pytest.raises(NotFound, match="irc"):
        Request("irc", {}, b"{}").received()


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b'"x"', b"\xff\xfe{\x00}\x00"])
def test_a_body_that_is_no_object_is_refused(platform: str, body: bytes) -> None:
    request = send(platform, TEXT[platform])

    with pytest.raises((InvalidInput, Unauthenticated)):
        Request(platform, request.headers, body).received()


def test_a_body_nested_too_deep_is_refused() -> None:
    with pytest.raises(InvalidInput):
        Request("discord", {}, b'{"t":' + b"[" * 200_000).received()


# -- lark --------------------------------------------------------------------------------------


def test_lark_decryption_agrees_with_the_published_example() -> None:
    assert decrypt("P37w+VZImNgPEO1RBhJ6RtKl7n6zymIbEG1pReEzghk=", "test key") == b"hello world"


@pytest.mark.parametrize("padding", [b"", b"\x00", b"\x11" * 17, b"\x01\x02", b"\x03\x03"])
def test_lark_decryption_refuses_wrong_padding(padding: bytes) -> None:
    text = b"x" * (64 - len(padding)) + padding
    encrypted = json.loads(lark.encrypted(text, "key"))["encrypt"]
    without_last_block = base64.b64encode(base64.b64decode(encrypted)[:-16]).decode()

    with pytest.raises(Unauthenticated, match="decrypted"):
        decrypt(without_last_block, "key")


def test_lark_challenge_is_answered_plain_and_encrypted_though_unsigned() -> None:
    for body in (CHALLENGE, lark.encrypted(CHALLENGE, "development-lark-key")):
        received = Request("lark", {}, body).received()
        assert received.arrivals == []
        assert received.answer == WebhookAnswer(200, {"challenge": "c-1"})


def test_lark_challenge_with_another_token_is_refused() -> None:
    forged = CHALLENGE.replace(b"development", b"guessed")

    for body in (forged, lark.encrypted(forged, "development-lark-key")):
        with pytest.raises(Unauthenticated):
            Request("lark", {}, body).received()


def test_lark_event_without_signature_is_refused_though_it_decrypts() -> None:
    with pytest.raises(Unauthenticated, match="signed"):
        Request("lark", {}, send("lark", TEXT["lark"]).body).received()


def test_lark_event_in_plain_text_is_refused() -> None:
    body = json.dumps(TEXT["lark"]).encode()
    timestamp = str(int(NOW.timestamp()))
    headers = lark.headers(body, timestamp, "1", "development-lark-key")

    with pytest.raises(Unauthenticated, match="encrypted"):
        Request("lark", headers, body).received()


def test_lark_event_with_another_token_is_refused_though_signed() -> None:
    payload = {**TEXT["lark"], "header": {**TEXT["lark"]["header"], "token": "guess"}}

    with pytest.raises(Unauthenticated, match="token"):
        send("lark", payload).received()


@pytest.mark.parametrize("hours", [-7, 0, 7])
def test_lark_retries_for_hours(hours: int) -> None:
    assert send("lark", TEXT["lark"]).received(now=NOW + timedelta(hours=hours)).arrivals


@pytest.mark.parametrize("hours", [-9, 9, 24 * 365])
def test_lark_replay_after_hours_is_refused(hours: int) -> None:
    with pytest.raises(Unauthenticated, match="timestamp"):
        send("lark", TEXT["lark"]).received(now=NOW + timedelta(hours=hours))


def test_lark_digits_moved_from_nonce_to_timestamp_are_refused() -> None:
    """Both are only joined before they are hashed, so the signature still fits."""
    request = send("lark", TEXT["lark"])
    timestamp = request.headers["X-Lark-Request-Timestamp"]
    moved = request.with_header("X-Lark-Request-Timestamp", timestamp + "8")

    with pytest.raises(Unauthenticated, match="timestamp"):
        moved.with_header("X-Lark-Request-Nonce", "3914").received()


# -- slack -------------------------------------------------------------------------------------


def test_slack_challenge_is_answered_when_signed() -> None:
    payload = {"token": "x", "challenge": "c-2", "type": "url_verification"}

    assert send("slack", payload).received().answer == WebhookAnswer(200, {"challenge": "c-2"})
    with pytest.raises(Unauthenticated):
        Request("slack", {}, send("slack", payload).body).received()


@pytest.mark.parametrize("seconds", [-301, 302])
def test_slack_replay_after_five_minutes_is_refused(seconds: int) -> None:
    with pytest.raises(Unauthenticated, match="timestamp"):
        send("slack", TEXT["slack"]).received(now=NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    "timestamp", ["", "soon", "+1700000001", " 1700000001", "１７００００００01"]
)
def test_slack_timestamp_is_plain_digits(timestamp: str) -> None:
    body = send("slack", TEXT["slack"]).body
    headers = slack.headers(body, timestamp, "development-slack-secret")

    with pytest.raises(Unauthenticated, match="timestamp"):
        Request("slack", headers, body).received()


# -- the others --------------------------------------------------------------------------------


@pytest.mark.parametrize("signature", ["", "sha1=", "sha1=0", "é", "\ud800"])
def test_onebot_with_a_wrong_signature_is_refused(signature: str) -> None:
    request = send("onebot", TEXT["onebot"]).with_header("X-Signature", signature)

    with pytest.raises(Unauthenticated):
        request.received()


@pytest.mark.parametrize("token", [None, "", "development_telegram_toke", "wrong"])
def test_telegram_with_a_wrong_token_is_refused(token: str | None) -> None:
    request = send("telegram", TEXT["telegram"])

    with pytest.raises(Unauthenticated):
        request.with_header("X-Telegram-Bot-Api-Secret-Token", token).received()


def test_only_lark_events_load_a_cipher_and_nothing_loads_an_sdk() -> None:
    code = """
import sys
from datetime import UTC, datetime
from shared.platforms import registry
from shared.platforms.platform import Secrets
body = b'{"challenge":"c","token":"t","type":"url_verification"}'
registry.receive("lark", {}, body, Secrets(lark_verification_token="t"), datetime.now(UTC))
print({"cryptography", "pydantic", "fastapi", "grpc", "google.cloud.firestore"} & {*sys.modules})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"

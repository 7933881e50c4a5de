"""A Lark challenge has one second: it is answered without an SDK, from a cold start."""

import json
import subprocess
import sys

import pytest

from tests.platforms.clients import lark as lark_client
from tests.platforms.sending import SECRETS
from tests.project import ROOT

SCRIPT = """
import asyncio, json, sys
from functions.ingest_message.app import app

body = sys.stdin.buffer.read()
sent = []

async def receive():
    return {"type": "http.request", "body": body, "more_body": False}

async def send(message):
    sent.append(message)

scope = {
    "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
    "scheme": "http", "path": "/webhooks/lark", "raw_path": b"/webhooks/lark",
    "query_string": b"", "headers": [(b"content-type", b"application/json")],
    "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 2), "root_path": "",
}
asyncio.run(app(scope, receive, send))
told = b"".join(message.get("body", b"") for message in sent)
sdks = [name for name in sys.modules if name.split(".")[0] in ("grpc", "openai", "pinecone")
        or name.startswith(("google.cloud.", "google.api_core", "google.auth"))]
print(json.dumps({"status": sent[0]["status"], "body": json.loads(told), "sdks": sdks}))
"""


@pytest.mark.parametrize("is_encrypted", [True, False])
def test_a_challenge_touches_no_sdk(is_encrypted: bool) -> None:
    key, token = SECRETS.need("lark_encrypt_key"), SECRETS.need("lark_verification_token")
    asked = {"challenge": "c-1", "token": token, "type": "url_verification"}
    body = json.dumps(asked).encode()
    if is_encrypted:
        body = lark_client.encrypted(body, key)
    environment = {"LARK_ENCRYPT_KEY": key, "LARK_VERIFICATION_TOKEN": token}

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        input=body,
        env=environment,
        capture_output=True,
        check=True,
    )

    told = json.loads(done.stdout.splitlines()[-1])
    assert told == {"status": 200, "body": {"challenge": "c-1"}, "sdks": []}

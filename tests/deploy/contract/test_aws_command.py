"""The words that AWS's own command is called with, tried on the real command against an endpoint on
this machine that writes down what it is sent."""

import json
import os
import shutil
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from infra.check.aws_account import aws
from infra.deploy.environment import INFRA, Environment
from infra.deploy.function_urls import permission
from infra.deploy.secret_values import fill

pytestmark = pytest.mark.skipif(shutil.which("aws") is None, reason="the command aws is missing")


class Endpoint(HTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.sent: list[dict[str, Any]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.sent.append({"path": self.path, **json.loads(body)})
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "id")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_secret_reaches_the_parameter_store_whole(endpoint: Endpoint, tmp_path: Path) -> None:
    infra = tmp_path / "infra"
    shutil.copytree(INFRA / "aws", infra / "aws")
    environment = Environment("aws", "prod", infra)
    environment.settings_file.write_text(json.dumps({"region": "eu-west-1"}))

    list(fill(environment, ["OPENAI_API_KEY"], ask=lambda _: 'sk-"quoted" and {more}'))

    (sent,) = endpoint.sent
    assert sent["Name"] == "/annals-prod/OPENAI_API_KEY"
    assert sent["Value"] == 'sk-"quoted" and {more}'
    assert sent["Type"] == "SecureString"


def test_the_right_to_invoke_is_asked_for_with_its_condition(endpoint: Endpoint) -> None:
    aws(permission("annals-prod-build-context", "eu-west-1"))

    (sent,) = endpoint.sent
    assert "annals-prod-build-context/policy" in sent["path"]
    assert "Qualifier=live" in sent["path"]
    assert sent["Action"] == "lambda:InvokeFunction"
    assert sent["InvokedViaFunctionUrl"] is True

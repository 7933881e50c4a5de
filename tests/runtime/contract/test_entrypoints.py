"""Each function behind its real doors: a functions-framework process, and its Lambda handler."""

import base64
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from shared.config.deployment import FUNCTIONS
from tests.project import ROOT

NEEDED = {
    "ANNALS_TASK_AUTH",
    "ANNALS_TASK_AUDIENCE",
    "ANNALS_TASK_SERVICE_ACCOUNT",
    "ANNALS_HASH_KEY",
}
ENVIRON = {"PATH": os.environ.get("PATH", ""), "PYTHONUNBUFFERED": "1"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(params=FUNCTIONS)
def served(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[str, httpx.Client, Path]]:
    """The function's name, a client of its process, and what the process wrote to stdout."""
    name, port, out = request.param, free_port(), tmp_path / "stdout"
    command = [sys.executable, "-m", "functions_framework", "--asgi", "--target", name]
    command += ["--source", f"functions/{name}/main.py", "--host", "127.0.0.1", "--port", str(port)]
    with out.open("wb") as stdout:
        process = subprocess.Popen(command, cwd=ROOT, env=ENVIRON, stdout=stdout)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=30) as client:
        try:
            until = time.monotonic() + 60
            while True:
                assert process.poll() is None, "the process ended"
                assert time.monotonic() < until, "the process does not answer"
                try:
                    client.get("/health/live")
                    break
                except httpx.TransportError:
                    time.sleep(0.05)
            yield name, client, out
        finally:
            process.terminate()
            process.wait(30)


def test_a_function_serves_behind_functions_framework(
    served: tuple[str, httpx.Client, Path],
) -> None:
    name, client, out = served
    live = client.get("/health/live", headers={"X-Request-Id": "mine"})
    assert live.json() == {"success": True, "function": name, "status": "live"}
    assert live.headers["x-request-id"] == "mine"

    ready = client.get("/health/ready")
    assert ready.status_code == 503
    assert set(ready.json()["error"]["detail"]["settings"]) == NEEDED

    assert client.get("/openapi.json").json()["info"]["title"] == f"Annals: {name}"

    missing = client.get("/no/such/route")
    assert missing.status_code == 404
    assert missing.json()["error"]["code"] == "not_found"
    assert client.post("/health/live").json()["error"]["code"] == "method_not_allowed"
    assert client.get("/x/lark:a%2Fb").json()["error"]["code"] == "invalid_input"

    over = 4 * 1024 * 1024 + 1
    announced = client.post("/health/live", content=b"x" * over)
    assert (announced.status_code, announced.json()["error"]["code"]) == (413, "too_large")

    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert {"settings_unset", "request"} <= {line["message"] for line in lines}
    assert "leftover_cancelled" not in {line["message"] for line in lines}


HANDLE = """
import importlib, json, sys
handler = importlib.import_module(f"functions.{sys.argv[1]}.lambda_main").handler
answers = []
for event in json.load(sys.stdin):
    try:
        answers.append(handler(event, None))
    except Exception as error:
        answers.append(f"{type(error).__name__}: {error}")
print(json.dumps(answers))
"""


def http_event(method: str, path: str, body: str = "") -> dict[str, Any]:
    return {
        "version": "2.0",
        "rawPath": path,
        "rawQueryString": "",
        "headers": {"content-type": "application/json"},
        "requestContext": {"http": {"method": method, "path": path, "sourceIp": "192.0.2.1"}},
        "body": base64.b64encode(body.encode()).decode(),
        "isBase64Encoded": True,
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_serves_behind_mangum(name: str) -> None:
    events = [
        http_event("GET", "/health/live"),
        http_event("GET", "/health/ready"),
        http_event("POST", "/no/such/route", "{}"),
        http_event("GET", "/x/lark:a%2Fb"),
        {"cron": "no_such_cron"},
        {"Records": [{"eventSource": "aws:sqs", "body": "{}"}]},
    ]
    command = [sys.executable, "-W", "error", "-c", HANDLE, name]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=ENVIRON,
        input=json.dumps(events),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    live, ready, missing, slash, cron, queue = json.loads(done.stdout.splitlines()[-1])
    assert json.loads(live["body"]) == {"success": True, "function": name, "status": "live"}
    assert live["headers"]["x-request-id"]
    assert ready["statusCode"] == 503
    assert set(json.loads(ready["body"])["error"]["detail"]["settings"]) == NEEDED
    assert missing["statusCode"] == 404
    assert slash["statusCode"] == 400
    assert cron == "RuntimeError: /cron/no_such_cron answered 404"
    assert queue.startswith("ValueError: an event that is not HTTP must name its cron")

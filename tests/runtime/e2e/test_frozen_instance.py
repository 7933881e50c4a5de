"""A worker that Cloud Run froze between two requests serves the next one."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import psutil

from tests.project import ROOT

HEARTBEAT_S = 1
"""Of the instance that shows what goes wrong: gunicorn takes whole seconds."""
FROZEN_S = 3.0


def deployed_value() -> str:
    """What the deployment gives the functions for gunicorn's heartbeat."""
    text = (ROOT / "infra" / "gcp" / "main.tf").read_text("utf-8")
    (found,) = re.findall(r'CLOUD_RUN_TIMEOUT_SECONDS = "(\d+)"', text)
    return str(found)


@contextmanager
def instance(heartbeat: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """functions-framework with gunicorn, as Cloud Run starts it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    source = ROOT / "functions" / "ingest_message" / "main.py"
    command = [sys.executable, "-m", "functions_framework", "--asgi", "--target", "ingest_message"]
    server = subprocess.Popen(
        [*command, "--source", str(source), "--host", "127.0.0.1", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "CLOUD_RUN_TIMEOUT_SECONDS": heartbeat, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}/health/live"
    try:
        until = time.monotonic() + 60
        while not answers(url):
            assert server.poll() is None, "the instance ended"
            assert time.monotonic() < until, "the instance does not answer"
        yield server, url
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=5).status_code == 200
    except httpx.HTTPError:
        return False


def workers_after_a_freeze(heartbeat: str) -> tuple[set[int], set[int]]:
    """The workers before and after the processor was withdrawn for longer than the heartbeat."""
    with instance(heartbeat) as (server, url):
        before = {child.pid for child in psutil.Process(server.pid).children()}
        os.killpg(server.pid, signal.SIGSTOP)
        time.sleep(FROZEN_S)  # nothing can happen meanwhile that could be waited for
        os.killpg(server.pid, signal.SIGCONT)
        # gunicorn looks at its workers once a second
        woken = time.monotonic()
        while time.monotonic() < woken + 2.5 and before <= running(server):
            answers(url)
        return before, running(server)


def running(server: subprocess.Popen[bytes]) -> set[int]:
    return {child.pid for child in psutil.Process(server.pid).children()}


def test_a_frozen_worker_lives_on_as_deployed() -> None:
    before, after = workers_after_a_freeze(deployed_value())
    assert before
    assert after == before


def test_with_a_heartbeat_it_would_be_killed() -> None:
    before, after = workers_after_a_freeze(str(HEARTBEAT_S))
    assert not before <= after

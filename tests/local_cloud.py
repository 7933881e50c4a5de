"""The local cloud as a test drives it: a real process, over HTTP, killed and started at will."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import grpc
import httpx
import psutil
import pytest
from google.cloud.tasks_v2 import CloudTasksClient
from google.cloud.tasks_v2.services.cloud_tasks.transports import CloudTasksGrpcTransport

from infra.ticker import cron_request
from tests.project import ROOT

T = TypeVar("T")
PATIENCE_S = 60.0
SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.02, 0.4
START_PATIENCE_S = 240.0
"""A start that gives up takes every test of the session along; the local cloud itself gives up
sooner and says why."""
ON_THE_FRAGILE_CLOUD = pytest.mark.xdist_group("fragile-cloud")
QUEUES = "projects/annals-local/locations/local/queues"


class LocalCloud:
    """`python -m infra.local` on a data folder; it keeps its port over restarts."""

    def __init__(self, data: Path, **environment: str) -> None:
        """`environment` is what a deployment would set: leases, sweeps, models."""
        self.data = data
        self._environment = {**os.environ, **environment}
        self.told: dict[str, Any] = {}
        self.ready_mode = 0
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._client = httpx.Client(timeout=60, trust_env=False)

    def start(self) -> "LocalCloud":
        with tempfile.TemporaryDirectory(prefix="annals-ready-") as scratch:
            ready = Path(scratch) / "ready"
            command = [sys.executable, "-m", "infra.local", "--port", str(self._port)]
            command += ["--data", str(self.data), "--ready-file", str(ready)]
            log = (self.data.parent / "local.log").open("ab")
            process = subprocess.Popen(
                command, cwd=ROOT, stdout=log, stderr=log, env=self._environment
            )
            log.close()
            self._process = process
            wait_for(
                lambda: ready.exists() or process.poll() is not None,
                "the local cloud",
                seconds=START_PATIENCE_S,
            )
            assert ready.exists(), (self.data.parent / "local.log").read_text()[-3000:]
            self.told = json.loads(ready.read_text())
            self.ready_mode = ready.stat().st_mode & 0o777
        self._port = int(self.told["base"].rpartition(":")[2])
        return self

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Everything at once, as when the power goes."""
        self._end(signal.SIGKILL)

    def _end(self, number: signal.Signals) -> int:
        assert self._process is not None
        children = psutil.Process(self._process.pid).children(recursive=True)
        os.kill(self._process.pid, number)
        code = self._process.wait(timeout=60)
        psutil.wait_procs(children, timeout=30)
        assert not any(child.is_running() for child in children), "a child outlived its parent"
        self._process = None
        return code

    def kill_child(self, *words: str) -> None:
        """SIGKILL the processes whose command line has all of these words; returns when others
        have taken their place and every emulator listens again: one that dies takes all down."""
        killed = self._children(words)
        assert killed, f"no child process with {words}"
        for child in killed:
            child.kill()
        wait_for(lambda: self._children(words) - killed, f"a new process with {words}")
        wait_for(self._is_listening, "the emulators")

    def _children(self, words: Sequence[str]) -> set[psutil.Process]:
        assert self._process is not None
        found = set()
        for child in psutil.Process(self._process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                if all(word in child.cmdline() for word in words):
                    found.add(child)
        return found

    def _is_listening(self) -> bool:
        places = [one for one in self.told["endpoints"].values() if isinstance(one, str)]
        for place in places:
            host, _, port = urlsplit(place if "//" in place else f"//{place}").netloc.partition(":")
            try:
                socket.create_connection((host, int(port)), timeout=5).close()
            except OSError:
                return False
        return bool(places)

    def close(self) -> None:
        self._client.close()
        if self._process is not None:
            self.stop()

    def call(
        self, method: str, path: str, body: Any = None, *, key: str | None = None, **options: Any
    ) -> httpx.Response:
        headers = options.pop("headers", {})
        shown = self.told["key"] if key is None else key
        if shown:
            headers = {"Authorization": f"Bearer {shown}", **headers}
        return self._client.request(
            method, f"{self.told['base']}{path}", json=body, headers=headers, **options
        )

    def ok(self, method: str, path: str, body: Any = None, **options: Any) -> dict[str, Any]:
        answer = self.call(method, path, body, **options)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        found: dict[str, Any] = answer.json()
        assert found["success"] is True
        return found

    def trigger(self, path: str) -> str:
        """A cron route, called as the schedule calls it: by a task that carries a token, whose
        name is told."""
        identity = {
            "service_account_email": "annals@annals-local.iam.gserviceaccount.com",
            "audience": "annals",
        }
        request = cron_request(f"{self.told['base']}{path}", identity)
        with tasks_client(self.told["endpoints"]["CLOUD_TASKS_ENDPOINT"]) as client:
            task = client.create_task(
                request={"parent": f"{QUEUES}/cron", "task": {"http_request": request}}
            )
            return str(task.name)

    def hurry(self, queue: str) -> None:
        """The queue's retries come at once, so that a test need not wait for its back-off."""
        soon = {"min_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=0.1)}
        with tasks_client(self.told["endpoints"]["CLOUD_TASKS_ENDPOINT"]) as client:
            client.update_queue(
                request={
                    "queue": {"name": f"{QUEUES}/{queue}", "retry_config": soon},
                    "update_mask": {
                        "paths": ["retry_config.min_backoff", "retry_config.max_backoff"]
                    },
                }
            )

    @contextmanager
    def paused(self, queue: str) -> Iterator[None]:
        """The queue keeps its tasks to itself in the body."""
        with tasks_client(self.told["endpoints"]["CLOUD_TASKS_ENDPOINT"]) as client:
            client.pause_queue(name=f"{QUEUES}/{queue}")
            try:
                yield
            finally:
                client.resume_queue(name=f"{QUEUES}/{queue}")

    def wait_until_idle(self) -> None:
        """No task is due, scheduled soon, or running."""
        admin = self.told["endpoints"]["admin"]["tasks"]
        answer = self._client.post(f"{admin}/wait-idle", json={"timeout_s": PATIENCE_S}, timeout=90)
        assert answer.is_success, answer.text


@contextmanager
def tasks_client(endpoint: str) -> Iterator[Any]:
    with grpc.insecure_channel(endpoint) as channel:
        yield CloudTasksClient(transport=CloudTasksGrpcTransport(channel=channel))


def wait_for(condition: Callable[[], T], what: str, seconds: float = PATIENCE_S) -> T:
    """The first true answer of `condition`; fails with `what` when it takes too long.

    What is asked is mostly a route, which costs as much as the work that is waited for: the longer
    it takes, the longer the pauses.
    """
    deadline = time.monotonic() + seconds
    pause = SHORTEST_PAUSE_S
    while True:
        answer = condition()
        if answer:
            return answer
        assert time.monotonic() < deadline, f"waited {seconds} s in vain for {what}"
        time.sleep(pause)
        pause = min(1.5 * pause, LONGEST_PAUSE_S)

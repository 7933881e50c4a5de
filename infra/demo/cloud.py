"""The local cloud as the demo uses it: one of its own in a temporary folder, or a running one."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx

from infra.processes import ROOT

START_S = 120.0
IDLE_S = 240.0


class DemoFailed(Exception):
    """The demo cannot go on; the message says why."""


class Cloud:
    """The HTTP API, and the queue's own word on whether there is work left."""

    def __init__(self, told: dict[str, Any], patience_s: float = IDLE_S) -> None:
        self._told = told
        self._patience_s = patience_s
        self._http = httpx.Client(
            base_url=told["base"],
            headers={"Authorization": f"Bearer {told['key']}"},
            timeout=120,
            trust_env=False,
        )

    def get(self, path: str, **params: Any) -> dict[str, Any]:
        return self._read(self._http.get(path, params=params))

    def post(self, path: str, body: Any = None) -> dict[str, Any]:
        return self._read(self._http.post(path, json=body))

    def close(self) -> None:
        self._http.close()

    def wait_until_idle(self) -> None:
        admin = self._told["endpoints"]["admin"]["tasks"]
        asked = {"timeout_s": self._patience_s, "horizon_s": 15}
        limit = self._patience_s + 10
        answer = self._http.post(f"{admin}/wait-idle", json=asked, timeout=limit)
        if not answer.is_success:
            raise DemoFailed(f"work is still queued after {self._patience_s:.0f} s")

    def _read(self, answer: httpx.Response) -> dict[str, Any]:
        if not answer.is_success:
            asked = f"{answer.request.method} {answer.request.url.path}"
            raise DemoFailed(f"{asked} answered {answer.status_code}: {answer.text[:300]}")
        found: dict[str, Any] = answer.json()
        return found


@contextlib.contextmanager
def running(ready_file: Path, patience_s: float = IDLE_S) -> Iterator[Cloud]:
    """The one that `python -m infra.local --ready-file` told about."""
    try:
        told = json.loads(ready_file.read_text("utf-8"))
        cloud = Cloud(told, patience_s)
    except OSError as error:
        raise DemoFailed(f"{ready_file} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DemoFailed(f"{ready_file} is no ready file of `python -m infra.local`") from error
    try:
        yield cloud
    except httpx.TransportError as error:
        raise DemoFailed(f"{told['base']} does not answer: {error}") from error
    finally:
        cloud.close()


@contextlib.contextmanager
def own(*options: str, patience_s: float = IDLE_S, log: Path | None = None) -> Iterator[Cloud]:
    """Started for the demo, on a free port; it leaves nothing behind but the log, if one is named.
    `options` go on to `infra.local`."""
    with tempfile.TemporaryDirectory(prefix="annals-demo-") as scratch:
        folder = Path(scratch)
        ready, log = folder / "ready", log or folder / "local.log"
        command = [sys.executable, "-m", "infra.local", "--port", "0"]
        command += ["--data", str(folder / "data"), "--ready-file", str(ready), *options]
        with log.open("wb") as out:
            # A session of its own: Ctrl-C reaches the demo alone, which then ends it in order.
            process = subprocess.Popen(  # noqa: S603
                command, cwd=ROOT, stdout=out, stderr=out, start_new_session=True, env=os.environ
            )
        try:
            _wait(lambda: ready.exists() or process.poll() is not None)
            if not ready.exists():
                raise DemoFailed(f"the local cloud did not start:\n{log.read_text()[-2000:]}")
            with running(ready, patience_s) as cloud:
                yield cloud
        finally:
            process.terminate()
            process.wait(timeout=60)


def _wait(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_S
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)

"""Starts emulators as real processes for tests and benches, and ends them again."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[len(__package__.split("."))]
"""The folder from which the package can be imported."""

START_SECONDS = 60.0


class Emulators:
    """One `python -m infra.emulators` process; `told` is the content of its ready file."""

    def __init__(self, names: list[str], data: Path, *options: str) -> None:
        self.data = data
        self._command = [sys.executable, "-m", __package__, *names, "--data", str(data)]
        self._command += options
        self.told: dict[str, Any] = {}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> "Emulators":
        with tempfile.TemporaryDirectory(prefix="cloud-emulators-") as scratch:
            ready = Path(scratch) / "ready"
            command = [*self._command, "--ready-file", str(ready)]
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
            deadline = time.monotonic() + START_SECONDS
            while not ready.exists():
                code = self.process.poll()
                assert code is None, f"the emulators ended with {code} before they were ready"
                assert time.monotonic() < deadline, "the emulators were not ready in time"
                time.sleep(0.01)
            self.told = json.loads(ready.read_text())
        return self

    def kill(self) -> None:
        """SIGKILL, as the machine's out-of-memory killer would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """SIGTERM; returns the exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> int:
        if self.process is None:
            return 0
        os.kill(self.process.pid, number)
        code = self.process.wait(timeout=30)
        self.process = None
        return code


@contextmanager
def emulators(names: list[str], data: Path, *options: str) -> Iterator[Emulators]:
    running = Emulators(names, data, *options).start()
    try:
        yield running
    finally:
        running.stop()

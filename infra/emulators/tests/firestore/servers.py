"""The two servers the contract is held against: ours, and Google's own emulator as the referee.

Each is started when a test first asks for it and ended with the test session.
"""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from infra.emulators.testing import emulators

GOOGLE_CLASS = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
GOOGLE_HEAP = "-Xmx512m"
START_SECONDS = 60.0


@dataclass(frozen=True)
class Server:
    """A running server; `host` is what FIRESTORE_EMULATOR_HOST is set to."""

    name: str
    host: str

    @property
    def is_ours(self) -> bool:
        return self.name == "ours"


class Absent(Exception):
    """This machine has no such server; the message says what is missing."""


PARAMETERS = [
    pytest.param("ours"),
    pytest.param(
        "google",
        marks=[
            pytest.mark.official,
            # One worker runs them all, so that the jar is started once.
            pytest.mark.xdist_group("firestore-google"),
        ],
    ),
]
"""For `pytest.fixture(params=...)`: every test that asks for a server runs on both."""


def running(config: pytest.Config, name: str) -> Server:
    """The server of that name, shared by the whole session; skips where it cannot be had."""
    servers = config.stash.setdefault(_SERVERS, {})
    if name not in servers:
        ending = ExitStack()
        config.add_cleanup(ending.close)
        try:
            servers[name] = Server(name, _START[name](ending))
        except Absent as absent:
            servers[name] = absent
    server = servers[name]
    if isinstance(server, Absent):
        pytest.skip(str(server))
    return server


_SERVERS = pytest.StashKey[dict[str, Server | Absent]]()
"""Absence is kept too: asking the Cloud SDK takes a second."""


def _start_ours(ending: ExitStack) -> str:
    data = ending.enter_context(tempfile.TemporaryDirectory(prefix="annals-firestore-"))
    ours = ending.enter_context(emulators(["firestore"], Path(data)))
    host: str = ours.told["FIRESTORE_EMULATOR_HOST"]
    return host


def _start_google(ending: ExitStack) -> str:
    jar, java = _google_jar(), _java()
    port = _free_port()
    scratch = ending.enter_context(tempfile.TemporaryDirectory(prefix="annals-referee-"))
    process = subprocess.Popen(
        [
            *(java, GOOGLE_HEAP, "-Duser.language=en", "-cp", str(jar), GOOGLE_CLASS),
            *("start", "--host=127.0.0.1", f"--port={port}"),
        ],
        cwd=scratch,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ending.callback(_end, process)
    host = f"127.0.0.1:{port}"
    deadline = time.monotonic() + START_SECONDS
    with grpc.insecure_channel(host) as channel:
        ready = grpc.channel_ready_future(channel)
        while not ready.done():
            assert process.poll() is None, "Google's emulator ended before it was ready"
            assert time.monotonic() < deadline, "Google's emulator was not ready in time"
            try:
                ready.result(timeout=0.1)
            except grpc.FutureTimeoutError:
                continue
    return host


def google_version() -> str:
    """What the referee calls itself, with its version; raises Absent where there is none."""
    asked = subprocess.run(
        [_java(), "-cp", str(_google_jar()), GOOGLE_CLASS, "start", "--version"],
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=True,
    )
    return asked.stdout.strip()


def _java() -> str:
    java = shutil.which("java")
    if java is None:
        raise Absent("Google's Firestore emulator needs java, which is not on the PATH")
    return java


def _google_jar() -> Path:
    gcloud = shutil.which("gcloud")
    if gcloud is None:
        raise Absent("the Google Cloud SDK (gcloud) is not on the PATH")
    asked = subprocess.run(
        [gcloud, "info", "--format=value(installation.sdk_root)"],
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    component = Path(asked.stdout.strip()) / "platform/cloud-firestore-emulator"
    jar = component / "cloud-firestore-emulator.jar"
    if asked.returncode or not jar.exists():
        raise Absent("the Google Cloud SDK has no cloud-firestore-emulator component")
    return jar


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


_START: dict[str, Callable[[ExitStack], str]] = {"ours": _start_ours, "google": _start_google}

"""Environments made only from a bundle, and the bundle's function running in one.

gcp: a new virtualenv with the bundle's own requirements.txt and nothing else, as Cloud Run's build
makes one. aws: an interpreter without site-packages, the bundle first on its path and Lambda's
runtime client last.
"""

import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import httpx

from infra.addresses import free_port
from infra.bundle_target import here
from infra.bundle_unpacked import Unpacked
from infra.bundle_wheels import Pin, Wheelhouse, read_pins
from tests.bundles.runtime_api import FunctionUrl, RuntimeApi
from tests.local_cloud import wait_for
from tests.project import ROOT

WHEELHOUSE = ROOT / "wheelhouse"

RUNTIME_CLIENT = {"awslambdaric", "simplejson", "snapshot-restore-py"}
"""What Lambda itself puts beside Python."""

AS_LAMBDA = """
import sys
bundle, client, *sys.argv = sys.argv[1:]
sys.path.insert(0, bundle)
sys.path.append(client)
"""
START = "import runpy; runpy.run_module('awslambdaric', run_name='__main__', alter_sys=True)"


class Deployed(Protocol):
    """A function that was started from its bundle."""

    function: str
    base: str

    def start(self, environment: Mapping[str, str]) -> None: ...
    def wait_until_live(self) -> None: ...
    def run(self, code: str) -> str:
        """What the code prints, in another process in the same environment."""

    def stop(self) -> None: ...


class OnCloudRun:
    """functions-framework, told by the environment what Cloud Run's build tells it."""

    def __init__(self, bundle: Path, function: str, scratch: Path) -> None:
        self.function = function
        self._bundle = bundle
        self._log = scratch / f"{function}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._port = free_port()
        self.base = f"http://127.0.0.1:{self._port}"
        home = scratch / f"{function}-venv"
        venv.create(home, symlinks=True, with_pip=False)
        self._python = [str(home / "bin" / "python"), "-I", "-B"]
        pins = read_pins(bundle / "requirements.txt")
        install(pins, next((home / "lib").glob("python*/site-packages")))

    def start(self, environment: Mapping[str, str]) -> None:
        told = {"FUNCTION_TARGET": self.function, "FUNCTION_USE_ASGI": "true", "WORKERS": "1"}
        told |= {"HOST": "127.0.0.1", "PORT": str(self._port)}
        command = [*self._python, "-m", "functions_framework"]
        self._process = start(command, self._bundle, {**environment, **told}, self._log)

    def wait_until_live(self) -> None:
        wait_for(self._is_live, f"{self.function}; it said {tail(self._log)}")

    def _is_live(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, f"{self.function} ended: {tail(self._log)}"
        try:
            return httpx.get(f"{self.base}/health/live", trust_env=False, timeout=30).is_success
        except httpx.TransportError:
            return False

    def run(self, code: str) -> str:
        return output([*self._python, "-c", code], self._bundle)

    def stop(self) -> None:
        end(self._process)


class OnLambda:
    """awslambdaric, asking a Runtime API of ours for events."""

    def __init__(self, bundle: Path, function: str, scratch: Path) -> None:
        self.function = function
        self._bundle = bundle
        self._log = scratch / f"{function}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.api = RuntimeApi()
        self._url = FunctionUrl(self.api)
        self.base = self._url.base
        client = scratch / "runtime-client"
        if not client.exists():
            pins = read_pins(ROOT / "requirements" / "dev.txt")
            install([pin for pin in pins if pin.name in RUNTIME_CLIENT], client)
        self._client = client

    def start(self, environment: Mapping[str, str]) -> None:
        told = {"AWS_LAMBDA_RUNTIME_API": self.api.address, "AWS_LAMBDA_FUNCTION_NAME": "annals"}
        handler = f"functions.{self.function}.lambda_main.handler"
        command = self._python(START, "awslambdaric", handler)
        self._process = start(command, self._bundle, {**environment, **told}, self._log)

    def wait_until_live(self) -> None:
        """Nothing: an event waits until it is asked for."""

    def _python(self, code: str, *args: str) -> list[str]:
        isolated = [sys.executable, "-I", "-S", "-B", "-c", AS_LAMBDA + code]
        return [*isolated, str(self._bundle), str(self._client), *args]

    def run(self, code: str) -> str:
        return output(self._python(code), self._bundle)

    def stop(self) -> None:
        end(self._process)
        self._url.close()
        self.api.close()


def install(pins: list[Pin], folder: Path) -> None:
    """As `pip install --no-deps --no-index --target` would, in a fraction of its time."""
    unpacked = Unpacked(WHEELHOUSE / ".unpacked", with_bytecode=True)
    unpacked.link_into(folder, Wheelhouse(WHEELHOUSE).all_of(pins, here()))


def start(
    command: list[str], cwd: Path, environment: Mapping[str, str], log: Path
) -> subprocess.Popen[bytes]:
    with log.open("ab") as said:
        return subprocess.Popen(command, cwd=cwd, env=environment, stdout=said, stderr=said)


def end(process: subprocess.Popen[bytes] | None) -> None:
    if process is not None:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def output(command: list[str], cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, env={}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def tail(log: Path) -> str:
    return log.read_text("utf-8", "replace")[-3000:] if log.exists() else "nothing"

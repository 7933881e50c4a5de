"""The emulators as a distribution: built, installed with its dependencies alone, and started."""

import json
import os
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.emulators.testing import ROOT

DEADLINE_S = 120.0
SERVICES = {"firestore", "tasks", "pinecone", "openai"}
CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("emulators-installed")]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment that has the wheel and what it names, from the wheelhouse."""
    scratch = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(scratch)]
    subprocess.run(command, cwd=ROOT / "infra" / "emulators", check=True, capture_output=True)
    (wheel,) = scratch.glob("*.whl")
    venv.create(scratch / "venv", with_pip=False, symlinks=True)
    binaries = scratch / "venv" / "bin"
    command = [sys.executable, "-m", "pip", "--python", str(binaries / "python"), "install"]
    command += ["--quiet", "--no-index", "--find-links", str(ROOT / "wheelhouse"), str(wheel)]
    told = subprocess.run(command, check=False, capture_output=True, text=True, env=CLEAN)
    assert told.returncode == 0, told.stderr
    return binaries


@pytest.fixture(scope="module")
def told(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What the one command announces when all four services answer."""
    folder = tmp_path_factory.mktemp("started")
    ready = folder / "ready"
    command = [str(installed / "cloud-emulators"), "--data", str(folder / "data")]
    process = subprocess.Popen(
        [*command, "--ready-file", str(ready)], cwd=folder, env=CLEAN, stdout=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + DEADLINE_S
        while not ready.exists():
            assert process.poll() is None, "the command ended before its services were ready"
            assert time.monotonic() < deadline, "the services were not ready in time"
            time.sleep(0.02)
        yield json.loads(ready.read_text())
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def test_one_command_starts_four_services(told: dict[str, Any]) -> None:
    assert set(told["pids"]) == SERVICES
    assert set(told["admin"]) == SERVICES
    models = httpx.get(f"{told['OPENAI_BASE_URL']}/models", headers={"Authorization": "Bearer x"})
    assert models.json()["data"]
    indexes = httpx.get(f"{told['PINECONE_CONTROLLER_HOST']}/indexes", headers={"Api-Key": "x"})
    assert indexes.json()["indexes"] == []


def test_anybodys_tests_can_start_one(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from cloud_emulators.testing import emulators\n"
        "with emulators(['pinecone'], Path(sys.argv[1])) as running:\n"
        "    print(running.told['PINECONE_CONTROLLER_HOST'])\n"
    )
    done = subprocess.run(
        [str(installed / "python"), "-c", code, str(tmp_path / "data")],
        cwd=tmp_path,
        env=CLEAN,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("http://127.0.0.1:")


def test_nothing_else_is_in_it(installed: Path) -> None:
    """No tests, and no package beside its own."""
    (site,) = installed.parent.glob("lib/python*/site-packages")
    (record,) = site.glob("cloud_emulators-*.dist-info/RECORD")
    paths = [line.partition(",")[0] for line in record.read_text().splitlines()]
    tops = {path.partition("/")[0] for path in paths if not path.startswith("..")}
    assert tops == {"cloud_emulators", record.parent.name}
    assert not [path for path in paths if "/tests/" in path]

"""Starts that do not come to their end: damaged data, and Ctrl-C before everything is up."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import ROOT


def command(data: Path) -> list[str]:
    words = [sys.executable, "-u", "-m", "infra.local", "--port", "0", "--data", str(data)]
    return [*words, "--log-file", str(data / "logs" / "annals.log")]


@pytest.mark.parametrize(
    "name", ["firestore/firestore.sqlite3", "tasks/tasks.db", "pinecone/indexes.db"]
)
def test_a_damaged_database_is_named_and_where_the_rest_is_said(tmp_path: Path, name: str) -> None:
    path = tmp_path / "emulators" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this was a database" * 500)

    done = subprocess.run(
        command(tmp_path), cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )

    assert done.returncode == 1
    assert "annals: the emulators did not start" in done.stderr
    assert str(tmp_path / "logs" / "annals.log") in done.stderr
    assert f"what is kept in {path.parent} cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


def test_addresses_that_are_not_whole_are_named(tmp_path: Path) -> None:
    (tmp_path / "ports.json").write_text('{"ingest_message": "80')

    done = subprocess.run(
        command(tmp_path), cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )

    assert done.returncode == 1
    assert f"{tmp_path / 'ports.json'} cannot be read" in done.stderr
    assert "Traceback" not in done.stderr


def test_who_stops_it_before_it_is_up_is_not_told_that_it_runs(tmp_path: Path) -> None:
    with subprocess.Popen(
        command(tmp_path), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        assert "starting the emulators" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        told = process.stdout.read()

    assert process.returncode == 0
    assert told == "annals: stopped before everything was up; nothing is lost\n"

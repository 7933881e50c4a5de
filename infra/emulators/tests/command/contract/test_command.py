"""`python -m infra.emulators`: some or all, one owner a folder, ended cleanly or not at all."""

import os
import subprocess
import sys
from pathlib import Path

import psutil

from infra.emulators.testing import ROOT, Emulators, emulators


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "infra.emulators", *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


def test_an_unknown_name_is_told_which_there_are(tmp_path: Path) -> None:
    done = run("redis", "--data", str(tmp_path))

    assert done.returncode == 2
    assert "firestore, tasks, pinecone, openai" in done.stderr


def test_a_folder_has_one_owner(tmp_path: Path) -> None:
    with emulators(["tasks"], tmp_path):
        done = run("tasks", "--data", str(tmp_path))

    assert done.returncode == 1
    assert "in use" in done.stderr


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with emulators(["tasks"], tmp_path / "one") as running:
        port = running.told["CLOUD_TASKS_ENDPOINT"].rpartition(":")[2]
        done = run("tasks", "--data", str(tmp_path / "two"), "--tasks-port", port)

    assert done.returncode == 1
    assert "cannot start" in done.stderr
    assert "Traceback" not in done.stderr


def test_several_tell_all_their_endpoints_and_end_cleanly(tmp_path: Path) -> None:
    running = Emulators(["firestore", "tasks"], tmp_path).start()
    pids = running.told["pids"]

    assert set(pids) == {"firestore", "tasks"}
    assert running.told["FIRESTORE_EMULATOR_HOST"].startswith("127.0.0.1:")
    assert running.told["admin"]["tasks"].startswith("http://127.0.0.1:")
    assert running.stop() == 0
    assert not any(psutil.pid_exists(pid) for pid in pids.values())


def test_children_of_a_killed_parent_die_with_it(tmp_path: Path) -> None:
    running = Emulators(["firestore", "tasks"], tmp_path).start()
    children = [psutil.Process(pid) for pid in running.told["pids"].values()]

    running.kill()

    gone, alive = psutil.wait_procs(children, timeout=20)
    assert not alive
    assert len(gone) == 2


def test_when_one_ends_by_itself_all_end_and_say_so(tmp_path: Path) -> None:
    running = Emulators(["firestore", "tasks"], tmp_path).start()
    assert running.process is not None

    os.kill(running.told["pids"]["tasks"], 9)

    assert running.process.wait(timeout=30) == 1
    running.process = None

"""Starting the emulator: what the table changes, and what makes it refuse."""

import subprocess
import sys
from pathlib import Path

from infra.emulators.testing import ROOT, emulators
from infra.emulators.tests.tasks.client import connected

PARENT = "projects/annals-local/locations/local"
TABLE = (ROOT / "infra/queues.toml").read_text()


async def test_a_new_table_updates_its_queues_and_keeps_the_others(tmp_path: Path) -> None:
    table = tmp_path / "queues.toml"
    table.write_text(TABLE)
    with emulators(["tasks"], tmp_path, "--queues", str(table)) as running:
        async with connected("async", running.told["CLOUD_TASKS_ENDPOINT"]) as client:
            mine = await client.call(
                "create_queue", parent=PARENT, queue={"name": f"{PARENT}/queues/mine"}
            )
            await client.call("pause_queue", name=f"{PARENT}/queues/evolve")
    table.write_text(TABLE.replace("max_attempts = 6", "max_attempts = 17"))
    with emulators(["tasks"], tmp_path, "--queues", str(table)) as running:
        async with connected("async", running.told["CLOUD_TASKS_ENDPOINT"]) as client:
            evolve = await client.call("get_queue", name=f"{PARENT}/queues/evolve")
            assert evolve.retry_config.max_attempts == 17
            assert evolve.state.name == "PAUSED"
            assert await client.call("get_queue", name=mine.name) == mine


def refusal_of(*options: str) -> str:
    command = [sys.executable, "-m", "infra.emulators", "tasks", *options]
    ended = subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 1
    return ended.stderr


def test_a_bad_table_is_named_and_refused(tmp_path: Path) -> None:
    table = tmp_path / "queues.toml"
    table.write_text(TABLE.replace("rate_per_second = 50\n", ""))
    told = refusal_of("--data", str(tmp_path), "--queues", str(table))
    assert "queues.toml: [queues.attribute] lacks rate_per_second" in told
    table.write_text(TABLE.replace("rate_per_second = 50\n", "rate_per_second = 501\n"))
    told = refusal_of("--data", str(tmp_path), "--queues", str(table))
    assert "queues/attribute: RateLimits.maxDispatchesPerSecond" in told
    assert "Traceback" not in told


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with emulators(["tasks"], tmp_path / "one") as running:
        for option, address in (
            ("--tasks-port", running.told["CLOUD_TASKS_ENDPOINT"]),
            ("--tasks-admin-port", running.told["admin"]["tasks"]),
        ):
            port = address.rpartition(":")[2]
            told = refusal_of("--data", str(tmp_path / "two"), option, port)
            assert "tasks cannot start" in told

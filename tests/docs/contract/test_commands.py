"""Every command in the READMEs works."""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.docs.pages import READMES, commands, text_of, without_comment
from tests.project import ROOT

PATIENCE_S = 120.0
RUN_ELSEWHERE = {
    "make test": "it is what runs this test",
    "make demo": "run, with its claims, by tests/local/e2e/test_demo.py",
    "make bench": "minutes long; bench/results keeps what it printed",
}
STARTS_A_CLOUD = "make run"


def _environment(**more: str) -> dict[str, str]:
    """Without what an outer make or pytest set for itself."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return {**kept, **more}


def test_both_readmes_show_the_same_commands() -> None:
    english, chinese = (
        [without_comment(one) for one in commands(text_of(name))] for name in READMES
    )

    assert english == chinese
    assert english[:2] == ["make run", "make test"]


def test_every_command_is_one_that_is_run() -> None:
    shown = {without_comment(one) for name in READMES for one in commands(text_of(name))}
    run = {STARTS_A_CLOUD, *RUN_ELSEWHERE, *_cheap(), *_asking()}

    assert shown <= run


def _cheap() -> list[str]:
    """Commands that come back at once."""
    return [one for one in _english() if one.startswith("make ") and one not in _other()]


def _asking() -> list[str]:
    """Commands that talk to the running cloud."""
    return [one for one in _english() if one.startswith("curl ")]


def _other() -> set[str]:
    return {STARTS_A_CLOUD, *RUN_ELSEWHERE}


def _english() -> list[str]:
    return [without_comment(one) for one in commands(text_of(READMES[0]))]


@pytest.mark.parametrize("command", _cheap())
def test_a_cheap_command_succeeds(command: str) -> None:
    done = subprocess.run(
        command.split(), cwd=ROOT, env=_environment(), capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.timeout(300)
def test_make_run_answers_and_so_do_the_calls_shown_after_it(tmp_path: Path) -> None:
    assert shutil.which("curl"), "the READMEs show curl"
    with _made_to_run(tmp_path) as base:
        key = json.loads((tmp_path / "data" / "secrets.json").read_text())["key"]
        asking = _asking()
        assert asking
        for command in asking:
            done = subprocess.run(
                ["bash", "-ec", f"{command} --max-time 60"],
                env=_environment(ANNALS=base, KEY=key),
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            assert json.loads(done.stdout)["success"] is True, done.stdout


@contextmanager
def _made_to_run(folder: Path) -> Iterator[str]:
    """`make run` on a free port with a data folder of its own; ended as Ctrl-C ends it."""
    log = folder / "run.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            ["make", "run", "PORT=0", f"DATA={folder / 'data'}"],
            cwd=ROOT,
            env=_environment(),
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    try:
        mark = "Annals is running at "
        deadline = time.monotonic() + PATIENCE_S
        while mark not in log.read_text() and process.poll() is None:
            assert time.monotonic() < deadline, log.read_text()[-2000:]
            time.sleep(0.1)
        assert process.poll() is None, log.read_text()[-2000:]
        yield log.read_text().partition(mark)[2].split()[0]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=60)

"""Every command in the READMEs works, and the script shown there prints what is shown."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.docs.pages import READMES, blocks, commands, text_of
from tests.project import ROOT

PATIENCE_S = 120.0
RUN_HERE = {"make run", "make help"}
RUN_ELSEWHERE = {
    "make test": "it is what runs this test",
    "pip install ./clients/python": "tests/bots installs it; here its folder is imported",
    "OPENAI_BASE_URL=https://api.openai.com/v1 OPENAI_API_KEY=sk-... MEMORY_MODEL=gpt-4o-mini "
    "make run": "it needs a key; tests/local/unit has what becomes of the variables",
}


def _environment(**more: str) -> dict[str, str]:
    """Without what an outer make or pytest set for itself."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return {**kept, **more}


def test_every_command_is_one_that_is_run() -> None:
    assert set(commands(text_of(READMES[0]))) == RUN_HERE | set(RUN_ELSEWHERE)


def test_make_help_succeeds() -> None:
    done = subprocess.run(
        ["make", "help"], cwd=ROOT, env=_environment(), capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert "make run" in done.stdout


@pytest.mark.timeout(300)
def test_make_run_answers_and_the_script_prints_what_the_page_shows(tmp_path: Path) -> None:
    (script,) = blocks(text_of(READMES[0]), "python")
    (shown,) = blocks(text_of(READMES[0]), "text")
    with _made_to_run(tmp_path) as told:
        script = script.replace("http://127.0.0.1:8080", _said(told, r"running at (\S+)"))
        script = script.replace("annals_root_...", _said(told, r"your key +(\S+)"))
        script = script.replace("context_deadline_s=5", "context_deadline_s=25")
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env=_environment(
                PYTHONPATH=str(ROOT / "clients" / "python"), XDG_STATE_HOME=str(tmp_path)
            ),
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == 0, done.stderr
    assert set(_quoted(shown)) <= set(_quoted(done.stdout)), done.stdout


def _said(told: str, pattern: str) -> str:
    found = re.search(pattern, told)
    assert found, told
    return found[1]


def _quoted(context: str) -> list[str]:
    """The lines of a context, without their times."""
    return re.findall(r"^> \d\d:\d\d (.+)$", context, re.MULTILINE)


@contextmanager
def _made_to_run(folder: Path) -> Iterator[str]:
    """What `make run` says on a free port with a data folder of its own; ended as Ctrl-C does."""
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
        deadline = time.monotonic() + PATIENCE_S
        while "Every route is described" not in log.read_text() and process.poll() is None:
            assert time.monotonic() < deadline, log.read_text()[-2000:]
            time.sleep(0.1)
        assert process.poll() is None, log.read_text()[-2000:]
        yield log.read_text()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=60)

"""The command `annals`, as a person types it, against a local cloud."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from annals.command.app import app, run
from annals.histories import FORMATS
from tests.local_cloud import LocalCloud
from tests.project import ROOT
from tests.talk import conversation, new_group


class Shell:
    """Most are run in this process, whose modules are loaded already: see `typed`."""

    def __init__(self, cloud: LocalCloud) -> None:
        self._environment = {
            "ANNALS_URL": cloud.told["base"],
            "ANNALS_KEY": cloud.told["key"],
            "PYTHONPATH": str(ROOT / "clients" / "python"),
            "LANG": "C.UTF-8",
            "COLUMNS": "120",
        }

    def run(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        out, err, code = io.StringIO(), io.StringIO(), 0
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(os, "environ", {**self._environment, **environment})
            patch.setattr(sys, "argv", ["annals", *words])
            try:
                run()
            except SystemExit as ended:
                code = int(ended.code or 0)
        return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())

    def typed(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """In a process of its own."""
        code = "from annals.command import main; main()"
        return subprocess.run(
            [sys.executable, "-c", code, *words],
            env={**self._environment, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    def text(self, *words: str, **environment: str) -> str:
        done = self.run(*words, **environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def json(self, *words: str) -> Any:
        return json.loads(self.text("-o", "json", *words))


@pytest.fixture
def shell(cloud: LocalCloud) -> Shell:
    return Shell(cloud)


def test_a_memory_from_its_first_word_to_its_last(shell: Shell) -> None:
    group = new_group()
    added = shell.json("add", group, "The crew ships on Fridays", "--kind", "habit")
    memory = added["memory"]["memory_id"]

    assert "The crew ships on Fridays" in shell.text("list", group)
    assert "habit" in shell.text("-o", "table", "list", group)
    assert (
        shell.json("search", group, "when does the crew ship")["results"][0]["memory_id"] == memory
    )
    assert "habit" in shell.text("show", memory)
    assert "+ The crew ships on Fridays" in shell.text("history", memory)
    assert "create" in shell.text("changes", group)
    assert shell.json("stats", group)["success"] is True

    refused = shell.run("delete", memory)
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert shell.json("list", group)["memories"]

    shell.text("delete", memory, "--yes")
    assert "nothing found" in shell.text("list", group)
    assert "没有找到" in shell.text("list", group, LANG="zh_CN.UTF-8")
    shell.text("restore", memory)
    told = shell.text("history", memory).splitlines()
    assert told.count("+ The crew ships on Fridays") == 1
    assert not [one for one in told if one.startswith("-")]
    versions = [one.split() for one in told if one.startswith("v")]
    assert len(versions) > 1
    assert len({when for _, when, *_ in versions}) == len(versions)
    assert versions[0][1] == added["memory"]["created_at"]
    assert len(shell.json("list", group)["memories"]) == 1
    gone = shell.json("clean", group, "--weaker-than", "1", "--yes")
    assert len(gone["deleted"]) == 1
    assert shell.json("list", group)["memories"] == []


def test_a_chat_brought_along_twice_is_stored_once(shell: Shell, tmp_path: Path) -> None:
    group = new_group()
    path = tmp_path / "old.jsonl"
    path.write_text("\n".join(map(json.dumps, conversation(group))))

    told = shell.json("import", group, str(path), "--dry-run")
    assert told["messages"] == 5
    first = shell.json("import", group, str(path), "--yes")
    again = shell.json("import", group, str(path), "--yes")

    assert (first["stored"], again["duplicate"]) == (5, 5)
    assert "ship" in shell.text("context", group, "When does the release ship?")
    table = shell.text("-o", "table", "context", group, "When does the release ship?")
    assert "message" in table


def test_looking_at_an_empty_group_says_so(shell: Shell) -> None:
    group = new_group()
    for words in (["topics", group], ["events", group], ["jobs", "--group", group]):
        assert "nothing found" in shell.text(*words)


def test_exit_codes_mean_something(shell: Shell) -> None:
    assert shell.typed("history", "nobody").returncode == 5
    assert shell.typed("list", "demo:1", ANNALS_KEY="wrong").returncode == 4
    away = shell.typed("list", "demo:1", ANNALS_URL="http://127.0.0.1:1")
    assert away.returncode == 3
    assert "ANNALS_URL" in away.stderr
    assert shell.typed("import", "demo:1", "no such file").returncode == 2


def test_doctor_finds_five_functions_and_a_key(shell: Shell) -> None:
    told = json.loads(shell.typed("-o", "json", "doctor").stdout)
    assert [told[name] for name in ("ingest_message", "historian_job", "key")] == [
        "running",
        "running",
        "accepted",
    ]


def test_doctor_tells_nobody_there_from_a_key_that_is_refused(shell: Shell) -> None:
    away = shell.run("doctor", ANNALS_URL="http://127.0.0.1:1")
    wrong = shell.run("doctor", ANNALS_KEY="wrong")

    assert (away.returncode, wrong.returncode) == (3, 4)
    assert "key  not known" in away.stdout
    assert "key  refused" not in away.stdout
    assert "ANNALS_URL" in away.stderr
    assert "key  refused" in wrong.stdout
    assert wrong.stdout.count("running") == 5


def test_what_can_be_imported_is_listed(shell: Shell, tmp_path: Path) -> None:
    other = tmp_path / "export.json"
    other.write_text('{"a": 1}')
    helped, unknown = shell.text("import", "--help"), shell.run("import", "demo:1", str(other))

    assert unknown.returncode == 1
    for name, of in FORMATS.items():
        assert f"- {name}: {of}" in unknown.stderr
        assert f"- {name}: {of[:30]}" in helped


def test_every_command_helps(shell: Shell) -> None:
    names = {command.name for command in app.registered_commands}
    assert {"list", "search", "import", "context", "forget", "doctor"} <= names
    told = shell.text("--help")
    assert all(name in told for name in names if name)

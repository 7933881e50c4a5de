"""Every command of `annals` in every form of output, on a group that has something of each kind."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from typer.testing import CliRunner, Result

from annals.command.app import app
from shared.domain.knowledge.profile import Preference, Profile, markdown_of
from tests.local_cloud import LocalCloud, wait_for
from tests.talk import new_group, said

TALK = (
    "I work at Pellworm Lighthouse",
    "I am allergic to shellfish",
    "who mends the lamp?",
    "thanks",
    "good night",
)


@dataclass
class Filled:
    cloud: LocalCloud
    group: str
    topic: str
    memory: str
    folder: Path

    def run(self, *words: str) -> Result:
        variables = {
            "ANNALS_URL": self.cloud.told["base"],
            "ANNALS_KEY": self.cloud.told["key"],
            "ANNALS_CONFIG": str(self.folder / "none.toml"),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "200",
        }
        return CliRunner().invoke(app, list(words), env=variables)

    def new_memory(self) -> str:
        statement = f"Locker {uuid4().hex[:6]} sticks"
        return str(
            self.cloud.ok("POST", f"/evolve_group/memory/{self.group}", {"statement": statement})[
                "memory"
            ]["memory_id"]
        )

    def deleted_memory(self) -> str:
        memory = self.new_memory()
        self.cloud.ok("DELETE", f"/evolve_group/memory/{memory}")
        return memory

    def new_message(self) -> str:
        message = said(self.group, 1, "a line to forget", message_id=uuid4().hex)
        self.cloud.ok("POST", "/ingest_message/messages", message)
        return str(message["message_id"])

    def history(self) -> str:
        path = self.folder / "old.jsonl"
        path.write_text(json.dumps(said("x:1", 1, "an old line")) + "\n")
        return str(path)


@pytest.fixture(scope="module")
def filled(cloud: LocalCloud, tmp_path_factory: pytest.TempPathFactory) -> Filled:
    group = new_group()
    lines: list[dict[str, Any]] = []
    for place, text in enumerate(TALK):
        lines.append(said(group, 2 * place + 1, text, user_name="Oona", user_id="u1"))
        lines.append(
            said(group, 2 * place + 2, "Noted.", user_id="bot", role="assistant")
            | {"reply_message_id": lines[-1]["message_id"]}
        )
    cloud.ok("POST", "/ingest_message/messages", lines)
    note = {"group_id": group, "user_id": "u1", "request_id": "r1", "end_seq": 1}
    note |= {"action_summary": "Told Oona who mends the lamp.", "message_ids": ["m5"]}
    cloud.ok("POST", "/ingest_message/end", {**note, "new_info": ""})
    now = datetime.now(UTC)
    likes = (Preference("tea", "ginger", 0.9),)
    known = Profile(
        "user", "u1", group, "# Oona\n\nKeeps the light.", now, name="Oona", preferences=likes
    )
    httpx.post(
        f"{cloud.told['base']}/historian_job/groups/{group}/import?format=profile",
        content=markdown_of(known).encode(),
        headers={"Authorization": f"Bearer {cloud.told['key']}"},
        timeout=60,
        trust_env=False,
    ).raise_for_status()
    added = cloud.ok(
        "POST", f"/evolve_group/memory/{group}", {"statement": "The crew rows on Tuesdays"}
    )
    history = "/historian_job"
    wait_for(
        lambda: cloud.ok("GET", f"{history}/graph?group_id={group}&entity=Oona")["edges"], "edges"
    )
    wait_for(
        lambda: cloud.ok("GET", f"{history}/events?group_id={group}")["events"], "an event", 120
    )
    topics = cloud.ok("GET", f"/summarize_topic/topics?group_id={group}")["topics"]
    folder = tmp_path_factory.mktemp("annals-command")
    return Filled(cloud, group, topics[0]["topic_id"], added["memory"]["memory_id"], folder)


Words = Callable[[Filled], list[str]]
COMMANDS: dict[str, tuple[Words, str]] = {
    "list": (lambda it: [it.group], "Tuesdays"),
    "search": (lambda it: [it.group, "when does the crew row?"], "rows on Tuesdays"),
    "show": (lambda it: [it.memory], "rows on Tuesdays"),
    "history": (lambda it: [it.memory], "rows on Tuesdays"),
    "changes": (lambda it: [it.group], "rows on Tuesdays"),
    "add": (lambda it: [it.group, f"Oar {uuid4().hex[:6]} is broken"], "is broken"),
    "delete": (lambda it: [it.new_memory(), "--yes"], ""),
    "restore": (lambda it: [it.deleted_memory()], "Locker"),
    "clean": (lambda it: [it.group, "--weaker-than", "0", "--yes"], ""),
    "stats": (lambda it: [it.group], "total"),
    "evolve": (lambda it: [it.group], ""),
    "topics": (lambda it: [it.group], ""),
    "summarize": (lambda it: [it.topic], ""),
    "context": (lambda it: [it.group, "Where does Oona work?", "--left-out"], ""),
    "events": (lambda it: [it.group], "lamp"),
    "profile": (lambda it: [it.group, "u1"], "ginger"),
    "graph": (lambda it: [it.group, "Oona"], "Pellworm"),
    "jobs": (lambda it: ["--group", it.group], "historian"),
    "forget": (lambda it: [it.group, "--message", it.new_message(), "--yes"], "done"),
    "doctor": (lambda it: [], "historian_job"),
    "import": (lambda it: [new_group(), it.history(), "--dry-run"], "1"),
    "export": (lambda it: [it.group, str(it.folder / "group.jsonl")], "memory"),
    "tune": (lambda it: [it.group], ""),
}


def test_no_command_is_left_out() -> None:
    assert {one.name for one in app.registered_commands} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_helps_and_answers_in_every_form(filled: Filled, name: str) -> None:
    words, expected = COMMANDS[name]
    helped = filled.run(name, "--help")
    assert helped.exit_code == 0
    assert "Usage" in helped.stdout

    for form in ("text", "table", "json"):
        done = filled.run("-o", form, name, *words(filled))
        assert done.exit_code == 0, (form, done.output, done.exception)
        assert expected in done.stdout, (form, done.stdout)
        if form == "json":
            assert json.loads(done.stdout) is not None


def test_a_group_is_brought_into_another_one_once(filled: Filled) -> None:
    path, other = str(filled.folder / "whole.jsonl"), new_group()
    assert filled.run("export", filled.group, path).exit_code == 0
    refused = filled.run("import", other, path)
    first = json.loads(filled.run("-o", "json", "import", other, path, "--yes").stdout)
    again = json.loads(filled.run("-o", "json", "import", other, path, "--yes").stdout)

    assert refused.exit_code == 2
    assert first["taken"]["memory"] >= 1
    assert first["refused"] == []
    assert not again["taken"].get("memory")
    assert again["kept"]["memory"] == first["taken"]["memory"]
    assert "rows on Tuesdays" in filled.run("list", other).stdout
    shown = filled.run("export", other).stdout.splitlines()
    assert json.loads(shown[0])["kind"] == "group"


def test_doctor_says_what_a_platform_lacks(filled: Filled) -> None:
    told = filled.run("doctor", "--platform", "nowhere")

    assert told.exit_code == 1
    assert "nowhere" in told.stdout


def test_a_graph_for_graphviz(filled: Filled) -> None:
    shown = filled.run("graph", filled.group, "Oona", "--dot").stdout

    assert shown.startswith("digraph annals {")
    assert "works_at" in shown

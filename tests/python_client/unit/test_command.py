"""What the command decides by itself."""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from annals.command.app import app, with_options_first
from annals.command.knowledge import to_dot
from annals.command.transfer import is_export, kind_of, pages_of
from annals.command.tuning import LEAST_USED, suggest


def test_the_form_may_stand_behind_the_command() -> None:
    assert with_options_first(["list", "demo:1", "-o", "json"]) == ["-o", "json", "list", "demo:1"]
    assert with_options_first(["list", "--output=table", "g"]) == ["--output=table", "list", "g"]
    assert with_options_first(["add", "g", "--", "-o", "x"]) == ["add", "g", "--", "-o", "x"]
    assert with_options_first(["list", "-o"]) == ["-o", "list"]


def context(*scores: tuple[float, bool]) -> dict[str, Any]:
    items = [{"kind": "message", "score": score, "was_referenced": used} for score, used in scores]
    return {
        "threshold": 0.2,
        "items": [*items, {"kind": "memory", "score": 0, "was_referenced": 1}],
    }


def test_a_threshold_is_suggested_that_keeps_the_share_of_used_lines() -> None:
    used = [context((0.5 + number / 100, True), (0.3, False)) for number in range(40)]

    every = suggest(used, keep=1.0)
    most = suggest(used, keep=0.9)

    assert (every.contexts, every.offered, every.used, every.threshold) == (40, 80, 40, 0.2)
    assert (every.suggested, every.left_out) == (0.5, 40)
    assert (most.suggested, most.left_out) == (0.54, 44)


def test_too_little_feedback_suggests_nothing() -> None:
    few = [context((0.9, True)) for _ in range(LEAST_USED - 1)]

    assert suggest(few, keep=0.95).suggested is None
    assert suggest([], keep=0.95).threshold is None


def test_an_export_is_known_by_its_first_line(tmp_path: Path) -> None:
    own, other = tmp_path / "own.jsonl", tmp_path / "other.jsonl"
    line = {"kind": "group", "id": "demo:1", "data": {"name": "a"}}
    own.write_text(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n")
    other.write_text('{"content": "hello", "user_id": "u1"}\n')

    assert is_export(own)
    assert not is_export(other)
    assert not is_export(tmp_path)
    assert kind_of(own.read_text().rstrip()) == "group"


def test_pages_are_small_enough_for_a_request() -> None:
    assert [len(one) for one in pages_of(["x"] * 450)] == [200, 200, 50]
    assert [len(one) for one in pages_of(["x" * 300_000] * 3)] == [1, 1, 1]
    assert list(pages_of([])) == []


def test_a_graph_for_graphviz_quotes_names() -> None:
    edge = {"source_id": "a", "target_id": "b", "relation_type": "works_at"}
    dot = to_dot({"a": 'Ann "the cat"', "b": "B\\C"}, [edge])

    assert r'"a" [label="Ann \"the cat\""];' in dot
    assert '"a" -> "b" [label="works_at"];' in dot


def test_an_export_comes_through_a_pipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ANNALS_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANNALS_KEY", "annals_x_y")
    row = {"user_id": "u", "content": "hi", "create_time": "2026-01-01T00:00:00Z"}
    text = "\n".join(json.dumps({**row, "content": f"hi {n}"}) for n in range(8))
    piped = CliRunner().invoke(app, ["import", "demo:1", "-", "--dry-run"], input=text)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as writer:
        writing = writer.submit(pipe.write_text, text)
        named = CliRunner().invoke(app, ["import", "demo:1", str(pipe), "--dry-run"])
        writing.result()
    for told in (piped, named):
        assert told.exit_code == 0, told.output
        assert "about 1 model calls and 1,200 prompt tokens" in " ".join(told.output.split())

"""Whatever Annals does, a bot's reply goes on, and what was said is not lost."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from annals import Annals, AsyncAnnals, Broken, Missing, NotAllowed, Refused, Unreachable, calls
from tests.local_cloud import wait_for
from tests.project import ROOT
from tests.python_client.server import Answer, Server, ok, refused, serving

CONTEXT = {
    "context_id": "c1",
    "mode": "intelligent",
    "reason": "",
    "stable": "S",
    "dynamic": "D",
    "text": "S\nD",
    "messages": [],
    "items": [{"kind": "message", "id": "m1", "score": 0.5, "reasons": ["near"], "tokens": 3}],
    "tokens": {"total": 3},
    "timings_ms": {},
}
GARBAGE: list[Answer] = [
    (200, b"not json"),
    (200, b"[]"),
    (200, b"{}"),
    (200, json.dumps({**CONTEXT, "items": None}).encode()),
    (200, json.dumps({**CONTEXT, "items": [{"kind": "x"}]}).encode()),
    (200, json.dumps({**CONTEXT, "tokens": []}).encode()),
    (500, b"<html>oops"),
    refused(400),
    refused(403, "forbidden"),
    (204, b""),
    (200, b'{"a":' * 200_000),
    (200, json.dumps({**CONTEXT, "tokens": {"total": float("inf")}}).encode()),
    (200, json.dumps({**CONTEXT, "stable": "s" * 5_000_000}).encode()),
]


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as one:
        yield one


def test_a_context_is_read_whole(server: Server, tmp_path: Path) -> None:
    server.answer = lambda path, body: ok(**CONTEXT)
    with Annals(server.url, "k", queue=tmp_path / "q.db") as memory:
        context = memory.context("demo:1", "when?", max_tokens=100, deadline_s=30)

    assert context
    assert context.items[0].reasons == ("near",)
    assert context.to_openai("when?", system="Be kind.") == [
        {"role": "system", "content": "Be kind.\n\nS"},
        {"role": "user", "content": "D"},
        {"role": "user", "content": "when?"},
    ]
    (path, body) = server.seen[0]
    assert path == "/build_context/context"
    assert body == {
        "group_id": "demo:1",
        "message": "when?",
        "max_tokens": 100,
        "deadline_ms": 30_000,
    }


@pytest.mark.parametrize("answer", GARBAGE)
async def test_garbage_gives_an_empty_context(
    server: Server, tmp_path: Path, answer: Answer
) -> None:
    server.answer = lambda path, body: answer
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        assert not memory.context("demo:1", "when?", deadline_s=30)
    async with AsyncAnnals(server.url, queue=tmp_path / "a.db") as memory_too:
        context = await memory_too.context("demo:1", "when?", deadline_s=30)
    assert context.mode == "empty"
    assert context.reason


async def test_a_hundred_late_answers_are_not_waited_for(server: Server, tmp_path: Path) -> None:
    server.late.clear()
    with Annals(server.url, queue=tmp_path / "q.db", context_deadline_s=0.01) as memory:
        contexts = [memory.context("demo:1", "when?") for _ in range(100)]
        async with AsyncAnnals(
            server.url, queue=tmp_path / "a.db", context_deadline_s=0.01
        ) as memory_too:
            contexts += [await memory_too.context("demo:1", "when?") for _ in range(100)]
        assert server.answered == 0
        server.late.set()
    assert {context.mode for context in contexts} == {"empty"}


def test_nobody_listening_is_an_empty_context_and_a_full_queue(tmp_path: Path) -> None:
    with Annals("http://127.0.0.1:1", queue=tmp_path / "q.db") as memory:
        memory.ingest({"group_id": "demo:1", "user_id": "u", "content": "hello"})
        memory.end("demo:1", user_id="u", request_id="r1", action_summary="greeted")
        assert not memory.context("demo:1", "when?", deadline_s=30)
        assert memory.waiting == 2
        with pytest.raises(Unreachable, match="did not answer"):
            memory.search("demo:1", "x")


@pytest.mark.parametrize("url", ["http://[::1", "ftp://127.0.0.1", "nowhere"])
async def test_an_address_that_is_none_is_an_empty_context(url: str, tmp_path: Path) -> None:
    with Annals(url, queue=tmp_path / "q.db") as memory:
        assert not memory.context("demo:1", "when?", deadline_s=30)
    async with AsyncAnnals(url, queue=tmp_path / "a.db") as memory_too:
        assert not await memory_too.context("demo:1", "when?", deadline_s=30)


async def test_a_bot_that_is_shutting_down_gets_no_error(tmp_path: Path) -> None:
    memory = Annals("http://127.0.0.1:1", queue=tmp_path / "q.db")
    memory.close()
    memory_too = AsyncAnnals("http://127.0.0.1:1", queue=tmp_path / "a.db")
    await memory_too.aclose()
    line = {"group_id": "demo:1", "user_id": "u", "content": "hello"}

    assert not memory.context("demo:1", "when?", deadline_s=30)
    assert not await memory_too.context("demo:1", "when?", deadline_s=30)
    memory.ingest(line)
    await memory_too.ingest(line)
    assert memory.dropped == memory_too.dropped == {"not written": 1}


def test_half_a_character_is_a_question_mark(server: Server, tmp_path: Path) -> None:
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.ingest({"group_id": "d:1", "user_id": "u", "content": "a \ud83d b"})
        assert memory.flush(30)
        memory.context("d:1", "a \ud83d b", deadline_s=30)
    assert [one["content"] for one in server.seen[0][1]] == ["a ? b"]
    assert server.seen[1][1]["message"] == "a ? b"


def test_what_is_no_json_is_dropped_and_counted(server: Server, tmp_path: Path) -> None:
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.ingest({"group_id": "d:1", "user_id": "u", "content": object()})
        memory.ingest({"group_id": "d:1", "user_id": "u", "content": "a"})
        assert memory.flush(30)
        assert memory.dropped == {"not written": 1}
    assert [one["content"] for one in server.seen[0][1]] == ["a"]


@pytest.mark.parametrize(
    "garbage", [(200, b"{}"), (200, b'{"results": [1]}'), (200, b'{"a":' * 200_000)]
)
def test_messages_outlive_an_answer_that_makes_no_sense(
    server: Server, tmp_path: Path, garbage: Answer
) -> None:
    answers = [garbage]
    server.answer = lambda path, body: answers.pop() if answers else ok(results=[])
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.ingest({"group_id": "d:1", "user_id": "u", "content": "a"})
        assert memory.flush(30)
    assert [one["content"] for _, body in server.seen for one in body] == ["a", "a"]


def test_messages_of_before_arrive_when_annals_is_back(server: Server, tmp_path: Path) -> None:
    back = threading.Event()
    stored: list[str] = []

    def answer(path: str, body: Any) -> Answer:
        if not back.is_set():
            return 503, b""
        stored.extend(one["content"] for one in body)
        return ok(results=[])

    server.answer = answer
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        for n in range(5):
            memory.ingest({"group_id": "demo:1", "user_id": "u", "content": str(n)})
        back.set()
        assert memory.flush(30)
    assert stored == [str(n) for n in range(5)]


def test_one_bad_message_costs_no_other(server: Server, tmp_path: Path) -> None:
    def answer(path: str, body: Any) -> Answer:
        return refused(400) if any(one["content"] == "bad" for one in body) else ok(results=[])

    server.answer = answer
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.ingest(
            *({"group_id": "d:1", "user_id": "u", "content": c} for c in ("a", "bad", "b"))
        )
        assert memory.flush(30)
        assert memory.dropped == {"refused": 1}


def of_group(group_id: str, text: str) -> dict[str, Any]:
    return {"group_id": group_id, "user_id": "u", "content": text}


def groups_in(path: str, body: Any) -> list[str]:
    """Of a list of messages, or of an event that is relayed."""
    return [one["group_id"] for one in body] if isinstance(body, list) else [body["group"]]


def test_a_deleted_group_holds_up_no_other(server: Server, tmp_path: Path) -> None:
    stored: list[str] = []

    def answer(path: str, body: Any) -> Answer:
        if "d:gone" in groups_in(path, body):
            return refused(403, "forbidden", group_id="d:gone", is_deleted=True)
        stored.extend(groups_in(path, body))
        return ok(results=[])

    server.answer = answer
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.relay("onebot", {"group": "d:gone"})
        memory.ingest(of_group("d:gone", "a"), of_group("d:1", "b"), of_group("d:gone", "c"))
        memory.relay("onebot", {"group": "d:2"})
        assert memory.flush(30)
        assert memory.dropped == {"refused": 3}
    assert stored == ["d:1", "d:2"]


def test_a_group_that_the_key_may_not_touch_waits_alone(server: Server, tmp_path: Path) -> None:
    """Until the next start, or an hour: somebody may give the key that group."""
    stored: list[str] = []
    is_covered = False

    def answer(path: str, body: Any) -> Answer:
        if not is_covered and "d:other" in groups_in(path, body):
            return refused(403, "forbidden", group_id="d:other")
        stored.extend(groups_in(path, body))
        return ok(results=[])

    server.answer = answer
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.relay("onebot", {"group": "d:other"})
        memory.ingest(of_group("d:other", "a"), of_group("d:1", "b"))
        memory.relay("onebot", {"group": "d:2"})
        wait_for(lambda: memory.waiting == 2, "all but the other group's")
        assert memory.dropped == {}
    assert stored == ["d:1", "d:2"]
    is_covered = True
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        assert memory.flush(30)
    assert stored == ["d:1", "d:2", "d:other", "d:other"]


@pytest.mark.parametrize(
    "answer", [refused(401), refused(403, "forbidden", scope="ingest"), refused(403, "forbidden")]
)
def test_a_key_that_is_refused_loses_nothing(
    server: Server, tmp_path: Path, answer: Answer
) -> None:
    server.answer = lambda path, body: answer
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.ingest(of_group("d:1", "a"))
        memory.relay("onebot", {"group": "d:2"})
        wait_for(lambda: server.answered > 1, "another try")
        assert memory.waiting == 2
        server.answer = lambda path, body: ok(results=[])
        assert memory.flush(30)
        assert memory.dropped == {}


def test_the_same_line_has_the_same_id(server: Server, tmp_path: Path) -> None:
    line = {
        "group_id": "d:1",
        "user_id": "u",
        "content": "a",
        "create_time": "2026-01-01T00:00:00Z",
    }
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.ingest(line, line, {**line, "content": "b"})
        assert memory.flush(30)
    ids = [one["message_id"] for _, body in server.seen for one in body]
    assert ids[0] == ids[1] != ids[2]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refused(401), NotAllowed),
        (refused(403), NotAllowed),
        (refused(404), Missing),
        (refused(409), Refused),
        ((502, b"bad gateway"), Broken),
        ((200, b'{"success": true}'), Broken),
    ],
)
def test_other_calls_say_what_went_wrong(
    server: Server, tmp_path: Path, answer: Answer, error: type[Exception]
) -> None:
    server.answer = lambda path, body: answer
    with (
        Annals(server.url, queue=tmp_path / "q.db") as memory,
        pytest.raises(error),
    ):
        memory.history("m1")


def test_ids_are_quoted_whole(server: Server, tmp_path: Path) -> None:
    server.answer = lambda path, body: ok()
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.delete("a/b?c", forget=True)
    assert server.seen[-1][0] == "/evolve_group/memory/a%2Fb%3Fc?forget=true"


def test_no_question_stands_in_an_address(server: Server, tmp_path: Path) -> None:
    words, since = "heron 92", datetime(2026, 1, 1, tzinfo=UTC)
    server.answer = lambda path, body: ok(
        query=words, mode="hybrid", total=0, results=[], topics=[], events=[]
    )
    with Annals(server.url, queue=tmp_path / "q.db") as memory:
        memory.search("demo:1", words)
        memory.search_topics("demo:1", words)
        memory.events("demo:1", text=words, time_from=since)
        memory.request(calls.search_entities("demo:1", words, limit=3))
        memory.request(calls.show_graph("demo:1", words, depth=1))

    assert len(server.seen) == 5
    assert not any("heron" in path for path, _ in server.seen)
    assert all(words in body.values() for _, body in server.seen)
    assert server.seen[2][1]["time_from"] == "2026-01-01T00:00:00+00:00"


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
HALVES = {"head": HEAD + b"5", "body": HEAD + b"500000\r\n\r\n{"}


@contextmanager
def dribbling(half: bytes) -> Iterator[tuple[str, threading.Event]]:
    """Sends `half`, then a byte now and then without end; once the event is set, an answer."""
    listening = socket.create_server(("127.0.0.1", 0))
    whole = json.dumps(CONTEXT).encode()
    over, is_well = threading.Event(), threading.Event()

    def answer(to: socket.socket) -> None:
        with to, suppress(OSError):
            to.recv(65536)
            if is_well.is_set():
                to.sendall(HEAD + b"%d\r\n\r\n" % len(whole) + whole)
                return
            to.sendall(half)
            while not over.wait(0.02):
                to.sendall(b"0")

    def serve() -> None:
        with suppress(OSError):
            while True:
                to, _ = listening.accept()
                threading.Thread(target=answer, args=(to,), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", is_well
    finally:
        over.set()
        listening.close()


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
async def test_answers_that_dribble_are_left_and_cost_no_later_context(
    half: bytes, tmp_path: Path
) -> None:
    """Bytes that keep coming put off every timeout of a single read: only a deadline ends it."""
    with (
        dribbling(half) as (url, is_well),
        Annals(url, queue=tmp_path / "q.db", context_deadline_s=0.05) as memory,
    ):
        contexts = [memory.context("demo:1", "when?") for _ in range(20)]
        is_well.set()
        assert memory.context("demo:1", "when?", deadline_s=30).text == "S\nD"
    with dribbling(half) as (url, is_well):
        async with AsyncAnnals(url, queue=tmp_path / "a.db", context_deadline_s=0.05) as memory_too:
            contexts += [await memory_too.context("demo:1", "when?") for _ in range(20)]
            is_well.set()
            assert (await memory_too.context("demo:1", "when?", deadline_s=30)).text == "S\nD"

    assert {context.mode for context in contexts} == {"empty"}


def ran(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, which must end by itself."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "clients" / "python")}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(
        command, timeout=60, capture_output=True, text=True, check=True, env=variables
    )


SCRIPT = """
import sys
from annals import Annals
Annals(sys.argv[1], queue=sys.argv[2], context_deadline_s=0.05).context("demo:1", "when?")
"""


def test_a_late_answer_holds_up_nobodys_exit(tmp_path: Path) -> None:
    with dribbling(HALVES["head"]) as (url, _):
        script = ran(SCRIPT, url, str(tmp_path / "q.db"))
    assert script.stderr.strip() == "annals: no context within 0.05 s"


ASYNC_SCRIPT = """
import asyncio, sys
from annals import AsyncAnnals

async def main():
    memory = AsyncAnnals("http://127.0.0.1:1", queue=sys.argv[1])
    before = set(sys.modules)
    await memory.context("demo:1", "when?")
    print(sorted(set(sys.modules) - before))

asyncio.run(main())
"""


def test_the_first_context_imports_nothing(tmp_path: Path) -> None:
    """An import cannot be cut off: it belongs before the clock starts."""
    script = ran(ASYNC_SCRIPT, str(tmp_path / "q.db"))
    assert script.stdout.strip() == "[]"

"""Chats through the whole of Annals on this machine, over HTTP, as a bot would.

The clock is the real one: a chat is moved so that its last line was said just now. Attribution runs
in its own tasks; a question waits until every line before it has its topic.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import httpx

from bench.quality.chats import Chat, Question
from shared.contracts.context import ContextAnswer
from shared.domain.messages.message import Message
from tests.project import ROOT

STARTS_WITHIN_S = 180
SETTLES_WITHIN_S = 180
"""Of a busy machine; a quiet one needs a tenth."""
AT_ONCE = 100


class Bot:
    """What a bot does: it forwards lines, and asks before it replies."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._said: dict[str, int] = {}

    def play(self, chat: Chat) -> Iterator[Question]:
        """Everything that was said, and after each line the questions that come then."""
        waiting = {question.after for question in chat.questions}
        moved = datetime.now(UTC) - chat.messages[-1].create_time
        said = 0
        for place, message in enumerate(chat.messages):
            if message.message_id in waiting:
                self._say([_body(one, moved) for one in chat.messages[said : place + 1]])
                said = place + 1
                for question in chat.questions:
                    if question.after == message.message_id:
                        yield question

    def ask(self, chat: Chat, question: Question, max_tokens: int) -> ContextAnswer:
        wish = {
            "group_id": chat.messages[0].group_id,
            "message": question.text,
            "user_id": question.asked_by,
            "max_tokens": max_tokens,
            "deadline_ms": 30_000,
        }
        answer = self._client.post("/build_context/context", json=wish)
        answer.raise_for_status()
        return ContextAnswer.model_validate(answer.json())

    def _say(self, bodies: Sequence[dict[str, Any]]) -> None:
        for first in range(0, len(bodies), AT_ONCE):
            sent = self._client.post(
                "/ingest_message/messages", json=bodies[first : first + AT_ONCE]
            )
            sent.raise_for_status()
        group_id = str(bodies[0]["group_id"])
        self._said[group_id] = self._said.get(group_id, 0) + len(bodies)
        self._until_settled(group_id)

    def _until_settled(self, group_id: str) -> None:
        ends = time.monotonic() + SETTLES_WITHIN_S
        while time.monotonic() < ends:
            found = self._client.get(
                "/summarize_topic/topics", params={"group_id": group_id, "limit": 100}
            )
            found.raise_for_status()
            if sum(one["message_count"] for one in found.json()["topics"]) >= self._said[group_id]:
                return
            time.sleep(0.5)
        raise TimeoutError(f"{group_id}: not every line got its topic")


@contextmanager
def a_bot(port: int) -> Iterator[Bot]:
    with local_cloud(port) as told:
        headers = {"Authorization": f"Bearer {told['key']}"}
        with httpx.Client(base_url=told["base"], headers=headers, timeout=60) as client:
            yield Bot(client)


@contextmanager
def local_cloud(port: int, settings: Mapping[str, str] = MappingProxyType({})) -> Iterator[Any]:
    """A whole one of its own; what its ready file tells."""
    with tempfile.TemporaryDirectory(prefix="annals-bench-") as folder:
        ready = Path(folder, "ready.json")
        command = [sys.executable, "-m", "infra.local", "--port", str(port)]
        command += ["--data", str(Path(folder, "data")), "--ready-file", str(ready)]
        running = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.DEVNULL, env={**os.environ, **settings}
        )
        try:
            yield _ready(ready, running)
        finally:
            running.terminate()
            running.wait(60)


def _ready(file: Path, running: "subprocess.Popen[bytes]") -> dict[str, Any]:
    ends = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < ends and running.poll() is None:
        if file.exists() and (text := file.read_text(encoding="utf-8")):
            told: dict[str, Any] = json.loads(text)
            return told
        time.sleep(0.2)
    raise TimeoutError("the local cloud did not start")


def _body(message: Message, moved: Any) -> dict[str, Any]:
    return {
        "group_id": message.group_id,
        "message_id": message.message_id,
        "user_id": message.user_id,
        "user_name": message.user_name,
        "content": message.content,
        "role": message.role,
        "create_time": (message.create_time + moved).isoformat(),
        "reply_message_id": message.reply_message_id,
    }

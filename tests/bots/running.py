"""A bot of `clients/examples` as a process, the model it asks, and what it asked of it."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.project import ROOT
from tests.python_client.server import Answer, Server, serving

T = TypeVar("T")
PATIENCE_S = 120.0
EXAMPLES = ROOT / "clients" / "examples"
PACKAGES = ("clients/python", "clients/nonebot-plugin-annals")


async def until(condition: Callable[[], T], what: str, seconds: float = PATIENCE_S) -> T:
    """The first true answer of `condition`, while the event loop goes on."""
    deadline = time.monotonic() + seconds
    while not (answer := await asyncio.to_thread(condition)):
        assert time.monotonic() < deadline, f"waited {seconds} s in vain for {what}"
        await asyncio.sleep(0.05)
    return answer


class Model:
    """Answers chat completions with numbered replies; `requests` are the messages it was sent."""

    def __init__(self, server: Server) -> None:
        self.url = f"{server.url}/v1"
        self._server = server
        server.answer = self._reply

    @property
    def requests(self) -> list[list[dict[str, Any]]]:
        return [
            body["messages"] for path, body in self._server.seen if path.endswith("completions")
        ]

    def _reply(self, _path: str, _body: Any) -> Answer:
        message = {"role": "assistant", "content": f"reply {len(self._server.seen)}"}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        whole = {"id": "c1", "object": "chat.completion", "created": 1, "model": "any"}
        return 200, json.dumps({**whole, "choices": [choice], "usage": usage}).encode()


@contextmanager
def model() -> Iterator[Model]:
    with serving() as server:
        yield Model(server)


def environment(folder: Path, told: Mapping[str, Any], **more: str) -> dict[str, str]:
    """A machine with nothing but the packages: its home is an empty folder."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(str(ROOT / one) for one in PACKAGES),
        "ANNALS_URL": str(told["base"]),
        "ANNALS_KEY": str(told["key"]),
        **more,
    }


@contextmanager
def running_bot(
    path: Path, folder: Path, variables: Mapping[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """`python <path>`, with its log in `folder`."""
    with (folder / f"{path.stem}.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, str(path)], cwd=folder, env=dict(variables), stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(timeout=60)

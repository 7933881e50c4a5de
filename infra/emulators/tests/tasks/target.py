"""A real HTTP target for tasks: remembers what it was asked, answers as told."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WAIT_S = 30.0


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes
    at: float
    """Wall-clock seconds of its arrival: the emulator's attempts are timed by the same clock."""

    @property
    def task(self) -> str:
        return self.headers["x-cloudtasks-taskname"]

    @property
    def retry(self) -> int:
        return int(self.headers["x-cloudtasks-taskretrycount"])


Answer = Callable[[Request], int]


@dataclass
class Target:
    """Answers every request with what `answer` says, 200 unless told otherwise.

    While held, requests are taken in and left without an answer.
    """

    answer: Answer = field(default=lambda _: 200)
    reply_headers: dict[str, str] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    answered: list[tuple[Request, int]] = field(default_factory=list)
    unanswered: int = 0

    def __post_init__(self) -> None:
        self._changed = threading.Condition()
        self._is_open = threading.Event()
        self._is_open.set()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._is_open.set()
        self._server.shutdown()
        self._server.server_close()

    def hold(self) -> None:
        self._is_open.clear()

    def release(self) -> None:
        self._is_open.set()

    def of(self, task: str) -> list[Request]:
        with self._changed:
            return [request for request in self.requests if request.task == task]

    def wait_for(self, count: int, *, path: str | None = None) -> list[Request]:
        """Wait until so many requests (to that path) have come, and return them."""

        def found() -> list[Request]:
            return [one for one in self.requests if path is None or one.path == path]

        self.wait_until(lambda: len(found()) >= count, f"{count} requests to {path or 'any path'}")
        with self._changed:
            return found()

    def wait_until(self, condition: Callable[[], Any], what: str) -> None:
        with self._changed:
            came = self._changed.wait_for(condition, WAIT_S)
            assert came, f"waited in vain for {what}; there are {len(self.requests)} requests"

    def take(self, request: Request) -> int:
        with self._changed:
            self.requests.append(request)
            self.unanswered += 1
            self._changed.notify_all()
        self._is_open.wait(WAIT_S)
        status = self.answer(request)
        with self._changed:
            self.unanswered -= 1
            self.answered.append((request, status))
            self._changed.notify_all()
        return status


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed in the middle is what some tests are about."""


def _handler(target: Target) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def handle_one_request(self) -> None:
            self.raw_requestline = self.rfile.readline(65537)
            if not self.raw_requestline or not self.parse_request():
                self.close_connection = True
                return
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, self.path, headers, body, time.time())
            self.send_response(target.take(request))
            for name, value in target.reply_headers.items():
                self.send_header(name, value)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    return Handler

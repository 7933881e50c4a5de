"""A small HTTP server in Annals' place: it answers as it is told, late or not at all."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, bytes]
Rule = Callable[[str, Any], Answer]


def ok(**fields: Any) -> Answer:
    return 200, json.dumps({"success": True, **fields}).encode()


def refused(status: int, code: str = "invalid_input", **detail: Any) -> Answer:
    error = {"code": code, "message": "no", "detail": detail}
    return status, json.dumps({"success": False, "error": error}).encode()


@dataclass
class Server:
    """`seen` are (path, body); `answer` may be changed at any time; while `late` is not set,
    nothing is answered."""

    url: str = ""
    answer: Rule = lambda path, body: ok(results=[])
    seen: list[tuple[str, Any]] = field(default_factory=list)
    late: threading.Event = field(default_factory=threading.Event)
    answered: int = 0


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    server.late.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(length) or b"null")
            server.seen.append((self.path, body))
            server.late.wait(60)
            status, content = server.answer(self.path, body)
            server.answered += 1
            try:
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                return  # who asked is gone

        do_GET = do_PUT = do_DELETE = do_POST  # noqa: N815  names of the standard library

        def log_message(self, *told: Any) -> None:
            return

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    server.url = f"http://127.0.0.1:{listening.server_port}"
    try:
        yield server
    finally:
        server.late.set()
        listening.shutdown()
        listening.server_close()
        thread.join()

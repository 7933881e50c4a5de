"""AWS Lambda as far as a bundle sees it: the Runtime API, and a function URL in front of it."""

import base64
import json
import queue
import threading
import uuid
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

PATIENCE_S = 90.0
ARN = "arn:aws:lambda:eu-west-1:123456789012:function:annals"


class Failed(Exception):
    """The handler raised, or the function could not start; holds what awslambdaric reported."""


class RuntimeApi:
    """Hands events to one function, one at a time, and takes its answers."""

    def __init__(self) -> None:
        self._events: queue.Queue[tuple[str, Any] | None] = queue.Queue()
        self._answers: dict[str, Future[Any]] = {}
        self._broken: str | None = None
        self._server = serve(self._handler())
        self.address = "{}:{}".format(*self._server.server_address)

    def invoke(self, event: Any) -> Any:
        """What the handler returns for the event."""
        if self._broken:
            raise Failed(self._broken)
        request_id = str(uuid.uuid4())
        answer = self._answers[request_id] = Future()
        self._events.put((request_id, event))
        return answer.result(PATIENCE_S)

    def close(self) -> None:
        """After the function's process has ended."""
        self._events.put(None)
        self._server.shutdown()
        self._server.server_close()

    def _handler(api) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(Quiet):
            def do_GET(self) -> None:
                waiting = api._events.get()
                if waiting is None:
                    self.close_connection = True
                    return
                request_id, event = waiting
                headers = {
                    "Lambda-Runtime-Aws-Request-Id": request_id,
                    "Lambda-Runtime-Deadline-Ms": "4102444800000",
                    "Lambda-Runtime-Invoked-Function-Arn": ARN,
                    "Content-Type": "application/json",
                }
                self.answer(200, headers, json.dumps(event).encode())

            def do_POST(self) -> None:
                said = self.body().decode()
                *_, request_id, kind = self.path.split("/")
                if request_id == "init":
                    api._broken = said
                    for waiting in api._answers.values():
                        waiting.set_exception(Failed(said))
                elif kind == "error":
                    api._answers.pop(request_id).set_exception(Failed(said))
                else:
                    api._answers.pop(request_id).set_result(json.loads(said))
                self.answer(202, {}, b"{}")

        return Handler


class FunctionUrl:
    """HTTP in, an event of payload version 2.0 out, as AWS makes it."""

    def __init__(self, api: RuntimeApi) -> None:
        self._server = serve(self._handler(api))
        self.base = "http://{}:{}".format(*self._server.server_address)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self, api: RuntimeApi) -> type[BaseHTTPRequestHandler]:
        class Handler(Quiet):
            def do_GET(self) -> None:
                target = urlsplit(self.path)
                headers = {name.lower(): value for name, value in self.headers.items()}
                event = http_event(
                    self.command, target.path, self.body(), headers, target.query, is_base64=True
                )
                try:
                    answered = api.invoke(event)
                except Failed as failed:
                    self.answer(502, {}, str(failed).encode())
                    return
                body = answered["body"]
                raw = base64.b64decode(body) if answered["isBase64Encoded"] else body.encode()
                self.answer(answered["statusCode"], answered["headers"], raw)

            do_POST = do_PUT = do_DELETE = do_PATCH = do_GET  # noqa: N815

        return Handler


def http_event(
    method: str,
    path: str,
    body: bytes,
    headers: dict[str, str],
    query: str = "",
    *,
    is_base64: bool,
) -> dict[str, Any]:
    """A request to a function URL, as the function receives it."""
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": query,
        "headers": headers,
        "requestContext": {
            "accountId": "anonymous",
            "domainName": "annals.lambda-url.eu-west-1.on.aws",
            "http": {
                "method": method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "192.0.2.1",
                "userAgent": "test",
            },
            "requestId": "r",
            "routeKey": "$default",
            "stage": "$default",
            "time": "16/Nov/2026:03:00:00 +0000",
            "timeEpoch": 1794798000000,
        },
        "body": base64.b64encode(body).decode() if is_base64 else body.decode(),
        "isBase64Encoded": is_base64,
    }


def scheduled_event(cron: str) -> dict[str, Any]:
    """What EventBridge sends when a rule's time has come."""
    return {
        "version": "0",
        "id": "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa",
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": "123456789012",
        "time": "2026-11-16T03:00:00Z",
        "region": "eu-west-1",
        "resources": [f"arn:aws:events:eu-west-1:123456789012:rule/annals-{cron}"],
        "detail": {},
    }


class Quiet(BaseHTTPRequestHandler):
    """What both servers need of HTTP."""

    protocol_version = "HTTP/1.1"

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            if name.lower() != "content-length":
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Nothing: the tests tell what went wrong."""


def serve(handler: type[BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server

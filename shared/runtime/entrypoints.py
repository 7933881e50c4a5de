"""The doors: the same app behind functions-framework on Cloud Run and behind Mangum on Lambda."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared import log
from shared.config import Problem
from shared.runtime.route_access import INTERNAL, TRIGGER

if TYPE_CHECKING:
    from mangum.types import LambdaContext

_ASGI = (
    *("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string"),
    *("root_path", "headers", "client", "server", "state", "extensions"),
)
"""What a scope has by the ASGI specification: the rest is functions-framework's own routing."""

TEXT_TYPES = ["text/", "application/json", "application/x-ndjson", "application/javascript"]

_CRON = re.compile(r"[a-z][a-z_]{0,40}")


def cloud_run(app: FastAPI) -> Callable[[Request], Awaitable[Response]]:
    """A target for `functions-framework --asgi`, which takes functions only."""
    _open(app)

    async def target(_: Request) -> Response:
        return _Handover(app)

    return target


class _Handover(Response):
    """A response that lets the app answer."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__()
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        own = {name: scope[name] for name in _ASGI if name in scope}
        await self._app(own, receive, send)


def aws_lambda(app: FastAPI) -> Callable[[dict[str, Any], Any], Any]:
    """A Lambda handler: HTTP events go through Mangum, a schedule's to its `/cron` route.

    A schedule's event is `{"cron": "<name>"}`, the same under `detail`, or EventBridge's own with
    a rule named `...-<name>`. It is invoked by AWS, never by an HTTP caller.
    """
    from mangum import Mangum

    _open(app)
    http = Mangum(_Complete(app), lifespan="off", text_mime_types=TEXT_TYPES)

    def handler(event: dict[str, Any], context: "LambdaContext") -> Any:
        if "requestContext" in event:
            return http(event, context)
        path = f"/cron/{cron_of(event)}"
        return asyncio.get_event_loop().run_until_complete(_trigger(app, path))

    return handler


def _open(app: FastAPI) -> None:
    log.take_over()
    problems: tuple[Problem, ...] = app.state.problems
    if bad := [problem.message for problem in problems if not problem.is_unset]:
        log.warning("settings_bad", problems=bad)
    if unset := [problem.name for problem in problems if problem.is_unset]:
        log.info("settings_unset", settings=unset)


class _Complete:
    """Gives Mangum's scope the path as it was sent, and makes an answer that broke off an error."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_complete = False

        async def tell(message: Message) -> None:
            nonlocal is_complete
            is_complete = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        sent = _path_as_sent(scope["aws.event"])
        own = {**scope, "raw_path": sent.encode(errors="surrogatepass")}
        await self._app(own, receive, tell)
        if not is_complete:
            raise RuntimeError("the answer broke off; the reason is logged")


def _path_as_sent(event: Mapping[str, Any]) -> str:
    return str(event.get("rawPath") or event.get("path") or "/")


def cron_of(event: Mapping[str, Any]) -> str:
    """The name of the cron that a schedule's event asks for; ValueError if it names none."""
    detail = event.get("detail")
    named = event.get("cron") or (detail.get("cron") if isinstance(detail, Mapping) else None)
    if named is None and event.get("resources"):
        named = re.split("[-/]", str(event["resources"][0]))[-1]
    if not isinstance(named, str) or not _CRON.fullmatch(named):
        raise ValueError('an event that is not HTTP must name its cron: {"cron": "sweep"}')
    return named


async def _trigger(app: ASGIApp, path: str) -> dict[str, Any]:
    """Call a route as this process's own trigger. An error makes AWS try again, so it is raised."""
    status, body = 0, bytearray()
    sent = False

    async def receive() -> Message:
        nonlocal sent
        if sent:
            return {"type": "http.disconnect"}
        sent = True
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            body.extend(message.get("body", b""))

    headers = [(b"content-length", b"0")]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "https",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": None,
        "server": None,
        TRIGGER: INTERNAL,
    }
    await app(scope, receive, send)
    if not 200 <= status < 300:
        raise RuntimeError(f"{path} answered {status}")
    return {"statusCode": status, "body": json.loads(body) if body else None}

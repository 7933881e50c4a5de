"""What a request may be: how big, how long, with which path, and of which text."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.config import Settings
from shared.errors import InvalidInput, TooLarge, Transient

MAX_BODY_BYTES = 4 * 1024 * 1024
"""Room for the longest list, 500 messages, at 8 KiB each; more is refused before it is parsed."""
ROOM_S = 2.0
"""An answer goes out this long before the platform would cut the request."""


class Bounded:
    """Middleware: refuses a body that is, or turns out to be, over the limit."""

    def __init__(self, app: ASGIApp, *, max_bytes: int = MAX_BODY_BYTES) -> None:
        self._app = app
        self._max = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            receive = self._counted(scope, receive)
        await self._app(scope, receive, send)

    def _counted(self, scope: Scope, receive: Receive) -> Receive:
        announced = Headers(scope=scope).get("content-length", "0")
        if not (announced.isascii() and announced.isdigit()):
            raise InvalidInput("Content-Length is not a number")
        if len(announced) > 19 or int(announced) > self._max:
            raise self._too_large()
        seen = 0

        async def count() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._max:
                raise self._too_large()
            return message

        return count

    def _too_large(self) -> TooLarge:
        return TooLarge(f"the body has more than {self._max} bytes", max_bytes=self._max)


class PlainPaths:
    """Middleware: no segment of a path hides a slash, a control character or broken UTF-8.

    Servers decode the path before it is routed: a group id with an encoded slash would otherwise
    name another route.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            check_path(scope.get("raw_path") or b"", scope["path"])
        await self._app(scope, receive, send)


def check_path(raw: bytes, decoded: str) -> None:
    """InvalidInput if the path, as it was sent, is ambiguous."""
    raw = raw.partition(b"?")[0]
    if b"%2f" in raw.lower():
        raise InvalidInput("an id in a path has no slash, encoded or not")
    try:
        text = unquote_to_bytes(raw).decode() if raw else decoded
    except UnicodeDecodeError as error:
        raise InvalidInput("the path is not UTF-8") from error
    if any(character < " " or character == "\x7f" for character in text):
        raise InvalidInput("the path has a control character")


def deadline_s(settings: Settings, path: str) -> float:
    """How long a request to this path may take."""
    kinds = {
        "webhooks": settings.webhook_deadline_seconds,
        "tasks": settings.task_deadline_seconds,
        "cron": settings.cron_deadline_seconds,
    }
    return kinds.get(path.split("/")[1] if "/" in path else "", settings.api_deadline_seconds)


class Timed:
    """Middleware: what is not finished at its deadline is cancelled, and the caller told to retry.

    `timeout_s` is when the platform cuts the request; the answer goes out before that.
    """

    def __init__(
        self, app: ASGIApp, *, deadline: Callable[[str], float], timeout_s: float | None = None
    ) -> None:
        self._app = app
        self._deadline = deadline
        self._most = float("inf") if timeout_s is None else max(timeout_s - ROOM_S, timeout_s / 2)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seconds = min(self._deadline(scope["path"]), self._most)
        try:
            async with asyncio.timeout(seconds) as timeout:
                await self._app(scope, receive, send)
        except TimeoutError as error:
            if not timeout.expired():
                raise
            raise Transient(f"it was not finished within {seconds:g} s", seconds=seconds) from error


_WEBHOOKS = "/webhooks/"
"""A platform cannot be told to correct itself: what it sends is mended when it is read."""
_HALF = b"\\ud"
"""How each half of a pair begins, in lower case; a body without it has none."""


class WholeText:
    """Middleware: refuses a JSON body with a text that is not Unicode. JSON can hold half of a
    character (`\\ud800`), no database can; refused here, no route has to think of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(_WEBHOOKS):
            receive = _checked(receive)
        await self._app(scope, receive, send)


def _checked(receive: Receive) -> Receive:
    """The body comes in one piece, and only if it may."""
    is_read = False

    async def whole() -> Message:
        nonlocal is_read
        message = await receive()
        if is_read or message["type"] != "http.request":
            return message
        body = message.get("body", b"")
        parts = [body]
        while message.get("more_body"):
            message = await receive()
            if message["type"] != "http.request":
                return message
            parts.append(message.get("body", b""))
        is_read = True
        body = b"".join(parts)
        check_text(body)
        return {"type": "http.request", "body": body, "more_body": False}

    return whole


def check_text(body: bytes) -> None:
    """InvalidInput if a text of the JSON is not Unicode; what is no JSON is the reader's affair."""
    if _HALF not in body.lower():
        return
    try:
        where = next(_broken(json.loads(body), "body"), None)
    except (ValueError, RecursionError):
        return
    if where is not None:
        problem = {"where": where, "problem": "not valid Unicode: it has half a character"}
        raise InvalidInput(f"{where}: {problem['problem']}", problems=[problem])


def _broken(value: Any, where: str) -> Iterator[str]:
    """The places of the texts that are not Unicode; a name's place is its object's."""
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            yield where
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _broken(item, f"{where}.{number}")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _broken(name, where)
            yield from _broken(item, f"{where}.{name:.100}")

"""Text that can be stored: JSON can hold half of a character (`\\ud800`), no database can.

Refused here, in front of every route, so that no route has to think of it. Webhooks come through:
a platform cannot be told to correct itself, so what it sends is mended when it is read.
"""

import json
from collections.abc import Iterator
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.errors import InvalidInput

_MENDED = "/webhooks/"
_HALF = b"\\ud"
"""How each half of a pair begins, in lower case; a body without it has none."""


class WholeText:
    """Middleware: refuses a JSON body with a text that is not Unicode."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(_MENDED):
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
        for number, one in enumerate(value):
            yield from _broken(one, f"{where}.{number}")
    elif isinstance(value, dict):
        for name, one in value.items():
            yield from _broken(name, where)
            yield from _broken(one, f"{where}.{name:.100}")

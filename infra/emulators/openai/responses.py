"""How answers leave: JSON, server-sent events, and both cut off in the middle."""

import json
from collections.abc import Iterable
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send


def written(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


class Json(Response):
    """A JSON body whose bytes were made elsewhere, off the event loop if large."""

    media_type = "application/json"


class CutJson(Response):
    """Promises the whole body, sends half of it and hangs up."""

    media_type = "application/json"

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await send(_start(self.raw_headers))
        await send(_body(bytes(self.body[: len(self.body) // 2])))


class Events(Response):
    """Server-sent events. Cut ones stop half-way, without the last event and without an end."""

    media_type = "text/event-stream"

    def __init__(self, chunks: Iterable[dict[str, Any]], *, is_cut: bool = False) -> None:
        super().__init__(headers={"cache-control": "no-cache"})
        del self.headers["content-length"]
        self._events = [b"data: " + written(chunk) + b"\n\n" for chunk in chunks]
        self._is_cut = is_cut

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await send(_start(self.raw_headers))
        if self._is_cut:
            for event in self._events[: len(self._events) // 2]:
                await send(_body(event))
            return
        for event in [*self._events, b"data: [DONE]\n\n"]:
            await send(_body(event))
        await send(_body(b"", more=False))


def _start(headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
    return {"type": "http.response.start", "status": 200, "headers": headers}


def _body(content: bytes, *, more: bool = True) -> dict[str, Any]:
    return {"type": "http.response.body", "body": content, "more_body": more}

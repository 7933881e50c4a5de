"""Requests that only read: the stores withhold from them what is being forgotten."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from starlette.types import ASGIApp, Receive, Scope, Send

from shared.domain.forgetting.withheld import Withheld

ALSO_READ = ("/context", "/mcp", "/events", "/graph")
"""Answered by POST, and reading all the same; so are tools and searches."""


@dataclass
class Reader:
    """What is withheld from one request, by the path of the group, as far as it is known; `asked`
    are groups that are being read just now."""

    hidden: dict[str, Withheld] = field(default_factory=dict)
    asked: dict[str, asyncio.Event] = field(default_factory=dict)


READING: ContextVar[Reader | None] = ContextVar("annals_reading", default=None)
"""The request in hand, if it only reads."""


def is_reading(method: str, path: str) -> bool:
    if method in ("GET", "HEAD"):
        return True
    is_search = path.startswith("/tools/") or "/search" in path
    return method == "POST" and (path in ALSO_READ or is_search)


@contextmanager
def as_reader() -> Iterator[None]:
    token = READING.set(Reader())
    try:
        yield
    finally:
        READING.reset(token)


class ReadOnlyRequests:
    """Middleware: marks what only reads. Work, and whoever writes, must see what is there."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and is_reading(scope["method"], scope["path"]):
            with as_reader():
                await self._app(scope, receive, send)
            return
        await self._app(scope, receive, send)

"""Authentication of every request. A route needs an API key unless its path says otherwise.

The check comes before the body is read. A path that no route takes is left to the router: it is
404 or 405 for everybody.
"""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Annotated

from fastapi import Depends
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Receive, Scope, Send

from shared import log
from shared.runtime.auth import CHARGED, Caller, KeyRing, charge
from shared.runtime.http_errors import IS_TASK
from shared.runtime.trigger import Triggers

CALLER = "annals.caller"
KEYS = "annals.keys"
TRIGGER = "annals.trigger"

INTERNAL = object()
"""Stands in a scope under TRIGGER when this process itself makes the request, for a schedule that
did not come over HTTP. No header can put it there."""

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_OPEN = frozenset({"/docs", "/openapi.json", "/health/live", "/health/ready"})


class Entry(Enum):
    """How one comes in by a path."""

    OPEN = auto()
    TRIGGER = auto()
    KEY = auto()


def entry_of(path: str) -> Entry:
    """Webhooks are open here because each platform signs in its own way; their handlers check."""
    if path in _OPEN or path.startswith("/webhooks/"):
        return Entry.OPEN
    if path.startswith(("/tasks/", "/cron/")):
        return Entry.TRIGGER
    return Entry.KEY


class Gate:
    """Middleware: authenticates the request as its path demands."""

    def __init__(self, app: ASGIApp, *, keys: KeyRing, triggers: Triggers) -> None:
        self._app = app
        self._keys = keys
        self._triggers = triggers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            routes = scope["app"].routes_for(scope["path"])
            if _is_taken(scope, routes):
                await self._admit(scope)
            elif allowed := [m for m in _METHODS if _is_taken({**scope, "method": m}, routes)]:
                # The router would name the methods of the first route only.
                raise HTTPException(405, headers={"Allow": ", ".join(allowed)})
        await self._app(scope, receive, send)

    async def _admit(self, scope: Scope) -> None:
        scope[KEYS] = self._keys
        authorization = Headers(scope=scope).get("authorization")
        match entry_of(scope["path"]):
            case Entry.TRIGGER:
                if scope.get(TRIGGER) is not INTERNAL:
                    await self._triggers.check(authorization)
                    charge(Headers(scope=scope).get(CHARGED))
                scope[IS_TASK] = scope["path"].startswith("/tasks/")
            case Entry.KEY:
                scope[CALLER] = await self._keys.caller(authorization)
                log.bind(key_id=scope[CALLER].key_id)
                charge(scope[CALLER].key_id)
            case Entry.OPEN:
                pass


def _is_taken(scope: Scope, routes: Sequence[BaseRoute]) -> bool:
    probe = dict(scope)
    return any(route.matches(probe)[0] is Match.FULL for route in routes)


async def caller(request: Request) -> Caller:
    """Who calls. On an open path (a relayed webhook) the key is looked at only now."""
    found = request.scope.get(CALLER)
    if found is None:
        keys: KeyRing = request.scope[KEYS]
        found = await keys.caller(request.headers.get("authorization"))
        request.scope[CALLER] = found
        charge(found.key_id)
    assert isinstance(found, Caller)
    return found


TheCaller = Annotated[Caller, Depends(caller)]
"""A route's parameter: `async def list_topics(caller: TheCaller, ...)`."""

"""Routes that are imported with the first request that may be theirs.

A function has dozens of routes, and each costs some milliseconds with its models; the first request
after a cold start needs one of them. Who wants a description of all gets them all imported.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(frozen=True)
class RoutesOf:
    """What imports a router, and the beginnings of all paths that it serves."""

    router: Callable[[], APIRouter]
    beginnings: tuple[str, ...]


def routes_at(*beginnings: str) -> Callable[[Callable[[], APIRouter]], RoutesOf]:
    """For a function that imports a router and returns it."""
    return lambda router: RoutesOf(router, beginnings)


class DescribedApp(FastAPI):
    """An app that knows where the rest of its routes is."""

    parts: tuple[RoutesOf, ...] = ()
    late_routes: tuple[RoutesOf, ...] = ()
    """Those of `parts` that no request has asked for yet."""

    def know(self, parts: Sequence[RoutesOf]) -> None:
        self.parts = self.late_routes = tuple(parts)

    def take_in(self, path: str) -> None:
        """Those that may serve this path, in the order in which they were told."""
        for one in self.late_routes:
            if path.startswith(one.beginnings):
                self.include_router(one.router())
                self.late_routes = tuple(left for left in self.late_routes if left is not one)

    def openapi(self) -> dict[str, Any]:
        for one in self.late_routes:
            self.take_in(one.beginnings[0])
        return super().openapi()


class TakingIn:
    """Middleware: whoever looks for a route further in finds it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            described: DescribedApp = scope["app"]
            described.take_in(scope["path"])
        await self._app(scope, receive, send)

"""One function's ASGI app: its routes, and around them everything that all functions share.

From the outside in: ids and the log line (Traced), the last byte last (LastByteLast), errors to
answers (Answered), the deadline (Timed), the path (PlainPaths), the size (Bounded), who calls
(Gate), whether its text is text (WholeText), whether it only reads (ReadOnlyRequests), and the
router."""

import re
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared import log
from shared.config import Problem, Settings
from shared.contracts.api import ErrorBody
from shared.runtime.auth import FindKey, KeyRing
from shared.runtime.health import ALWAYS_NEEDED, health_routes
from shared.runtime.http_errors import Answered
from shared.runtime.last_byte import LastByteLast
from shared.runtime.limits import MAX_BODY_BYTES, Bounded, PlainPaths, Timed, WholeText, deadline_s
from shared.runtime.readers import ReadOnlyRequests
from shared.runtime.route_access import Gate
from shared.runtime.trigger import Triggers

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
_TRACEPARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")
_CLOUD_TRACE = re.compile(r"([0-9a-f]{32})(?:/([0-9]{1,20}))?(?:;o=[0-9])?")
_XRAY = re.compile(r"Root=1-([0-9a-f]{8})-([0-9a-f]{24})(?:;|$)")


@dataclass(frozen=True)
class Ids:
    """Who this request is: `trace_id` has 32 hex digits, `span_id` 16 or none."""

    request_id: str
    trace_id: str
    span_id: str = ""

    def fields(self, project: str) -> dict[str, log.Field]:
        """As Cloud Logging wants them."""
        return {
            "request_id": self.request_id,
            log.TRACE: f"projects/{project}/traces/{self.trace_id}",
            log.SPAN: self.span_id or None,
        }


def ids_of(headers: Mapping[str, str], fresh: str) -> Ids:
    """The ids of a request; `fresh` (32 hex digits) stands in for what is missing or malformed."""
    given = headers.get("x-request-id", "")
    trace_id, span_id = _trace_of(headers)
    request_id = given if _REQUEST_ID.fullmatch(given) else fresh
    return Ids(request_id, trace_id or fresh, span_id)


def _trace_of(headers: Mapping[str, str]) -> tuple[str, str]:
    if found := _TRACEPARENT.fullmatch(headers.get("traceparent", "")):
        return found[1], found[2]
    if found := _CLOUD_TRACE.fullmatch(headers.get("x-cloud-trace-context", "")):
        span = int(found[2] or 0) % 2**64
        return found[1], f"{span:016x}" if span else ""
    if found := _XRAY.search(headers.get("x-amzn-trace-id", "")):
        return found[1] + found[2], ""
    return "", ""


class Traced:
    """Middleware: gives the request its ids, and logs one line when it is answered."""

    def __init__(self, app: ASGIApp, *, function: str, project: str) -> None:
        self._app = app
        self._function = function
        self._project = project

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        ids = ids_of(Headers(scope=scope), uuid.uuid4().hex)
        status = 0

        async def tell(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-Id"] = ids.request_id
            await send(message)

        began = time.perf_counter()
        with log.context(function=self._function, **ids.fields(self._project)):
            try:
                await self._app(scope, receive, tell)
            finally:
                if not scope["path"].startswith("/health/"):
                    took_ms = round((time.perf_counter() - began) * 1000, 1)
                    method, route = scope["method"], route_of(scope)
                    log.info("request", method=method, route=route, status=status, took_ms=took_ms)


def route_of(scope: Scope) -> str:
    """The route's pattern: a path may name things, and a query may quote people."""
    return str(getattr(scope.get("route"), "path", "")) or "none"


@dataclass(frozen=True)
class RoutesOf:
    """What imports a router, and the beginnings of all paths that it serves."""

    router: Callable[[], APIRouter]
    beginnings: tuple[str, ...]


def routes_at(*beginnings: str) -> Callable[[Callable[[], APIRouter]], RoutesOf]:
    """For a function that imports a router and returns it."""
    return lambda router: RoutesOf(router, beginnings)


class DescribedApp(FastAPI):
    """An app that knows where the rest of its routes is.

    A function has dozens of routes, and each costs some milliseconds with its models; the first
    request after a cold start needs one of them. Who wants a description of all imports them all.
    """

    parts: tuple[RoutesOf, ...] = ()
    late_routes: tuple[RoutesOf, ...] = ()
    """Those of `parts` that no request has asked for yet."""

    def routes_for(self, path: str) -> Sequence[BaseRoute]:
        """All routes that are known; those that may serve this path are imported first."""
        for part in self.late_routes:
            if path.startswith(part.beginnings):
                self.include_router(part.router())
                self.late_routes = tuple(left for left in self.late_routes if left is not part)
        return self.router.routes

    def openapi(self) -> dict[str, Any]:
        for part in self.late_routes:
            self.routes_for(part.beginnings[0])
        return super().openapi()


def create_app(
    name: str,
    *routes: APIRouter | RoutesOf,
    find_key: FindKey,
    settings: Settings,
    problems: Sequence[Problem] = (),
    needed: Sequence[str] = ALWAYS_NEEDED,
    timeout_s: float | None = None,
    max_body_bytes: int = MAX_BODY_BYTES,
) -> DescribedApp:
    """The app of function `name`. Nothing is contacted, and nothing can fail, until a request.

    `find_key` looks an API key up in the store. `needed` are the security settings without which
    the function is not ready; `timeout_s` is when the platform cuts a request.
    """
    keys = KeyRing(find_key, settings)
    app = DescribedApp(
        title=f"Annals: {name}",
        version="1",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        # Behind a prefix, too, the routes are where this description is.
        servers=[{"url": "."}],
        responses={"default": {"model": ErrorBody}},
        # Its spans would carry addresses and its logs exceptions' words: both may quote people.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
        exception_handlers={HTTPException: _pass_on, RequestValidationError: _pass_on},
        middleware=[
            Middleware(Traced, function=name, project=settings.google_cloud_project),
            Middleware(LastByteLast),
            Middleware(Answered),
            Middleware(Timed, deadline=partial(deadline_s, settings), timeout_s=timeout_s),
            Middleware(PlainPaths),
            Middleware(Bounded, max_bytes=max_body_bytes),
            Middleware(Gate, keys=keys, triggers=Triggers(settings)),
            Middleware(WholeText),
            Middleware(ReadOnlyRequests),
        ],
    )
    app.state.keys = keys
    app.state.problems = tuple(problems)
    app.include_router(health_routes(name, settings, problems, needed))
    for part in routes:
        if isinstance(part, APIRouter):
            app.include_router(part)
    app.parts = app.late_routes = tuple(part for part in routes if isinstance(part, RoutesOf))

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        return get_swagger_ui_html(openapi_url="openapi.json", title=app.title)

    return app


async def _pass_on(_: Request, error: Exception) -> Response:
    """Every error is answered in one place, further out."""
    raise error

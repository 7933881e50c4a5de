"""Request and trace ids: taken from the caller if they are well formed, else made here.

Every answer carries `X-Request-Id`, and every log line of the request both ids.
"""

import re
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared import log

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

"""OpenTelemetry: one span a request, with the collector before the last byte; off unless set.

OTLP over HTTP in its JSON form, written here: the SDK and its exporter would be five packages in
every bundle for one request like this. A span names the route's pattern, never an address or a
word; tasks carry on its trace, as they do without it.
"""

import asyncio
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared import log
from shared.runtime.trace import route_of

PATH = "/v1/traces"
SEND_S = 0.5
"""What a collector may cost an answer; one beside the function takes a millisecond."""
SERVER, ERROR = 2, 2
"""OTLP's numbers for a server's span and for one that failed."""
TOLD = ("group_id", "job_id", "request_id", "key_id", "code")
"""Of what the request's log lines carry."""


class Spanned:
    """Middleware: where a collector is set, each answer but health's is told to it."""

    def __init__(
        self, app: ASGIApp, *, function: str, endpoint: str | None, headers: Mapping[str, str]
    ) -> None:
        self._app = app
        self._function = function
        self._url = endpoint.rstrip("/") + PATH if endpoint else ""
        self._headers = {"Content-Type": "application/json", **headers}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._url or scope["type"] != "http" or scope["path"].startswith("/health/"):
            await self._app(scope, receive, send)
            return
        parent = str(log.bound().get(log.SPAN) or "")
        span_id, began, status = secrets.token_hex(8), time.time_ns(), 0
        log.bind(**{log.SPAN: span_id})

        async def tell(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            elif not message.get("more_body", False):
                span = told_span(scope, span_id, parent, began, time.time_ns(), status)
                await self._send(span)
            await send(message)

        await self._app(scope, receive, tell)

    async def _send(self, span: Mapping[str, Any]) -> None:
        """An answer never fails for it."""
        body = json.dumps(exported(self._function, span)).encode()
        try:
            async with asyncio.timeout(2 * SEND_S):
                await asyncio.to_thread(self._post, body)
        except (OSError, TimeoutError) as error:
            log.warning("span_not_sent", reason=type(error).__name__)

    def _post(self, body: bytes) -> None:
        from urllib.request import Request, urlopen

        request = Request(self._url, body, self._headers)  # noqa: S310  the setting takes http only
        with urlopen(request, timeout=SEND_S):  # noqa: S310
            pass


def told_span(
    scope: Scope, span_id: str, parent: str, began: int, ended: int, status: int
) -> dict[str, Any]:
    """A span in OTLP's JSON."""
    bound = log.bound()
    route, method = route_of(scope), str(scope["method"])
    known = {name: str(bound[name]) for name in TOLD if bound.get(name)}
    attributes = {"http.request.method": method, "http.route": route, **known}
    return {
        "traceId": str(bound.get(log.TRACE) or "").rpartition("/")[2],
        "spanId": span_id,
        **({"parentSpanId": parent} if parent else {}),
        "name": f"{method} {route}",
        "kind": SERVER,
        "startTimeUnixNano": str(began),
        "endTimeUnixNano": str(ended),
        "attributes": [
            *({"key": key, "value": {"stringValue": value}} for key, value in attributes.items()),
            {"key": "http.response.status_code", "value": {"intValue": str(status)}},
        ],
        "status": {"code": ERROR} if status >= 500 else {},
    }


def exported(function: str, *spans: Mapping[str, Any]) -> dict[str, Any]:
    service = {"key": "service.name", "value": {"stringValue": f"annals-{function}"}}
    scope_spans = {"scope": {"name": "annals"}, "spans": list(spans)}
    return {"resourceSpans": [{"resource": {"attributes": [service]}, "scopeSpans": [scope_spans]}]}

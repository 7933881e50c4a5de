"""Spans for a collector: sent before the last byte, without words, and never an answer's fault."""

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from fastapi import APIRouter

from shared import log
from tests.runtime.serving import AS_ROOT, ENVIRON, make_app

TRACE, PARENT = "a" * 32, "b" * 16
seen_by_route: list[str] = []
router = APIRouter()


@router.get("/things/{name}")
async def thing(name: str) -> dict[str, str]:
    log.bind(group_id="test:1")
    seen_by_route.append(log.trace_headers()["traceparent"])
    return {"name": name}


class Collector:
    def __init__(self) -> None:
        self.got: list[tuple[str, dict[str, Any], dict[str, str]]] = []
        self.url = ""


@pytest.fixture
def collector() -> Iterator[Collector]:
    told = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.got.append((self.path, body, dict(self.headers)))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    told.url = f"http://127.0.0.1:{server.server_port}"
    yield told
    server.shutdown()
    thread.join()
    server.server_close()


async def ask(path: str, collector: Collector | None = None, **environ: str) -> tuple[int, int]:
    """The status, and how many spans had been sent when the last byte came."""
    app = make_app(router, environ={**ENVIRON, **environ})
    spans = -1

    async def watched(scope: Any, receive: Any, send: Any) -> None:
        async def tell(message: Any) -> None:
            nonlocal spans
            if message["type"] == "http.response.body" and not message.get("more_body"):
                spans = len(collector.got) if collector else 0
            await send(message)

        await app(scope, receive, tell)

    headers = {**AS_ROOT, "traceparent": f"00-{TRACE}-{PARENT}-01"}
    transport = httpx.ASGITransport(app=watched)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        return (await client.get(path, headers=headers)).status_code, spans


async def test_a_span_is_with_the_collector_before_the_last_byte(collector: Collector) -> None:
    status, before = await ask(
        "/things/secret-name?q=secret-words",
        collector,
        OTEL_EXPORTER_OTLP_ENDPOINT=collector.url,
        OTEL_EXPORTER_OTLP_HEADERS="x-key=one, x-other=two",
    )

    assert (status, before, len(collector.got)) == (200, 1, 1)
    path, body, headers = collector.got[0]
    assert path == "/v1/traces"
    assert (headers["X-Key"], headers["X-Other"]) == ("one", "two")
    [resource] = body["resourceSpans"]
    [span] = resource["scopeSpans"][0]["spans"]
    assert (span["traceId"], span["parentSpanId"]) == (TRACE, PARENT)
    assert span["name"] == "GET /things/{name}"
    assert "secret" not in json.dumps(body)
    attributes = {one["key"]: one["value"] for one in span["attributes"]}
    assert attributes["http.response.status_code"] == {"intValue": "200"}
    assert attributes["group_id"] == {"stringValue": "test:1"}
    assert int(span["endTimeUnixNano"]) >= int(span["startTimeUnixNano"])
    assert seen_by_route[-1] == f"00-{TRACE}-{span['spanId']}-01", "tasks hang below this span"


async def test_nothing_is_sent_unless_a_collector_is_set_nor_of_health(
    collector: Collector,
) -> None:
    assert await ask("/things/one", collector) == (200, 0)
    url = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
    assert (await ask("/health/live", collector, **url))[0] == 200
    assert collector.got == []


async def test_a_collector_that_is_away_costs_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    nowhere = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}
    status, _ = await asyncio.wait_for(ask("/things/one", None, **nowhere), 30)

    assert status == 200
    assert "span_not_sent" in [one.getMessage() for one in caplog.records]

"""The Lambda door: HTTP events of all kinds, and schedules that no HTTP caller can imitate."""

import asyncio
import base64
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from shared.runtime.entrypoints import aws_lambda, cron_of
from tests.runtime.serving import AS_ROOT, make_app

router = APIRouter()
swept: list[dict[str, str]] = []


@router.post("/messages")
async def messages(body: dict[str, Any]) -> dict[str, Any]:
    return {"success": True, "got": body}


@router.get("/memory/list/{group_id}")
async def memories(group_id: str, status: str = "active") -> dict[str, Any]:
    return {"success": True, "group_id": group_id, "status": status}


@router.get("/export")
async def export() -> Response:
    return Response('{"kind": "群"}\n', media_type="application/x-ndjson")


@router.get("/bytes")
async def binary() -> Response:
    return Response(b"\x00\xff", media_type="application/octet-stream")


@router.get("/breaks")
async def breaks() -> StreamingResponse:
    async def lines() -> Any:
        yield b"half"
        raise KeyError

    return StreamingResponse(lines(), media_type="text/plain")


@router.post("/cron/sweep")
async def sweep(request: Request) -> dict[str, Any]:
    swept.append(dict(request.headers))
    return {"success": True, "sent": 3}


@router.post("/cron/fails")
async def fails() -> None:
    raise KeyError("inside")


Handler = Callable[[dict[str, Any], Any], Any]


@pytest.fixture
def handler() -> Iterator[Handler]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    swept.clear()
    yield aws_lambda(make_app(router, environ=None))
    loop.close()
    asyncio.set_event_loop(None)
    root.handlers[:] = handlers
    root.setLevel(level)


def v2(method: str, path: str, body: str | None = None, **more: Any) -> dict[str, Any]:
    headers = {"content-type": "application/json", "host": "x.example", **more.pop("headers", {})}
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": more.pop("query", ""),
        "headers": headers,
        "requestContext": {"http": {"method": method, "path": path, "sourceIp": "192.0.2.1"}},
        "body": body,
        "isBase64Encoded": False,
        **more,
    }


def v1(method: str, path: str, body: str | None = None) -> dict[str, Any]:
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": {"Content-Type": "application/json", **AS_ROOT},
        "multiValueHeaders": None,
        "queryStringParameters": {"status": "archived"},
        "multiValueQueryStringParameters": {"status": ["archived"]},
        "requestContext": {"identity": {"sourceIp": "192.0.2.1"}},
        "body": body,
        "isBase64Encoded": False,
    }


def alb(method: str, path: str, body: str = "") -> dict[str, Any]:
    return {
        "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:x"}},
        "httpMethod": method,
        "path": path,
        "queryStringParameters": {"status": "archived"},
        "headers": {"content-type": "application/json", **AS_ROOT},
        "body": body,
        "isBase64Encoded": False,
    }


def test_http_events_of_all_three_kinds_reach_the_app(handler: Handler) -> None:
    wanted = {"success": True, "group_id": "lark:群", "status": "archived"}
    path = "/memory/list/lark:%E7%BE%A4"
    for event in (
        v2("GET", path, query="status=archived", headers=AS_ROOT),
        v1("GET", path),
        alb("GET", path),
    ):
        answer = handler(event, None)
        assert answer["statusCode"] == 200
        assert json.loads(answer["body"]) == wanted


def test_a_body_in_base64_is_decoded(handler: Handler) -> None:
    said = '{"content": "群"}'
    event = v2("POST", "/messages", base64.b64encode(said.encode()).decode(), headers=AS_ROOT)
    event["isBase64Encoded"] = True
    assert json.loads(handler(event, None)["body"])["got"] == {"content": "群"}
    event = v2("POST", "/messages", said, headers=AS_ROOT)
    assert json.loads(handler(event, None)["body"])["got"] == {"content": "群"}


def test_lines_of_json_go_out_as_text_and_bytes_in_base64(handler: Handler) -> None:
    lines = handler(v2("GET", "/export", headers=AS_ROOT), None)
    assert (lines["body"], lines["isBase64Encoded"]) == ('{"kind": "群"}\n', False)
    raw = handler(v2("GET", "/bytes", headers=AS_ROOT), None)
    assert (base64.b64decode(raw["body"]), raw["isBase64Encoded"]) == (b"\x00\xff", True)


@pytest.mark.parametrize("make", [v2, v1, alb])
def test_an_encoded_slash_is_refused_behind_every_gateway(
    handler: Handler, make: Callable[[str, str], dict[str, Any]]
) -> None:
    event = make("GET", "/memory/list/lark:a%2Fb")
    event["headers"] |= AS_ROOT
    assert handler(event, None)["statusCode"] == 400


def test_errors_have_their_shape_and_keys_are_asked_for(handler: Handler) -> None:
    assert handler(v2("POST", "/messages", "{}"), None)["statusCode"] == 401
    answer = handler(v2("POST", "/messages", "{", headers=AS_ROOT), None)
    assert answer["statusCode"] == 400
    assert json.loads(answer["body"])["error"]["code"] == "invalid_input"


def test_an_answer_that_breaks_off_is_not_passed_off_as_whole(handler: Handler) -> None:
    assert handler(v2("GET", "/breaks", headers=AS_ROOT), None)["statusCode"] == 500


@pytest.mark.parametrize(
    "event",
    [
        {"cron": "sweep"},
        {"source": "aws.events", "detail-type": "Scheduled Event", "detail": {"cron": "sweep"}},
        {
            "source": "aws.events",
            "detail-type": "Scheduled Event",
            "detail": {},
            "resources": ["arn:aws:events:eu-west-1:123456789012:rule/annals-sweep"],
        },
    ],
)
def test_a_schedules_event_calls_its_cron_route(handler: Handler, event: dict[str, Any]) -> None:
    answer = handler(event, None)
    assert answer == {"statusCode": 200, "body": {"success": True, "sent": 3}}
    assert len(swept) == 1
    assert "authorization" not in swept[0]


def test_schedules_and_requests_share_one_loop(handler: Handler) -> None:
    handler({"cron": "sweep"}, None)
    assert handler(v2("GET", "/health/live"), None)["statusCode"] == 200
    handler({"cron": "sweep"}, None)
    assert len(swept) == 2


def test_no_http_event_can_pass_for_a_schedule(handler: Handler) -> None:
    forged = [
        v2("POST", "/cron/sweep", "{}"),
        v2("POST", "/cron/sweep", "{}", cron="sweep", source="aws.events"),
        v2("POST", "/cron/sweep", "{}", headers={"annals.trigger": "INTERNAL", **AS_ROOT}),
        v1("POST", "/cron/sweep", "{}") | {"annals.trigger": True, "detail": {"cron": "sweep"}},
        alb("POST", "/cron/sweep", "{}"),
    ]
    assert [handler(event, None)["statusCode"] for event in forged] == [401] * len(forged)
    assert swept == []


def test_a_schedule_that_fails_is_an_error_so_that_aws_tries_again(handler: Handler) -> None:
    with pytest.raises(RuntimeError, match="/cron/fails answered 500"):
        handler({"cron": "fails"}, None)
    with pytest.raises(RuntimeError, match="/cron/unknown answered 404"):
        handler({"cron": "unknown"}, None)


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"cron": ""},
        {"cron": 5},
        {"cron": "../tasks/evolve"},
        {"cron": "sweep?x"},
        {"detail": "sweep"},
        {"resources": []},
        {"resources": ["arn:aws:events:x:1:rule/"]},
        {"Records": [{"eventSource": "aws:sqs", "body": "{}"}]},
    ],
)
def test_an_event_that_names_no_cron_is_refused(event: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="must name its cron"):
        cron_of(event)

"""Every error becomes one answer of one shape that says what to fix and shows nothing inside."""

import asyncio
import json
from typing import Any

import pytest
from fastapi import APIRouter
from pydantic import Field
from starlette.responses import StreamingResponse

from shared import errors
from shared.contracts.api import Body, GroupId, Limit
from shared.runtime.http_errors import IS_TASK, Answered, answer_for
from tests.runtime.serving import AS_ROOT, client, make_app

router = APIRouter()
RAISED: dict[str, Exception] = {}


class Note(Body):
    group_id: GroupId
    content: str = Field(max_length=10)
    tags: list[str] = Field(default_factory=list)


@router.get("/raise/{name}")
async def raise_it(name: str) -> None:
    raise RAISED[name]


@router.post("/notes")
async def take(note: Note) -> dict[str, Any]:
    return {"success": True, "group_id": note.group_id}


@router.get("/groups/{group_id}")
async def group(group_id: GroupId, limit: Limit = 20) -> dict[str, Any]:
    return {"success": True, "group_id": group_id, "limit": limit}


@router.get("/broken-stream")
async def broken_stream() -> StreamingResponse:
    async def lines() -> Any:
        yield b"one\n"
        raise errors.Transient("the rest is gone")

    return StreamingResponse(lines())


app = make_app(router)


async def call(method: str, path: str, **more: Any) -> tuple[int, dict[str, Any], Any]:
    async with client(app, headers=AS_ROOT) as http:
        answer = await http.request(method, path, **more)
    body = answer.json()
    assert body["success"] is (answer.status_code < 400)
    if answer.status_code >= 400:
        assert set(body) == {"success", "error"}
        assert set(body["error"]) == {"code", "message", "detail"}
        assert body["error"]["message"]
    return answer.status_code, body.get("error", body), answer.headers


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (errors.InvalidInput("name is empty", field="name"), 400, "invalid_input"),
        (errors.TooLarge(), 413, "too_large"),
        (errors.Unauthenticated(), 401, "unauthenticated"),
        (errors.Forbidden(), 403, "forbidden"),
        (errors.NotFound(), 404, "not_found"),
        (errors.Conflict(), 409, "conflict"),
        (errors.Transient(), 503, "unavailable"),
        (errors.LostLease(), 503, "lost_lease"),
        (errors.EpochMoved(), 503, "epoch_moved"),
        (errors.Misconfigured("ANNALS_X is not set"), 503, "misconfigured"),
        (errors.BadReply(), 502, "bad_reply"),
    ],
)
async def test_an_error_of_ours_has_its_status_and_tells_its_message(
    error: errors.AnnalsError, status: int, code: str
) -> None:
    RAISED["it"] = error
    got, told, headers = await call("GET", "/raise/it")
    assert (got, told["code"], told["message"]) == (status, code, error.message)
    assert told["detail"] == error.detail
    assert ("retry-after" in headers) is (status == 503)
    assert ("www-authenticate" in headers) is (status == 401)


async def test_any_other_error_is_500_and_shows_nothing_of_the_inside() -> None:
    RAISED["it"] = KeyError("what Ada said")
    status, told, headers = await call("GET", "/raise/it")
    assert (status, told["code"]) == (500, "internal")
    assert told["detail"] == {"request_id": headers["x-request-id"]}
    assert "Ada" not in str(told)


async def test_several_errors_of_ours_are_answered_with_the_gravest() -> None:
    RAISED["it"] = ExceptionGroup("both", [errors.NotFound(), errors.Transient("later")])
    assert (await call("GET", "/raise/it"))[0] == 503
    RAISED["it"] = ExceptionGroup("both", [errors.NotFound(), ValueError("?")])
    assert (await call("GET", "/raise/it"))[0] == 500


def test_an_error_that_is_asked_to_wait_longer_says_how_long() -> None:
    assert answer_for(errors.Transient("x", retry_after_s=60)).headers == {"Retry-After": "60"}


async def test_an_unknown_route_and_a_wrong_method_have_the_same_shape() -> None:
    assert (await call("GET", "/nowhere"))[:2] == (
        404,
        {"code": "not_found", "message": "There is no such route.", "detail": {}},
    )
    status, told, headers = await call("DELETE", "/notes")
    assert (status, told["code"], headers["allow"]) == (405, "method_not_allowed", "POST")
    assert (await call("POST", "/notes/"))[0] == 404


async def test_a_valid_request_passes() -> None:
    note = {"group_id": "lark:oc_1", "content": "hello"}
    assert (await call("POST", "/notes", json=note))[0] == 200


@pytest.mark.parametrize(
    ("sent", "where"),
    [
        ({"content": "x"}, "body.group_id"),
        ({"group_id": "lark:1", "content": "x" * 11}, "body.content"),
        ({"group_id": "lark:1", "content": "x", "extra": 1}, "body.extra"),
        ({"group_id": "lark:1", "content": 5}, "body.content"),
        ({"group_id": "lark:", "content": "x"}, "body.group_id"),
        ({"group_id": "lark:a/b", "content": "x"}, "body.group_id"),
        ({"group_id": "lark:1", "content": "\ud800"}, "body.content"),
        ({"group_id": "lark:1", "content": "x", "tags": [1]}, "body.tags.0"),
        ([], "body"),
        ("text", "body"),
        (None, "body"),
    ],
)
async def test_a_body_that_is_not_valid_is_400_and_says_where(sent: Any, where: str) -> None:
    headers = {"Content-Type": "application/json"}
    status, told, _ = await call("POST", "/notes", content=json.dumps(sent), headers=headers)
    assert (status, told["code"]) == (400, "invalid_input")
    assert told["message"].startswith(f"{where}: ")
    assert told["detail"]["problems"][0]["where"] == where


async def test_what_was_sent_is_never_repeated() -> None:
    sent = {"group_id": "lark:1", "content": "a secret that is too long"}
    _, told, _ = await call("POST", "/notes", json=sent)
    assert "secret" not in str(told)


@pytest.mark.parametrize(
    ("body", "content_type", "hint"),
    [
        (b'{"group_id": ', "application/json", "not valid JSON at character 13"),
        (b'{"a": "\xff"}', "application/json", "UTF-8"),
        (b"[" * 100_000, "application/json", "cannot be read"),
        (b"1" * 10_000, "application/json", "cannot be read"),
        (b"group_id=lark:1", "application/x-www-form-urlencoded", "Content-Type"),
        (b"{}", "", "Content-Type"),
        (b"", "application/json", "body"),
    ],
)
async def test_a_body_that_cannot_be_read_is_400_and_says_why(
    body: bytes, content_type: str, hint: str
) -> None:
    headers = {"Content-Type": content_type}
    status, told, _ = await call("POST", "/notes", content=body, headers=headers)
    assert (status, told["code"]) == (400, "invalid_input")
    assert hint in told["message"]


async def test_a_bad_query_parameter_is_400() -> None:
    status, told, _ = await call("GET", "/groups/lark:1?limit=0")
    assert (status, told["detail"]["problems"][0]["where"]) == (400, "query.limit")


async def test_many_problems_are_listed_but_not_without_end() -> None:
    sent = {"group_id": "lark:1", "content": "x"} | {f"extra{n}": n for n in range(100)}
    _, told, _ = await call("POST", "/notes", json=sent)
    assert len(told["detail"]["problems"]) == 20
    assert "(and 99 more)" in told["message"]


async def test_an_answer_that_fails_half_way_breaks_off() -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        await asyncio.Event().wait()

    await app(_scope("/broken-stream"), receive, send)
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert sent[1]["more_body"] is True


def _scope(path: str) -> dict[str, Any]:
    headers = [(name.lower().encode(), value.encode()) for name, value in AS_ROOT.items()]
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("annals", 80),
    }


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.Transient("later"), 500),
        (errors.LostLease(), 500),
        (errors.BadReply("nonsense"), 502),
        (errors.Misconfigured("MEMORY_MODEL"), 503),
    ],
)
async def test_a_tasks_own_failure_does_not_slow_its_queue(error: Exception, status: int) -> None:
    """Cloud Tasks takes 429 and 503 for overload and holds back every group's tasks."""

    async def fails(scope: Any, receive: Any, send: Any) -> None:
        raise error

    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/tasks/attribute", "method": "POST", IS_TASK: True}
    await Answered(fails)(scope, send, send)  # type: ignore[arg-type]

    assert sent[0]["status"] == status
    assert status != 500 or not any(name == b"retry-after" for name, _ in sent[0]["headers"])

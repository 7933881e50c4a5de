"""How big, how long, and with which path."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import APIRouter, Request

from shared.config import Settings
from shared.errors import InvalidInput
from shared.runtime.limits import MAX_BODY_BYTES, check_path, deadline_s
from tests.runtime.serving import AS_ROOT, ENVIRON, client, make_app

router = APIRouter()
cancelled: list[str] = []


@router.post("/size")
async def size(request: Request) -> dict[str, int]:
    return {"size": len(await request.body())}


@router.post("/parsed")
async def parsed(body: dict[str, Any]) -> dict[str, int]:
    return {"fields": len(body)}


@router.get("/slow")
async def slow() -> None:
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        cancelled.append("slow")
        raise


@router.get("/gives-up")
async def gives_up() -> None:
    raise TimeoutError


@router.delete("/groups/{group_id}/members/{user_id}")
async def member(group_id: str, user_id: str) -> dict[str, str]:
    return {"group_id": group_id, "user_id": user_id}


app = make_app(router, environ=ENVIRON | {"ANNALS_API_DEADLINE_SECONDS": "0.1"}, max_body_bytes=100)


async def chunks(total: int) -> AsyncIterator[bytes]:
    for _ in range(total // 10):
        yield b"x" * 10


async def test_a_body_up_to_the_limit_is_taken_whole() -> None:
    async with client(app, headers=AS_ROOT) as http:
        assert (await http.post("/size", content=b"x" * 100)).json() == {"size": 100}
        assert (await http.post("/size", content=chunks(100))).json() == {"size": 100}


@pytest.mark.parametrize("path", ["/size", "/parsed"])
async def test_a_body_over_the_limit_is_413_announced_or_streamed(path: str) -> None:
    async with client(app, headers={**AS_ROOT, "Content-Type": "application/json"}) as http:
        for content in (b"x" * 101, chunks(110)):
            answer = await http.post(path, content=content)
            assert answer.status_code == 413
            assert answer.json()["error"]["code"] == "too_large"
            assert answer.json()["error"]["detail"] == {"max_bytes": 100}


@pytest.mark.parametrize(
    ("length", "status"), [("9" * 30, 413), ("-1", 400), ("1e3", 400), ("", 400)]
)
async def test_a_false_content_length_is_refused(length: str, status: int) -> None:
    async with client(app, headers=AS_ROOT) as http:
        answer = await http.post("/size", content=b"x", headers={"Content-Length": length})
    assert answer.status_code == status


def test_a_batch_of_the_largest_size_fits() -> None:
    assert MAX_BODY_BYTES == 4 * 1024 * 1024


async def test_what_is_not_finished_at_its_deadline_is_cancelled_and_answered_503() -> None:
    cancelled.clear()
    async with client(app, headers=AS_ROOT) as http:
        answer = await http.get("/slow")
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "unavailable"
    assert answer.json()["error"]["detail"] == {"seconds": 0.1}
    assert answer.headers["retry-after"]
    assert cancelled == ["slow"]


async def test_a_timeout_of_the_handlers_own_is_not_taken_for_the_deadline() -> None:
    async with client(app, headers=AS_ROOT) as http:
        assert (await http.get("/gives-up")).status_code == 500


async def test_the_answer_goes_out_before_the_platform_cuts_the_request() -> None:
    cut = make_app(router, timeout_s=0.2)
    async with client(cut, headers=AS_ROOT) as http:
        assert (await http.get("/slow")).json()["error"]["detail"] == {"seconds": 0.1}


@pytest.mark.parametrize(
    ("path", "seconds"),
    [
        ("/webhooks/lark", 2.5),
        ("/tasks/evolve", 290),
        ("/cron/sweep", 290),
        ("/context", 55),
        ("/", 55),
    ],
)
def test_each_class_of_routes_has_its_deadline(path: str, seconds: float) -> None:
    assert deadline_s(Settings(), path) == seconds


async def test_an_id_with_an_encoded_slash_is_400_and_reaches_no_other_route() -> None:
    async with client(app, headers=AS_ROOT) as http:
        right = await http.delete("/groups/lark:oc_1/members/u%20%E7%BE%A4")
        wrong = await http.delete("/groups/lark:oc_1%2Fmembers%2Fu1")
    assert right.json() == {"group_id": "lark:oc_1", "user_id": "u 群"}
    assert wrong.status_code == 400
    assert "slash" in wrong.json()["error"]["message"]


@pytest.mark.parametrize("raw", [b"/a%2fb", b"/a%2Fb", b"/a%00b", b"/a%0Ab", b"/a%7f", b"/a%ff"])
def test_an_ambiguous_path_is_refused(raw: bytes) -> None:
    with pytest.raises(InvalidInput):
        check_path(raw, "/a")


@pytest.mark.parametrize(
    "raw", [b"", b"/a/b", b"/a%20b", b"/%E7%BE%A4", b"/a%252Fb", b"/a?q=%2F%ff"]
)
def test_a_plain_path_passes(raw: bytes) -> None:
    check_path(raw, "/a")


def test_without_the_path_as_sent_the_decoded_one_is_looked_at() -> None:
    with pytest.raises(InvalidInput):
        check_path(b"", "/a\x00b")

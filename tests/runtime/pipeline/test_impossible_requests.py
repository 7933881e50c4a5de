"""What no caller means and the database cannot keep is refused, by every route that it came through
with once."""

import base64
import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import httpx
import pytest

from shared.domain.knowledge.graph import Entity
from shared.stores.entities import put_entity
from shared.wiring import Services
from tests.forgetting.doors import Doors


@pytest.fixture
def doors(made: Services, monkeypatch: pytest.MonkeyPatch) -> Doors:
    return Doors(made, monkeypatch)


@pytest.fixture
def group_id() -> str:
    return f"test:{uuid4().hex[:12]}"


def sealed(value: str) -> str:
    return base64.urlsafe_b64encode(value.encode()).decode()


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


def refusal(answer: httpx.Response) -> str:
    assert answer.status_code in (400, 413), answer.text
    return str(answer.json()["error"]["message"])


@pytest.mark.parametrize("end_seq", [2**63, 10**30])
async def test_a_note_is_not_numbered_beyond_what_is_kept(
    doors: Doors, group_id: str, end_seq: int
) -> None:
    host = {"group_id": group_id, "user_id": "u1", "request_id": "r1", "end_seq": end_seq}
    by_route = {**host, "action_summary": "Booked the ferry"}
    by_tool = {**host, "arguments": {"action_summary": "Booked the ferry"}}

    first = await doors.call("ingest_message", "POST", "/end", json=by_route)
    second = await doors.call("build_context", "POST", "/tools/end", json=by_tool)

    assert "end_seq" in refusal(first)
    assert "end_seq" in refusal(second)


@pytest.mark.parametrize(
    "changes",
    [
        {"metadata": {"": 1}},
        {"metadata": {"__x__": 1}},
        {"metadata": {"a": [[1]]}},
        {"metadata": {"a": 2**70}},
        {"metadata": deep(30)},
        {"metadata": {"a": "x" * 1_500_000}},
        {"name": "   "},
        {"aliases": [" "]},
    ],
    ids=["no name", "reserved", "lists", "large", "deep", "long", "blank", "blank alias"],
)
async def test_an_entity_is_not_given_what_cannot_be_kept(
    doors: Doors, group_id: str, changes: dict[str, Any]
) -> None:
    now = datetime.now(UTC)
    entity = Entity(f"e-{group_id}", group_id, "Mara", now, now)
    await doors.made.database.commit([put_entity(entity)])

    answer = await doors.call(
        "historian_job", "PATCH", f"/entities/{entity.entity_id}", json=changes
    )

    assert next(iter(changes)) in refusal(answer)
    found = await doors.made.entities.get_many(group_id, [entity.entity_id])
    assert found[entity.entity_id] == entity


@pytest.mark.parametrize(
    ("function", "path", "cursor"),
    [
        ("historian_job", "/groups/{}/export", sealed("message/a/b")),
        ("historian_job", "/groups/{}/export", sealed("message/..")),
        ("historian_job", "/groups/{}/export", sealed("message/__a__")),
        ("historian_job", "/groups/{}/export", "!!!" + sealed("message/a")),
        ("historian_job", "/groups/{}/members/u1/export", sealed("message/a/b")),
        (
            "summarize_topic",
            "/groups/{}/messages",
            sealed(json.dumps(["0001-01-01T00:00:00+14:00", "x"])).rstrip("="),
        ),
        ("historian_job", "/usage?group_id={}", "garbage"),
        ("historian_job", "/usage?by=group", "garbage"),
        ("historian_job", "/usage?by=group", "test:a garbage"),
        ("historian_job", "/usage?by=group", "a/b 2026-01-01"),
        ("build_context", "/groups", "garbage"),
        ("build_context", "/groups", "a/b:c"),
    ],
)
async def test_a_cursor_that_no_page_gave_is_refused(
    doors: Doors, group_id: str, function: str, path: str, cursor: str
) -> None:
    await doors.call("historian_job", "PUT", f"/groups/{group_id}/settings", json={})
    at, _, query = path.format(group_id).partition("?")
    asked = dict(one.split("=") for one in query.split("&") if one)

    answer = await doors.call(function, "GET", at, params={**asked, "cursor": cursor})

    assert refusal(answer)


async def test_the_last_day_there_is_is_behind_every_page(doors: Doors, group_id: str) -> None:
    asked = {"group_id": group_id, "cursor": "9999-12-31"}

    answer = await doors.call("historian_job", "GET", "/usage", params=asked)

    assert answer.json()["usage"] == []


@pytest.mark.parametrize(
    "arguments",
    ['{"query":' + "[" * 100_000, '{"query":' + "[" * 900 + "]" * 900 + "}"],
    ids=["endless", "deep"],
)
async def test_arguments_of_brackets_are_refused(
    doors: Doors, group_id: str, arguments: str
) -> None:
    asked = {"group_id": group_id, "arguments": arguments}

    answer = await doors.call("build_context", "POST", "/tools/search_messages", json=asked)

    assert refusal(answer)


@pytest.mark.parametrize(
    ("tool", "arguments", "host"),
    [
        ("search_messages", {"query": "key", "user_id": "a/b"}, {}),
        ("search_messages", {"query": "key", "time_from": "0001-01-01T00:00:00Z"}, {}),
        ("end", {"action_summary": "x"}, {"user_id": "u1", "timezone": "Mars/Olympus"}),
    ],
)
async def test_what_is_wrong_with_arguments_is_said_in_our_words(
    doors: Doors, group_id: str, tool: str, arguments: dict[str, Any], host: dict[str, Any]
) -> None:
    asked = {"group_id": group_id, "arguments": arguments, **host}

    answer = await doors.call("build_context", "POST", f"/tools/{tool}", json=asked)

    assert "Value error" not in refusal(answer)
    assert "(" not in refusal(answer).partition(":")[0]


async def test_messages_that_are_not_called_json_are_told_which_header_is_missing(
    doors: Doors, group_id: str
) -> None:
    body = json.dumps({"group_id": group_id, "message_id": "1", "user_id": "u1"}).encode()

    answer = await doors.call("ingest_message", "POST", "/messages", content=body)

    expected = "body: send JSON with the header Content-Type: application/json"
    assert refusal(answer) == expected

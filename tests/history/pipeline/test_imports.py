"""An import over its own route: what it refuses leaves no trace, and opt-outs and privacy hold."""

import json
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from shared.domain.messages.stored_message import MessageState
from shared.wiring import Services
from tests.forgetting.doors import Doors
from tests.memories.reading import Reading

MOMENT = {"$time": "2026-01-01T00:00:00+00:00"}


@pytest.fixture
def doors(made: Services, monkeypatch: pytest.MonkeyPatch) -> Doors:
    return Doors(made, monkeypatch)


@pytest.fixture
def group_id(reading: Reading) -> str:
    return reading.group_id


def line(kind: str, own_id: str, **data: Any) -> str:
    return json.dumps({"kind": kind, "id": own_id, "data": data})


def group_line(group_id: str, **data: Any) -> str:
    return line("group", group_id, group_id=group_id, platform="test", **data)


def message_line(group_id: str, message_id: str, user_id: str = "u1", **data: Any) -> str:
    known = {"user_id": user_id, "content": "the key is under the mat", "create_time": MOMENT}
    return line(
        "message", message_id, group_id=group_id, message_id=message_id, **{**known, **data}
    )


async def imported(
    doors: Doors, group_id: str, *lines: str, form: str = "ndjson"
) -> httpx.Response:
    return await doors.call(
        "historian_job",
        "POST",
        f"/groups/{group_id}/import?format={form}",
        content="\n".join(lines).encode(),
    )


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("memories", "{{{"),
        ("memories", "[" * 100_000),
        ("memories", '[{"statement":"x","version":"abc"}]'),
        ("memories", '[{"statement":"x","strength":NaN}]'),
        ("profile", "---\nentity_type: user\nentity_id: u1\ntags: 5\n---\n# Ida"),
        ("profile", '---\nentity_type: user\nentity_id: u1\nname: "\\ud800"\n---\n# Ida'),
        ("profile", "---\nentity_type: user\nentity_id: u1\n---\n" + "x" * 1_500_000),
        ("end_summaries", json.dumps([{"summary": "x" * 1_500_000}])),
        ("end_summaries", json.dumps([{"summary": "x", "end_seq": 10**30}])),
        ("end_summaries", json.dumps([{"summary": "x", "user_id": "u" * 2_000}])),
        ("ndjson", "[[1]]"),
        ("ndjson", group_line("test:other", timezone="Nope/Zone")),
        ("ndjson", group_line("test:other", settings={"nothing": 1})),
        ("ndjson", message_line("test:other", "__a__")),
        ("ndjson", message_line("test:other", "1", create_time={"$time": "9999-12-31T23:59:59Z"})),
    ],
)
async def test_a_refused_import_leaves_nothing_not_even_the_group(
    doors: Doors, group_id: str, form: str, body: str
) -> None:
    answer = await imported(doors, group_id, body, form=form)

    assert answer.status_code == 400, answer.text
    if form == "ndjson":
        assert "line 1" in answer.json()["error"]["message"]
    assert await doors.made.groups.find(group_id) is None


async def test_a_bad_line_of_the_group_refuses_the_page(doors: Doors, group_id: str) -> None:
    """With it would go who opted out and that the chat is private."""
    page = (message_line("test:other", "1"), group_line("test:other", timezone="Nope/Zone"))

    answer = await imported(doors, group_id, *page)

    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith("line 2: timezone")
    assert await doors.made.groups.find(group_id) is None


async def test_who_opted_out_in_either_group_stays_out(doors: Doors, group_id: str) -> None:
    await doors.call(
        "historian_job",
        "PUT",
        f"/groups/{group_id}/settings",
        json={"timezone": "Asia/Shanghai"},
    )
    opt_out = await doors.call(
        "historian_job", "PUT", f"/groups/{group_id}/members/u-here/opt-out", json={}
    )
    assert opt_out.is_success, opt_out.text
    other = group_line(
        "test:other",
        name="crew",
        opted_out=["u-there"],
        settings={"timezone": "Europe/Oslo"},
    )

    answer = await imported(
        doors,
        group_id,
        other,
        message_line("test:other", "1", "u-here"),
        message_line("test:other", "2", "u-there"),
        message_line("test:other", "3", "u-else"),
    )

    assert answer.status_code == 200, answer.text
    group = await doors.made.groups.get(group_id)
    assert set(group.opted_out) == {"u-here", "u-there"}
    assert (group.name, group.settings) == ("crew", {"timezone": "Asia/Shanghai"})
    found = await doors.made.messages.get_many(group_id, ["1", "2", "3"])
    assert [found[one].message.content for one in ("1", "2")] == ["", ""]
    assert found["1"].message.state is MessageState.OPTED_OUT
    assert found["3"].message.content == "the key is under the mat"


async def test_a_file_of_before_brings_nothing_of_who_opted_out(
    doors: Doors, group_id: str
) -> None:
    await doors.call("historian_job", "PUT", f"/groups/{group_id}/members/u1/opt-out", json={})
    profile = "---\nentity_type: user\nentity_id: u1\n---\n# Ida\n\nPaints."
    notes = json.dumps([{"summary": "Fed Ida's cat", "user_id": "u1"}, {"summary": "Fed a dog"}])

    first = await imported(doors, group_id, profile, form="profile")
    second = await imported(doors, group_id, notes, form="end_summaries")

    assert [one["line"] for one in first.json()["refused"]] == [1]
    assert await doors.made.profiles.get(group_id, "user", "u1") is None
    assert second.json()["taken"] == {"event": 1}
    assert [one["line"] for one in second.json()["refused"]] == [1]


@pytest.mark.parametrize("is_whole", [True, False])
async def test_a_private_chat_stays_private_under_another_id(
    doors: Doors, group_id: str, is_whole: bool
) -> None:
    page = [message_line("test:other", "1", audience="private")]
    if is_whole:
        page.insert(0, group_line("test:other", audience="private"))

    answer = await imported(doors, group_id, *page)

    assert answer.status_code == 200, answer.text
    assert (await doors.made.groups.get(group_id)).audience == "private"


@pytest.mark.parametrize("is_whole", [True, False])
async def test_a_private_chat_does_not_come_into_a_group(
    doors: Doors, group_id: str, is_whole: bool
) -> None:
    await imported(doors, group_id, message_line("test:third", "9", audience="group"))
    page = [message_line("test:other", "1", audience="private")]
    if is_whole:
        page.insert(0, group_line("test:other", audience="private"))

    answer = await imported(doors, group_id, *page)

    assert answer.status_code == 409
    assert "private" in answer.json()["error"]["message"]
    assert not await doors.made.messages.get_many(group_id, ["1"])


async def test_after_whatever_was_imported_a_context_is_made(doors: Doors, group_id: str) -> None:
    before = datetime.now(UTC).isoformat()
    lines = [
        group_line("test:other", name="crew", timezone="Asia/Shanghai"),
        message_line("test:other", "1", vector={"$bytes": "AH4AfgB+AH4="}),
        message_line("test:other", "2", create_time={"$time": before}),
    ]

    answer = await imported(doors, group_id, *lines)
    asked = {"group_id": group_id, "message": "where is the key?", "user_id": "u1"}
    context = await doors.call("build_context", "POST", "/context", json=asked)

    assert [one["line"] for one in answer.json()["refused"]] == [2]
    assert answer.json()["refused"][0]["reason"].startswith("vector")
    assert context.status_code == 200, context.text

"""A file that was made to break a group breaks nothing: over HTTP, on the whole local cloud."""

import base64
import json
from typing import Any

import pytest

from shared.domain.similarity.vectors import pack_half
from tests.local_cloud import LocalCloud
from tests.talk import new_group

MOMENT = {"$time": "2026-01-01T00:00:00Z"}
NAN = {"$bytes": base64.b64encode(pack_half([float("nan")] * 512)).decode()}


def message(group_id: str, **data: Any) -> str:
    whole = {
        "group_id": group_id, "message_id": "1", "user_id": "u1", "content": "We meet on Fridays",
        "create_time": MOMENT, **data,
    }  # fmt: skip
    return json.dumps({"kind": "message", "id": "1", "data": whole})


def group(group_id: str, **data: Any) -> str:
    whole = {"group_id": group_id, "platform": "test", **data}
    return json.dumps({"kind": "group", "id": group_id, "data": whole})


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("timezone", group("test:other", timezone="Nope/Zone")),
        ("vector", message("test:other", vector=NAN)),
        ("create_time", message("test:other", create_time={"$time": "9999-12-31T23:59:59Z"})),
        ("message_id", message("test:other", message_id="..")),
    ],
)
def test_one_bad_line_does_not_break_a_group_for_ever(
    cloud: LocalCloud, field: str, line: str
) -> None:
    group_id = new_group()

    answer = cloud.call("POST", f"/historian_job/groups/{group_id}/import", content=line.encode())

    assert answer.status_code == 400, answer.text
    told = answer.json()["error"]["message"]
    assert told.startswith("line 1: ")
    assert field in told
    assert cloud.call("GET", f"/historian_job/groups/{group_id}/settings").status_code == 404
    asked = {"group_id": group_id, "message": "when do we meet?", "user_id": "u1"}
    cloud.ok("POST", "/build_context/context", asked)


def test_a_file_is_taken_but_for_its_bad_lines(cloud: LocalCloud) -> None:
    group_id = new_group()
    page = "\n".join([group("test:other", audience="private"), message("test:other"), "[[1]]"])

    answer = cloud.call("POST", f"/historian_job/groups/{group_id}/import", content=page.encode())

    assert answer.status_code == 200, answer.text
    assert [one["line"] for one in answer.json()["refused"]] == [3]
    told = cloud.ok("GET", f"/historian_job/groups/{group_id}/settings")
    assert told["audience"] == "private"
    found = cloud.ok("GET", f"/summarize_topic/groups/{group_id}/messages")
    assert [one["content"] for one in found["messages"]] == ["We meet on Fridays"]

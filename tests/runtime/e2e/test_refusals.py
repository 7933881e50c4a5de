"""Who may not come in, and what is not taken: a clear answer, and nothing changed."""

from typing import Any

import httpx
import pytest

from tests.local_cloud import LocalCloud
from tests.talk import new_group, said

MESSAGES = "/ingest_message/messages"


def error(answer: httpx.Response) -> dict[str, Any]:
    body = answer.json()
    assert body["success"] is False
    assert set(body["error"]) == {"code", "message", "detail"}
    found: dict[str, Any] = body["error"]
    return found


def make_key(cloud: LocalCloud, scopes: list[str], groups: list[str]) -> str:
    asked = {"name": "test", "scopes": scopes, "groups": groups}
    return str(cloud.ok("POST", "/historian_job/keys", asked)["key"])


def is_empty(cloud: LocalCloud, group_id: str) -> bool:
    context = cloud.ok("POST", "/build_context/context", {"group_id": group_id, "message": "hi"})
    return not context["items"]


@pytest.mark.parametrize("key", ["", "nonsense", "annals_root_" + "0" * 48, "annals_x_" + "0" * 48])
def test_nobody_comes_in_without_a_valid_key(cloud: LocalCloud, key: str) -> None:
    group_id = new_group()

    answer = cloud.call("POST", MESSAGES, said(group_id, 1, "hello"), key=key)

    assert answer.status_code == 401
    assert error(answer)["code"] == "unauthenticated"
    assert is_empty(cloud, group_id)


def test_a_key_does_only_what_its_scopes_say(cloud: LocalCloud) -> None:
    group_id = new_group()
    key = make_key(cloud, ["read"], [group_id])

    assert cloud.call("POST", MESSAGES, said(group_id, 1, "hi"), key=key).status_code == 403
    assert is_empty(cloud, group_id)
    asked = {"group_id": group_id, "message": "hi"}
    assert cloud.call("POST", "/build_context/context", asked, key=key).status_code == 200


def test_a_key_reaches_only_its_groups(cloud: LocalCloud) -> None:
    own, other = new_group(), new_group()
    key = make_key(cloud, ["ingest", "read", "manage"], [own])

    assert cloud.call("POST", MESSAGES, said(own, 1, "hi"), key=key).status_code == 202
    assert cloud.call("POST", MESSAGES, said(other, 1, "hi"), key=key).status_code == 403
    mixed = [said(own, 2, "hi"), said(other, 2, "hi")]
    assert cloud.call("POST", MESSAGES, mixed, key=key).status_code == 403
    assert is_empty(cloud, other)
    listed = f"/summarize_topic/topics?group_id={other}"
    assert cloud.call("GET", listed, key=key).status_code == 403


def test_somebody_elses_record_is_not_found(cloud: LocalCloud) -> None:
    own, other = new_group(), new_group()
    note = {"group_id": other, "user_id": "u", "request_id": "r1", "action_summary": "did"}
    job_id = cloud.ok("POST", "/ingest_message/end", note)["job_id"]
    key = make_key(cloud, ["manage", "read"], [own])

    for method, path in (
        ("POST", f"/historian_job/jobs/{job_id}/retry"),
        ("GET", f"/historian_job/forgets/{job_id}"),
        ("GET", "/summarize_topic/topics/unknown"),
    ):
        assert cloud.call(method, path, key=key).status_code == 404


def test_a_key_cannot_make_a_mightier_key_and_a_revoked_one_is_dead(cloud: LocalCloud) -> None:
    own = new_group()
    key = make_key(cloud, ["manage"], [own])
    asked = {"scopes": ["manage", "read"], "groups": [own]}
    assert cloud.call("POST", "/historian_job/keys", asked, key=key).status_code == 403
    asked = {"scopes": ["manage"], "groups": ["*"]}
    assert cloud.call("POST", "/historian_job/keys", asked, key=key).status_code == 403

    key_id = key.split("_")[1]
    cloud.ok("DELETE", f"/historian_job/keys/{key_id}")
    settings = f"/historian_job/groups/{own}/settings"
    assert cloud.call("PUT", settings, {}, key=key).status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        "/ingest_message/tasks/attribute",
        "/ingest_message/cron/sweep",
        "/historian_job/tasks/historian",
        "/historian_job/tasks/profile",
        "/historian_job/tasks/forget",
        "/summarize_topic/tasks/summarize",
        "/evolve_group/tasks/evolve",
        "/evolve_group/cron/evolve",
    ],
)
def test_task_routes_are_closed_to_everybody_else(cloud: LocalCloud, path: str) -> None:
    assert cloud.call("POST", path, {}, key="").status_code == 401
    assert cloud.call("POST", path, {}).status_code in (401, 403)
    forged = "eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFubmFsc0Bhbm5hbHMifQ."
    assert cloud.call("POST", path, {}, key=forged).status_code in (401, 403)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"group_id": "lark:"}, "group_id"),
        ({"group_id": "test:a/b"}, "slash"),
        ({"content": ""}, "content"),
        ({"create_time": "yesterday"}, "create_time"),
        ({"role": "boss"}, "role"),
        ({"colour": "red"}, "colour"),
        ({"message_id": ""}, "message_id"),
        ({"message_id": "x" * 600}, "message_id"),
        ({"content": "x" * 70_000}, "content"),
    ],
)
def test_a_bad_message_is_told_what_to_fix(
    cloud: LocalCloud, changes: dict[str, Any], says: str
) -> None:
    group_id = new_group()

    answer = cloud.call("POST", MESSAGES, {**said(group_id, 1, "hi"), **changes})

    assert answer.status_code in (400, 413)
    assert says in error(answer)["message"]
    assert is_empty(cloud, group_id)


def test_in_a_list_only_the_bad_ones_are_rejected(cloud: LocalCloud) -> None:
    group_id = new_group()
    listed = [said(group_id, 1, "good"), {"message_id": "bad"}, said(group_id, 2, "good too"), 7]

    results = cloud.ok("POST", MESSAGES, listed)["results"]

    assert [one["outcome"] for one in results] == ["stored", "rejected", "stored", "rejected"]
    assert results[1]["message_id"] == "bad"
    assert "group_id" in results[1]["reason"]


def test_sizes_are_bounded(cloud: LocalCloud) -> None:
    group_id = new_group()
    many = [said(group_id, number, "hi") for number in range(501)]
    assert cloud.call("POST", MESSAGES, many).status_code == 400
    huge = [said(group_id, number, "x" * 60_000) for number in range(80)]
    answer = cloud.call("POST", MESSAGES, huge)
    assert answer.status_code == 413
    assert error(answer)["code"] == "too_large"
    assert is_empty(cloud, group_id)


@pytest.mark.parametrize("body", [b"{", b"", b"not json", b"\xff\xfe", b'"text"', b"3"])
def test_what_is_no_json_object_is_400(cloud: LocalCloud, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {cloud.told['key']}", "Content-Type": "application/json"}

    answer = httpx.post(
        f"{cloud.told['base']}{MESSAGES}", content=body, headers=headers, trust_env=False
    )

    assert answer.status_code == 400
    assert error(answer)["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/ingest_message/nowhere", 404),
        ("GET", "/ingest_message/messages", 405),
        ("GET", "/nofunction/x", 404),
        ("GET", "/evolve_group/memory/list/lark:a%2Fb", 400),
        ("GET", "/evolve_group/memory/list/lark:", 400),
        ("GET", "/evolve_group/memory/list/test:1?limit=0", 400),
        ("GET", "/evolve_group/memory/list/test:1?status=odd", 400),
        ("POST", "/evolve_group/memory/evolve/test:never-seen", 404),
        ("GET", "/summarize_topic/topics", 400),
        ("POST", "/historian_job/jobs/none/retry", 404),
    ],
)
def test_every_refusal_has_one_shape(
    cloud: LocalCloud, method: str, path: str, status: int
) -> None:
    answer = cloud.call(method, path)

    assert answer.status_code == status
    assert error(answer)["message"]


def test_a_bad_override_of_a_group_is_named_and_changes_nothing(cloud: LocalCloud) -> None:
    group_id = new_group()
    path = f"/historian_job/groups/{group_id}/settings"
    cloud.ok("PUT", path, {"relevance_threshold": 0.5})

    answer = cloud.call("PUT", path, {"relevance_threshold": 7})

    assert answer.status_code == 400
    assert "relevance_threshold" in error(answer)["message"].lower()
    assert cloud.ok("GET", path)["settings"] == {"relevance_threshold": 0.5}

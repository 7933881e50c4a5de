"""Contexts over HTTP: on a warm instance too, a recall is gone from the very next one."""

from typing import Any

import httpx
import pytest

from tests.local_cloud import LocalCloud
from tests.talk import new_group, said


def post(cloud: LocalCloud, *messages: dict[str, Any]) -> None:
    cloud.ok("POST", "/ingest_message/messages", list(messages))


def context(cloud: LocalCloud, group_id: str, **wish: Any) -> dict[str, Any]:
    return cloud.ok("POST", "/build_context/context", {"group_id": group_id, **wish})


def test_a_recalled_message_is_gone_from_the_very_next_context(cloud: LocalCloud) -> None:
    group_id = new_group()
    secret = said(group_id, 1, "the launch code is 4711")
    post(cloud, secret, said(group_id, 2, "really?", reply_message_id="m1"))
    before = context(cloud, group_id, message_id="m2")
    assert "4711" in before["text"]
    assert before["items"][0]["reasons"][0] == "reply chain"

    post(cloud, {**secret, "recalled": True})
    after = context(cloud, group_id, message_id="m2")

    assert "4711" not in str(after)
    assert [item["id"] for item in after["items"]] == []


def test_an_answer_names_its_mode_reason_tokens_and_times(cloud: LocalCloud) -> None:
    group_id = new_group()
    post(cloud, said(group_id, 1, "When do we ship?"), said(group_id, 2, "我们周五发布"))
    answer = context(cloud, group_id, message="ship on Friday?", user_id="u1", max_tokens=300)

    assert answer["mode"] == "intelligent"
    assert answer["reason"]
    assert answer["tokens"]["total"] <= 300
    assert answer["timings_ms"]["total"] > 0
    assert answer["text"] == "\n\n".join(
        part for part in (answer["stable"], answer["dynamic"]) if part
    )


def test_of_another_group_with_the_same_ids_nothing_is_shown(cloud: LocalCloud) -> None:
    one, other = new_group(), new_group()
    post(cloud, said(one, 1, "our plan is alpha"), said(other, 1, "our plan is omega"))
    answer = context(cloud, one, message="what is our plan?", user_id="u1")

    assert "omega" not in str(answer)


@pytest.mark.parametrize("fault", [{"unavailable": 1.0}, {"latency_ms": 10_000}])
def test_while_firestore_is_gone_a_bot_that_was_known_gets_an_answer_in_time(
    cloud: LocalCloud, fault: dict[str, Any]
) -> None:
    group_id = new_group()
    wish = {"group_id": group_id, "message": "what is our plan?", "deadline_ms": 1500}
    bot = {"name": "a bot", "scopes": ["read"], "groups": ["*"]}
    made = cloud.ok("POST", "/historian_job/keys", bot)
    cloud.ok("POST", "/build_context/context", wish, key=made["key"])
    admin = cloud.told["endpoints"]["admin"]["firestore"]
    httpx.put(f"{admin}/faults", json=fault, trust_env=False).raise_for_status()
    try:
        answer = cloud.call("POST", "/build_context/context", wish, key=made["key"])
    finally:
        httpx.put(f"{admin}/faults", json={}, trust_env=False).raise_for_status()

    assert answer.status_code == 200
    assert answer.json()["mode"] == "empty"
    assert answer.json()["reason"]
    assert answer.json()["timings_ms"]["total"] <= 1500

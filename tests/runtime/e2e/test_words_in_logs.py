"""Whatever is asked, said or refused, no log has a word of it: neither ours nor of what we use."""

import json
from typing import Any

from shared.config.deployment import FUNCTIONS
from tests.local_cloud import LocalCloud
from tests.runtime.unit.test_described_answers import operations
from tests.talk import new_group, said

WORD = "pomegranate"
TEXTS = ("content", "user_name", "group_name", "message", "statement", "reason", "text", "q",
         "query", "entity", "action_summary", "new_info", "llm_response", "title", "name",
         "description", "body", "arguments", "settings")  # fmt: skip
"""Fields that hold what people said, in any body."""


def logged(cloud: LocalCloud) -> str:
    return (cloud.data.parent / "local.log").read_text(encoding="utf-8", errors="replace")


def test_the_logs_hold_no_word_of_what_was_said_asked_or_refused(cloud: LocalCloud) -> None:
    group_id = new_group()
    lines = [
        {**said(group_id, n, f"the {WORD} number {n}"), "user_name": f"Ann {WORD}",
         "group_name": f"friends of the {WORD}"}
        for n in range(3)
    ]  # fmt: skip
    cloud.ok("POST", "/ingest_message/messages", lines)
    note = {
        "group_id": group_id,
        "user_id": "u1",
        "request_id": "r1",
        "action_summary": f"Ann showed the {WORD}",
        "new_info": f"Ann has a {WORD}",
    }
    cloud.ok("POST", "/ingest_message/end", note)
    cloud.ok("POST", f"/evolve_group/memory/{group_id}", {"statement": f"Ann has a {WORD}"})
    asked = {"group_id": group_id, "user_id": "u1", "message": f"who has the {WORD}?"}
    context = cloud.ok("POST", "/build_context/context", asked)
    assert WORD in context["text"]
    cloud.wait_until_idle()
    statuses = [
        status for function in FUNCTIONS for status in everything(cloud, function, group_id)
    ]
    cloud.wait_until_idle()

    found = [line[:300] for line in logged(cloud).splitlines() if WORD in line]
    assert found == []
    assert len(statuses) > 200
    assert {status // 100 for status in statuses} >= {2, 4}
    assert group_id in logged(cloud), "it is the log of these requests"


def everything(cloud: LocalCloud, function: str, group_id: str) -> list[int]:
    """Every operation with the word wherever a text can stand, as it should be and as it should
    not."""
    statuses = []
    for route, told, _ in operations(function):
        method, _, path = route.partition(" ")
        if method == "DELETE":
            continue
        url = path.replace("{group_id}", group_id)
        while "{" in url:
            url = f"{url.partition('{')[0]}none{url.partition('{')[2].partition('}')[2]}"
        named = {one["name"] for one in told.get("parameters", ()) if one["in"] == "query"}
        query = dict.fromkeys(named & set(TEXTS), f"the {WORD}") | {"more": WORD}
        if "group_id" in named:
            query["group_id"] = group_id
        bodies: list[Any] = [None]
        if "requestBody" in told:
            texts = dict.fromkeys(TEXTS, f"the {WORD}")
            bodies = [{**texts, "group_id": group_id}, [WORD]]
        for body in bodies:
            answer = cloud.call(method, f"/{function}{url}", body, params=query)
            statuses.append(answer.status_code)
        broken = json.dumps({"content": WORD})[:-1]
        for key in (None, WORD):
            answer = cloud.call(method, f"/{function}{url}", key=key, content=broken)
            statuses.append(answer.status_code)
    return statuses

"""A group that was imported into another has the same ids: neither hides the other."""

import json
from typing import Any

from tests.local_cloud import LocalCloud
from tests.runtime.e2e.test_refusals import make_key
from tests.talk import new_group


def copied(cloud: LocalCloud, own: str, other: str, key: str) -> str:
    """A memory of one's own, whose id somebody else imports into a group of theirs."""
    added = cloud.ok("POST", f"/evolve_group/memory/{own}", {"statement": "We meet on Fridays"})
    memory: dict[str, Any] = added["memory"]
    moment = {"$time": "2026-01-01T00:00:00Z"}
    data = {
        "memory_id": memory["memory_id"], "group_id": other, "statement": "We never meet",
        "version": 1, "created_at": moment, "updated_at": moment, "status": "active",
        "kind": "fact", "root_id": memory["memory_id"],
    }  # fmt: skip
    line = json.dumps({"kind": "memory", "id": memory["memory_id"], "data": data})
    headers = {"Content-Type": "application/x-ndjson"}
    path = f"/historian_job/groups/{other}/import"
    answer = cloud.call("POST", path, key=key, headers=headers, content=line.encode())
    assert answer.is_success, answer.text
    return str(memory["memory_id"])


def test_nobody_hides_a_memory_by_importing_its_id(cloud: LocalCloud) -> None:
    theirs, own = sorted((new_group(), new_group()))
    foreign = make_key(cloud, ["ingest", "read", "manage"], [theirs])
    key = make_key(cloud, ["ingest", "read", "manage"], [own])
    memory_id = copied(cloud, own, theirs, foreign)
    path = f"/evolve_group/memory/{memory_id}"

    changed = cloud.call("PUT", path, {"statement": "We meet on Mondays"}, key=key)

    assert changed.status_code == 200, changed.text
    listed = cloud.ok("GET", f"/evolve_group/memory/list/{own}")["memories"]
    assert [one["statement"] for one in listed] == ["We meet on Mondays"]
    listed = cloud.ok("GET", f"/evolve_group/memory/list/{theirs}")["memories"]
    assert [one["statement"] for one in listed] == ["We never meet"]


def test_who_sees_both_is_asked_which(cloud: LocalCloud) -> None:
    theirs, own = new_group(), new_group()
    key = make_key(cloud, ["ingest", "read", "manage"], [theirs])
    memory_id = copied(cloud, own, theirs, key)
    path = f"/evolve_group/memory/history/{memory_id}"

    answer = cloud.call("GET", path)

    assert answer.status_code == 409
    assert "?group_id=" in answer.json()["error"]["message"]
    told = cloud.ok("GET", f"{path}?group_id={own}")
    assert [one["statement"] for one in told["history"]] == ["We meet on Fridays"]
    assert cloud.call("GET", f"{path}?group_id={new_group()}").status_code == 404

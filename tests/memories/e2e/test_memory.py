"""The memory API over HTTP, with the first seed's shapes."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.local_cloud import LocalCloud, wait_for
from tests.talk import new_group, said

API = "/evolve_group/memory"


@pytest.fixture
def group_id(cloud: LocalCloud) -> str:
    group = new_group()
    cloud.ok("POST", "/ingest_message/messages", said(group, 1, "hello"))
    return group


def add(cloud: LocalCloud, group_id: str, statement: str, **more: Any) -> dict[str, Any]:
    body = {"statement": statement, **more}
    memory: dict[str, Any] = cloud.ok("POST", f"{API}/{group_id}", body)["memory"]
    return memory


def test_restore_after_delete_after_update_is_version_four_with_all_the_history(
    cloud: LocalCloud, group_id: str
) -> None:
    first = add(cloud, group_id, "The group meets on Fridays", kind="habit")
    second = cloud.ok(
        "PUT", f"{API}/{first['memory_id']}", {"statement": "The group meets on Mondays"}
    )["memory"]
    third = cloud.ok("DELETE", f"{API}/{first['memory_id']}")["memory"]
    fourth = cloud.ok("PUT", f"{API}/{second['memory_id']}/restore")["memory"]

    assert [one["version"] for one in (first, second, third, fourth)] == [1, 2, 3, 4]
    assert fourth["parent_id"] == third["memory_id"]
    assert (fourth["statement"], fourth["status"]) == ("The group meets on Mondays", "active")
    for memory_id in (first["memory_id"], fourth["memory_id"]):
        found = cloud.ok("GET", f"{API}/history/{memory_id}")
        assert found["current_version"] == 4
        assert [one["version"] for one in found["history"]] == [1, 2, 3, 4]
        assert found["history"][1]["diff"] == [
            {"removed": "Fri", "added": "Mon"},
        ]
    actions = [one["action"] for one in cloud.ok("GET", f"{API}/changes/{group_id}")["changes"]]
    assert actions == ["restore", "delete", "update", "create"]


def test_search_finds_only_what_is_active_even_while_the_index_lags(
    cloud: LocalCloud, group_id: str
) -> None:
    old = add(cloud, group_id, "成员多为前端开发者", kind="trait")
    add(cloud, group_id, "群里不讨论政治", kind="taboo")
    path = f"{API}/search/{group_id}?q=大家做什么开发&threshold=0.3"
    wait_for(lambda: cloud.ok("GET", path)["results"], "the index to show it")

    changed = cloud.ok("PUT", f"{API}/{old['memory_id']}", {"statement": "成员多为后端开发者"})[
        "memory"
    ]

    statements = [one["statement"] for one in cloud.ok("GET", path)["results"]]
    assert "成员多为前端开发者" not in statements
    results = wait_for(
        lambda: [
            one
            for one in cloud.ok("GET", path)["results"]
            if one["memory_id"] == changed["memory_id"]
        ],
        "the new version",
    )
    assert 0 <= results[0]["score"] <= 1


def test_the_question_of_the_seed_finds_its_memory_with_a_high_score(
    cloud: LocalCloud, group_id: str
) -> None:
    add(cloud, group_id, "群组成员主要是前端开发背景")

    results = wait_for(
        lambda: cloud.ok("GET", f"{API}/search/{group_id}?q=群组的技术背景是什么？")["results"],
        "the memory",
    )

    assert results[0]["score"] > 0.8


def test_a_list_shows_each_status_and_what_held_at_a_time(cloud: LocalCloud, group_id: str) -> None:
    kept = add(cloud, group_id, "The group likes tea")
    gone = add(cloud, group_id, "The group likes rain")
    before = cloud.ok("GET", f"{API}/list/{group_id}")["memories"]
    then = max(one["created_at"] for one in before)
    cloud.ok("DELETE", f"{API}/{gone['memory_id']}")

    active = cloud.ok("GET", f"{API}/list/{group_id}")
    assert [one["memory_id"] for one in active["memories"]] == [kept["memory_id"]]
    assert cloud.ok("GET", f"{API}/list/{group_id}?status=deprecated")["total"] == 2
    assert cloud.ok("GET", f"{API}/list/{group_id}?status=all")["total"] == 3
    at_that_time = cloud.ok("GET", f"{API}/list/{group_id}", params={"as_of": then})
    assert at_that_time["total"] == 2


def test_a_forgotten_memory_leaves_no_version_and_no_word(cloud: LocalCloud, group_id: str) -> None:
    first = add(cloud, group_id, "The group whispers zanzibar")
    cloud.ok("PUT", f"{API}/{first['memory_id']}", {"statement": "The group shouts zanzibar"})

    receipt = cloud.ok("DELETE", f"{API}/{first['memory_id']}?forget=true")["forgotten"]

    assert receipt["versions"] == 2
    assert cloud.call("GET", f"{API}/history/{first['memory_id']}").status_code == 404
    assert cloud.ok("GET", f"{API}/list/{group_id}?status=all")["total"] == 0
    assert cloud.ok("GET", f"{API}/changes/{group_id}")["changes"] == []


def test_strength_is_set_and_stats_tell(cloud: LocalCloud, group_id: str) -> None:
    memory = add(cloud, group_id, "The group likes tea", kind="preference")
    cloud.ok("PUT", f"{API}/{memory['memory_id']}/strength", {"strength": 0.9})

    stats = cloud.ok("GET", f"{API}/stats/{group_id}")

    assert stats["by_status"]["active"] == 1
    assert stats["by_kind"] == {"preference": 1}
    assert stats["mean_strength"] == 0.9


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("PUT", "{id}/strength", {"strength": 2}, 400),
        ("PUT", "{id}", {"statement": ""}, 400),
        ("PUT", "{id}", {"statement": "x" * 501}, 400),
        ("PUT", "{id}/restore", None, 409),
        ("POST", "{group}", {"statement": "the group likes TEA"}, 409),
        ("POST", "{group}", {"statement": "x", "kind": "odd"}, 400),
        ("PUT", "unknown/restore", None, 404),
        ("GET", "search/{group}", None, 400),
    ],
)
def test_what_cannot_be_done_is_refused_clearly(
    cloud: LocalCloud, group_id: str, method: str, path: str, body: Any, status: int
) -> None:
    memory = add(cloud, group_id, "The group likes tea")
    full = path.format(id=memory["memory_id"], group=group_id)

    answer = cloud.call(method, f"{API}/{full}", body)

    assert answer.status_code == status
    assert answer.json()["error"]["message"]
    assert cloud.ok("GET", f"{API}/list/{group_id}?status=all")["total"] == 1


def test_a_memory_that_has_expired_is_told_nowhere(cloud: LocalCloud) -> None:
    group = new_group()
    soon = (datetime.now(UTC) + timedelta(seconds=2)).isoformat()
    path = f"/evolve_group/memory/{group}"
    asked = {"statement": "The lift is broken", "strength": 0.95, "expires_at": soon}
    memory = cloud.ok("POST", path, asked)["memory"]
    cloud.ok("POST", path, {"statement": "The lift is blue"})

    def told() -> list[str]:
        listed = cloud.ok("GET", f"/evolve_group/memory/list/{group}")["memories"]
        call = {"group_id": group, "arguments": {}}
        tool = cloud.ok("POST", "/build_context/tools/get_memories", call)
        return [
            " ".join(one["statement"] for one in listed),
            str(tool),
        ]

    wait_for(lambda: all("broken" not in one for one in told()), "the end of what expired")
    assert all("blue" in one for one in told())
    path = f"/evolve_group/memory/{memory['memory_id']}"
    again = cloud.ok("PUT", path, {"statement": "The lift is broken", "expires_at": None})
    assert again["memory"]["expires_at"] is None
    assert all("broken" in one for one in told())


def test_what_a_job_did_can_be_had_when_it_is_done(cloud: LocalCloud, group_id: str) -> None:
    lines = ["We always meet on Fridays at 8", "yes, every Friday at 8"]
    messages = [said(group_id, 2 + n, text) for n, text in enumerate(lines)]
    cloud.ok("POST", "/ingest_message/messages", messages)

    ran = cloud.ok("POST", f"{API}/evolve/{group_id}")
    job = cloud.ok("GET", f"/historian_job/jobs/{ran['job_id']}")["job"]

    assert (job["group_id"], job["state"]) == (group_id, "done")
    assert (job["report"]["stats"], job["report"]["message"]) == (ran["stats"], "evolved")
    assert cloud.call("GET", "/historian_job/jobs/none").status_code == 404

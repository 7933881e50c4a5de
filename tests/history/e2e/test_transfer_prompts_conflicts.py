"""Export and import, managed prompts and conflicts, as an operator uses them over HTTP."""

from datetime import UTC, datetime
from typing import Any

from shared.domain.memories.conflict import Claim, MemoryConflict
from shared.domain.transfer.lines import ExportLine, written
from shared.stores.conflicts import CONFLICTS
from tests.local_cloud import LocalCloud
from tests.talk import new_group, said

NDJSON = {"Content-Type": "application/x-ndjson"}
PROMPT = "summary_quality"


def exported(cloud: LocalCloud, group: str, limit: int) -> list[str]:
    """The pages of an export, by the cursor that each answer's header names."""
    pages: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        asked: dict[str, Any] = {"limit": limit, **({"cursor": cursor} if cursor else {})}
        answer = cloud.call("GET", f"/historian_job/groups/{group}/export", params=asked)
        assert answer.is_success, answer.text
        pages.append(answer.text)
        cursor = answer.headers.get("X-Annals-Next-Cursor")
    return pages


def imported(cloud: LocalCloud, group: str, page: str) -> dict[str, Any]:
    path = f"/historian_job/groups/{group}/import"
    return cloud.ok("POST", path, content=page.encode(), headers=NDJSON)


def known(cloud: LocalCloud, group: str) -> list[tuple[str, int, str]]:
    listed = cloud.ok("GET", f"/evolve_group/memory/list/{group}", params={"status": "all"})
    return sorted((one["statement"], one["version"], one["status"]) for one in listed["memories"])


def remembered(cloud: LocalCloud, group: str, *statements: str) -> list[str]:
    found = []
    for one in statements:
        made = cloud.ok("POST", f"/evolve_group/memory/{group}", {"statement": one})
        found.append(str(made["memory"]["memory_id"]))
    return found


def test_what_is_exported_in_pages_is_imported_once_however_often_it_is_sent(
    cloud: LocalCloud,
) -> None:
    group, other = new_group(), new_group()
    cloud.ok("POST", "/ingest_message/messages", [said(group, 1, "the regatta is on Sunday")])
    first, _ = remembered(cloud, group, "Ann rows at the club", "The boathouse has a blue door")
    cloud.ok("PUT", f"/evolve_group/memory/{first}", {"statement": "Ann coaches at the club"})

    pages = exported(cloud, group, limit=2)
    assert len(pages) > 2
    for page in (*pages, *pages):
        report = imported(cloud, other, page)
        assert report["success"] is True

    assert known(cloud, other) == known(cloud, group)
    head = next(
        one
        for one in cloud.ok("GET", f"/evolve_group/memory/list/{other}")["memories"]
        if "coaches" in one["statement"]
    )
    history = cloud.ok("GET", f"/evolve_group/memory/history/{head['memory_id']}")["history"]
    told = [one["statement"] for one in sorted(history, key=lambda one: one["version"])]
    assert told == ["Ann rows at the club", "Ann coaches at the club"]


def test_a_prompt_is_listed_overridden_and_rolled_back(cloud: LocalCloud) -> None:
    listed = cloud.ok("GET", "/historian_job/prompts")["prompts"]
    path = f"/historian_job/prompts/{PROMPT}"
    of_file = cloud.ok("GET", path)["prompt"]
    assert PROMPT in {one["prompt_id"] for one in listed}
    assert of_file["version"] == 0

    try:
        own = {"text": f"{of_file['text']}\nBe brief.\n", "reason": "shorter"}
        made = cloud.ok("PUT", path, own)["prompt"]
        assert made["version"] == 1
        assert made["hash"] != of_file["hash"]
        bad = cloud.call("PUT", path, {"text": "no placeholders at all"})
        assert bad.status_code == 400
    finally:
        back = cloud.ok("POST", f"{path}/rollback", {"version": 0})["prompt"]
    assert back["hash"] == of_file["hash"]
    versions = cloud.ok("GET", f"{path}/versions")["versions"]
    assert [one["reason"] for one in versions][-1] == "shorter"
    assert cloud.call("GET", "/historian_job/prompts/none").status_code == 404


def test_a_conflict_is_listed_and_settled_by_hand(cloud: LocalCloud) -> None:
    group = new_group()
    (memory_id,) = remembered(cloud, group, "Ann lives in Oslo")
    at = datetime.now(UTC)
    open_one = MemoryConflict(
        "c1", group, memory_id, memory_id, "Ann lives in Oslo", "", at, at,
        claims=(Claim("Ann lives in Bergen", 0.5, at),),
    )  # fmt: skip
    imported(cloud, group, written(ExportLine("conflict", "c1", CONFLICTS.fields(open_one))))

    path = f"/evolve_group/memory/conflicts/{group}"
    (shown,) = cloud.ok("GET", path)["conflicts"]
    assert [one["statement"] for one in shown["claims"]] == ["Ann lives in Bergen"]
    settled = cloud.ok(
        "POST", f"{path}/{shown['conflict_id']}", {"choice": "replace", "reason": "she moved"}
    )["conflict"]

    assert settled["status"] == "settled"
    assert cloud.ok("GET", path)["conflicts"] == []
    active = cloud.ok("GET", f"/evolve_group/memory/list/{group}")["memories"]
    assert [one["statement"] for one in active] == ["Ann lives in Bergen"]
    history = cloud.ok("GET", f"/evolve_group/memory/history/{active[0]['memory_id']}")["history"]
    assert {one["statement"] for one in history} == {"Ann lives in Oslo", "Ann lives in Bergen"}

"""The graph and the conflicts over HTTP, after rounds that the emulated model reads."""

from typing import Any

from tests.local_cloud import LocalCloud, wait_for
from tests.talk import new_group, said


def test_five_rounds_give_a_graph_and_facts_over_http(cloud: LocalCloud) -> None:
    group = new_group()
    talk: list[dict[str, Any]] = []
    lines = [
        "I work at Pellworm Lighthouse",
        "I am allergic to shellfish",
        "what is the tide tomorrow?",
        "thanks",
        "good night",
    ]
    for place, line in enumerate(lines):
        number = 2 * place + 1
        talk.append(said(group, number, line, user_name="Oona", user_id="u1"))
        answer = said(group, number + 1, "Noted.", user_name="Bot", user_id="bot", role="assistant")
        talk.append({**answer, "reply_message_id": talk[-1]["message_id"]})
    cloud.ok("POST", "/ingest_message/messages", talk)
    path = f"/historian_job/graph?group_id={group}&entity=Oona"
    wait_for(lambda: cloud.ok("GET", path)["edges"], "the rounds to be extracted")
    found = cloud.ok("GET", path)

    names = {one["name"] for one in found["nodes"]}
    assert any("Pellworm Lighthouse" in one for one in names)
    assert {one["relation_type"] for one in found["edges"]} >= {"works_at"}
    oona = next(one for one in found["nodes"] if one["name"] == "Oona")
    changed = cloud.ok(
        "PATCH", f"/historian_job/entities/{oona['entity_id']}", {"aliases": ["the keeper"]}
    )["entity"]
    assert changed["aliases"] == ["the keeper"]
    hits = cloud.ok(
        "GET", f"/historian_job/entities/search?group_id={group}&q=the keeper&entity_types=PERSON"
    )
    assert hits["entities"][0]["entity_id"] == oona["entity_id"]
    held = cloud.ok("GET", f"/evolve_group/memory/list/{group}?status=all")["memories"]
    assert any("shellfish" in one["statement"] and one["subject"] == "u1" for one in held)
    assert cloud.ok("GET", f"/evolve_group/memory/conflicts/{group}")["conflicts"] == []

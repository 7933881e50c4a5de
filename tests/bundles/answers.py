"""Every bundle answers real requests, in an environment made of nothing else."""

import json
from typing import Any

import httpx
import pytest

from infra.bundle_wheels import read_pins
from infra.check.round_trip import Deployment, check
from shared.config.deployment import FUNCTIONS
from tests.bundles.clean import RUNTIME_CLIENT
from tests.bundles.running import Running
from tests.local_cloud import wait_for
from tests.project import ROOT
from tests.talk import conversation, new_group, said

INSTALLED = """
import importlib.metadata as m, json
print(json.dumps(sorted(f"{d.name}=={d.version}" for d in m.distributions())))
"""

LIST_ROUTES = {
    "evolve_group": ("/memory/list/{group}", "memories"),
    "summarize_topic": ("/topics?group_id={group}", "topics"),
    "historian_job": ("/events?group_id={group}", "events"),
}


class Answers:
    """What the functions of a cloud must do, whichever cloud it is."""

    @pytest.mark.parametrize("function", FUNCTIONS)
    def test_the_environment_holds_what_the_bundle_lists_and_nothing_else(
        self, running: Running, function: str
    ) -> None:
        installed = json.loads(running.functions[function].run(INSTALLED))
        pins = read_pins(ROOT / "requirements" / f"{function}-{running.cloud}.txt")
        if running.cloud == "aws":
            pins += [
                p for p in read_pins(ROOT / "requirements/dev.txt") if p.name in RUNTIME_CLIENT
            ]
        assert {one.lower().replace("_", "-") for one in installed} == set(map(str, pins))

    def test_ingest_message_stores_a_message(self, running: Running) -> None:
        answer = running.call("POST", "ingest_message", "/messages", said(new_group(), 1, "你好"))
        assert answer.status_code == 202
        assert answer.json()["results"] == [{"message_id": "m1", "outcome": "stored"}]

    def test_build_context_answers_with_what_was_said(self, running: Running) -> None:
        group_id = new_group()
        running.ok("POST", "ingest_message", "/messages", conversation(group_id))
        context = running.ok(
            "POST", "build_context", "/context", {"group_id": group_id, "message_id": "m4"}
        )
        assert "The release ships on Friday" in context["text"]

    @pytest.mark.parametrize("function", LIST_ROUTES)
    def test_a_list_of_a_new_group_is_empty(self, running: Running, function: str) -> None:
        path, noun = LIST_ROUTES[function]
        listed = running.ok("GET", function, path.format(group=new_group()))
        assert (listed["total"], listed[noun]) == (0, [])

    @pytest.mark.parametrize("function", LIST_ROUTES)
    def test_a_wrong_key_is_refused(self, running: Running, function: str) -> None:
        path = LIST_ROUTES[function][0].format(group=new_group())
        assert running.call("GET", function, path, key="annals_root_wrong").status_code == 401

    def test_the_check_of_a_deployment_finds_them_well(self, running: Running) -> None:
        urls = {name: one.base for name, one in running.functions.items()}
        with httpx.Client(timeout=90, trust_env=False) as client:
            steps = list(check(Deployment(urls, running.key, client)))

        assert [one for one in steps if not one.is_ok] == []
        assert steps[-1].name == "nothing of it comes back"

    def test_the_bundles_together_turn_messages_into_memory(self, running: Running) -> None:
        group_id = new_group()
        running.ok("POST", "ingest_message", "/messages", conversation(group_id))

        def topics() -> list[dict[str, Any]]:
            path = f"/topics?group_id={group_id}"
            found: list[dict[str, Any]] = running.ok("GET", "summarize_topic", path)["topics"]
            return found

        wait_for(
            lambda: sum(one["message_count"] for one in topics()) == 5, "five messages in topics"
        )

        path = f"/topics/{topics()[0]['topic_id']}/summarize"
        assert running.ok("POST", "summarize_topic", path)["summary"]["version"] == 1

        evolved = running.ok("POST", "evolve_group", f"/memory/evolve/{group_id}")
        listed = running.ok("GET", "evolve_group", f"/memory/list/{group_id}")
        assert evolved["stats"]["created"] == listed["total"]

        note = {
            "group_id": group_id,
            "user_id": "u1",
            "request_id": "req-1",
            "end_seq": 1,
            "action_summary": "Told Ann that the release ships on Friday",
            "new_info": "",
            "message_ids": ["m2"],
        }
        running.ok("POST", "ingest_message", "/end", note)
        path = f"/events?group_id={group_id}"
        events = wait_for(lambda: running.ok("GET", "historian_job", path)["events"], "the event")
        assert [one["event_id"] for one in events] == ["req-1:1"]

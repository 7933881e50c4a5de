"""Questions in a body: answered as in a query, and refused as everywhere."""

from typing import Any
from urllib.parse import urlencode

import pytest

from tests.local_cloud import LocalCloud
from tests.runtime.e2e.test_refusals import make_key
from tests.talk import new_group

QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "memories": ("/evolve_group/memory/search/{group}", {"q": "who rows?", "limit": 2}),
    "topics": ("/summarize_topic/topics/search", {"q": "who rows?", "mode": "keyword"}),
    "entities": ("/historian_job/entities/search", {"q": "Oona", "limit": 3}),
    "graph": ("/historian_job/graph", {"entity": "Oona", "depth": 1}),
    "events": ("/historian_job/events", {"text": "row", "limit": 4}),
}


def asked_in(group: str, name: str) -> tuple[str, dict[str, Any]]:
    path, question = QUESTIONS[name]
    own = {} if "{group}" in path else {"group_id": group}
    return path.format(group=group), {**own, **question}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_body_is_answered_as_a_query_is(cloud: LocalCloud, name: str) -> None:
    group = new_group()
    cloud.ok("POST", f"/evolve_group/memory/{group}", {"statement": "The crew rows on Tuesdays"})
    path, question = asked_in(group, name)

    by_body = cloud.ok("POST", path, question)
    by_query = cloud.ok("GET", f"{path}?{urlencode(question)}")

    assert by_body == by_query
    assert name != "memories" or by_body["results"]


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_body_is_refused_as_everywhere(cloud: LocalCloud, name: str) -> None:
    path, question = asked_in(new_group(), name)
    key = make_key(cloud, ["read"], [new_group()])
    writer = make_key(cloud, ["ingest"], ["*"])

    assert cloud.call("POST", path, question, key="").status_code == 401
    assert cloud.call("POST", path, question, key=key).status_code == 403
    assert cloud.call("POST", path, question, key=writer).status_code == 403
    assert cloud.call("POST", path, {**question, "more": 1}).status_code == 400
    assert cloud.call("POST", path, {**question, "limit": 0, "depth": -1}).status_code == 400

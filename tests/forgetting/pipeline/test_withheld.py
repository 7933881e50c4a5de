"""Between the request to forget and the end of its job: no read route shows what was made of it."""

from collections.abc import Callable
from typing import Any

import pytest

from functions.historian_job import handle_forget
from shared.forgetting import removal
from tests.forgetting.doors import Doors
from tests.forgetting.pipeline.test_forgotten_message import MARKER, used_by_all
from tests.forgetting.whole_group import WholeGroup

SEARCHES = {
    "search_topics": {"query": f"Ann's shelf {MARKER}"},
    "search_messages": {"query": f"Ann's shelf {MARKER}"},
    "search_memories": {"query": f"Ann's shelf {MARKER}"},
    "search_events": {"query": f"Ann's shelf {MARKER}"},
    "search_profiles": {"query": f"Ann's shelf {MARKER}"},
    "get_profile": {"entity_type": "user", "entity_id": "u-ann"},
    "search_entities": {"query": f"Ann {MARKER}"},
    "query_graph": {"entity": "Ann"},
    "get_context": {"message": "What is Ann's shelf?"},
    "get_memories": {},
}


@pytest.fixture
def doors(whole: WholeGroup, monkeypatch: pytest.MonkeyPatch) -> Doors:
    return Doors(whole.made, monkeypatch)


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request has no time to remove anything: all is left to the job."""
    monkeypatch.setattr(removal, "AT_ONCE_S", 0.0)
    monkeypatch.setattr(handle_forget, "AT_ONCE_S", 0.0)


async def every_answer(doors: Doors, whole: WholeGroup, known: dict[str, str]) -> dict[str, str]:
    """What each route that reads answers, by the route."""
    answers: dict[str, str] = {}
    for function, path, query in doors.reads(known):
        if path == "/jobs":
            query = {"group_id": whole.group_id}
        got = await doors.call(function, "GET", path, params=query)
        assert got.status_code in (200, 404, 409), (path, got.text)
        answers[f"GET {path}"] = got.text
    told = {"group_id": whole.group_id, "user_id": "u-bob"}
    for name, arguments in SEARCHES.items():
        body: dict[str, Any] = {**told, "arguments": arguments}
        got = await doors.call("build_context", "POST", f"/tools/{name}", json=body)
        assert got.status_code in (200, 404), (name, got.text)
        answers[f"tool {name}"] = got.text
    include = ["messages", "memories", "events", "profiles", "summaries", "graph"]
    asked = {**told, "message": "What is Ann's shelf?", "include": include}
    got = await doors.call("build_context", "POST", "/context", json=asked)
    assert got.status_code in (200, 404), got.text
    return {**answers, "context": got.text}


async def names(whole: WholeGroup, secret: str) -> dict[str, str]:
    """An id of each kind of record that has the secret."""
    made, group_id = whole.made, whole.group_id
    message = await made.messages.get(group_id, secret)
    memories = await made.memories.active(group_id, 50)
    (memory,) = [one for one in memories if MARKER in one.statement]
    _, contexts = await made.contexts.listed(group_id, limit=1)
    assert message is not None
    assert message.topic_id is not None
    return {
        "group_id": group_id, "message_id": secret, "topic_id": message.topic_id,
        "memory_id": memory.memory_id, "context_id": contexts[0].context_id,
        "entity_type": "user", "entity_id": "u-ann", "user_id": "u-ann",
        "q": f"Ann's shelf {MARKER}",
        "entity": "Ann", "status": "all", "text": "shelf", "job_id": "none", "forget_id": "none",
        "prompt_id": "memory_evolve", "days": "30", "platform": "lark",
    }  # fmt: skip


Ask = Callable[[WholeGroup, Doors, dict[str, str]], Any]


async def delete_message(whole: WholeGroup, doors: Doors, known: dict[str, str]) -> str:
    path = f"/groups/{whole.group_id}/messages/{known['message_id']}"
    return str((await doors.call("historian_job", "DELETE", path)).json()["forget_id"])


async def delete_member(whole: WholeGroup, doors: Doors, known: dict[str, str]) -> str:
    path = f"/groups/{whole.group_id}/members/u-ann"
    return str((await doors.call("historian_job", "DELETE", path)).json()["forget_id"])


async def delete_group(whole: WholeGroup, doors: Doors, known: dict[str, str]) -> str:
    got = await doors.call("historian_job", "DELETE", f"/groups/{whole.group_id}")
    return str(got.json()["forget_id"])


async def recall(whole: WholeGroup, doors: Doors, known: dict[str, str]) -> str:
    await whole.recall(known["message_id"])
    _, jobs = await whole.made.jobs.listed(state=None, group_id=whole.group_id, limit=50, offset=0)
    return next(one.job_id for one in jobs if one.kind == "forget")


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize("ask", [delete_message, delete_member, delete_group, recall])
async def test_no_read_route_shows_what_is_on_its_way_out(
    whole: WholeGroup, doors: Doors, ask: Ask
) -> None:
    secret = await used_by_all(whole)
    known = await names(whole, secret)
    before = await every_answer(doors, whole, known)
    shown = {route for route, text in before.items() if MARKER in _without_question(text)}
    assert len(shown) >= 20, f"the secret was seldom there to be seen: {sorted(shown)}"

    forget_id = await ask(whole, doors, known)
    assert (await whole.where(MARKER))[MARKER], "nothing was left to the job"
    meanwhile = await every_answer(doors, whole, known)
    leaks = [route for route, text in meanwhile.items() if MARKER in _without_question(text)]
    assert leaks == []

    await whole.run(forget_id)
    await whole.run_all()
    assert (await whole.where(MARKER))[MARKER] == []
    group = await whole.made.groups.find(whole.group_id)
    assert group is not None
    assert group.forgetting == {}, "and readers see the rest again"


def _without_question(text: str) -> str:
    """An answer may repeat what was asked."""
    return text.replace(f"Ann's shelf {MARKER}", "")


async def test_a_memory_is_forgotten_with_its_words_in_profiles_and_replies(
    whole: WholeGroup, doors: Doors
) -> None:
    secret = await used_by_all(whole)
    known = await names(whole, secret)
    path = f"/memory/{known['memory_id']}?forget=true"
    answer = (await doors.call("evolve_group", "DELETE", path)).json()
    assert answer["forgotten"]["versions"] >= 1
    await whole.run_all()
    receipt = await doors.call("historian_job", "GET", f"/forgets/{answer['forget_id']}")
    told = receipt.json()
    assert told["state"] == "done"
    assert told["receipt"]["memories"] == answer["forgotten"]["versions"]

    left = {path.split("/")[2] for path in (await whole.where(MARKER))[MARKER] if "/" in path}
    kept = {"messages", "topics", "events", "entities", "relations", "tail"}
    assert left <= kept, "what was said and what happened stays; the memory is nowhere"
    again = await doors.call("evolve_group", "DELETE", path)
    assert again.status_code == 404


@pytest.mark.usefixtures("interrupted")
async def test_a_memory_is_not_shown_while_it_is_being_forgotten(
    whole: WholeGroup, doors: Doors
) -> None:
    await whole.say(("Ann", "hello"), ("Bob", "hello Ann"))
    asked = {"statement": f"The alarm code is {MARKER}", "kind": "fact"}
    got = await doors.call("evolve_group", "POST", f"/memory/{whole.group_id}", json=asked)
    memory_id = got.json()["memory"]["memory_id"]
    path = f"/memory/{memory_id}"
    changed = {"statement": f"The alarm code of the shed is {MARKER}"}
    assert (await doors.call("evolve_group", "PUT", path, json=changed)).status_code == 200
    reads = [f"/memory/list/{whole.group_id}?status=all", f"/memory/changes/{whole.group_id}"]
    for read in reads:
        assert MARKER in (await doors.call("evolve_group", "GET", read)).text
    assert (await doors.call("evolve_group", "DELETE", f"{path}?forget=true")).is_success
    for read in (*reads, f"/memory/history/{memory_id}"):
        assert MARKER not in (await doors.call("evolve_group", "GET", read)).text

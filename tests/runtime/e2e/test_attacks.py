"""What an attacker tried once and got through with: refused, and nobody else notices."""

import base64
from typing import Any

import pytest

from shared.config.deployment import FUNCTIONS
from tests.local_cloud import LocalCloud
from tests.runtime.e2e.test_refusals import error, make_key
from tests.runtime.unit.test_described_answers import operations
from tests.talk import new_group, said

SECRET_WORD = "xylophonist"
BRACKETS = "[" * 3_000


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "token",
    [
        BRACKETS,
        f"{encoded(BRACKETS)}.{encoded(BRACKETS)}.{encoded('x')}",
        f"{encoded('{' * 3_000)}.e30.x",
        f"{encoded('null')}.{encoded('[]')}.{encoded('')}",
        "annals_" + BRACKETS,
        "\x7f.\x7f.\x7f",
    ],
    ids=["brackets", "nested claims", "nested objects", "no claims", "in a key", "no base64"],
)
@pytest.mark.parametrize("path", ["/tasks/attribute", "/cron/sweep", "/messages"])
def test_a_token_of_anything_is_nobodys(cloud: LocalCloud, path: str, token: str) -> None:
    answer = cloud.call("POST", f"/ingest_message{path}", {}, key=token)

    assert answer.status_code == 401
    assert error(answer)["code"] == "unauthenticated"


@pytest.mark.parametrize("header", ["X-Annals-Group", "X-Annals-User", "X-Annals-Request"])
@pytest.mark.parametrize("value", ["@'w:", ":", "a/b", "x" * 700])
def test_a_header_that_names_nothing_is_refused(cloud: LocalCloud, header: str, value: str) -> None:
    named = {"X-Annals-Group": new_group(), header: value}

    answer = cloud.call("POST", "/build_context/mcp", {}, headers=named)

    assert answer.status_code == 400


def test_a_key_has_a_name_and_not_a_book(cloud: LocalCloud) -> None:
    asked = {"name": "x" * 3 * 1024 * 1024, "scopes": ["read"], "groups": ["*"]}

    answer = cloud.call("POST", "/historian_job/keys", asked)

    assert answer.status_code == 400
    assert len(answer.content) < 2_000


@pytest.mark.parametrize(
    "timezone", ["Asia", "Mars/Olympus", "../../etc/passwd", "/etc/localtime", "", ".", "UTC\x00"]
)
def test_what_is_no_timezone_is_refused(cloud: LocalCloud, timezone: str) -> None:
    group_id = new_group()
    note = {
        "group_id": group_id,
        "user_id": "u1",
        "request_id": "r1",
        "end_seq": 0,
        "action_summary": "told Ann tomorrow",
        "timezone": timezone,
    }

    answers = [
        cloud.call("PUT", f"/historian_job/groups/{group_id}/settings", {"timezone": timezone}),
        cloud.call("POST", "/ingest_message/end", note),
    ]

    assert all(one.status_code < 500 for one in answers), [one.text for one in answers]
    assert answers[0].status_code == 400
    if timezone:
        assert answers[1].status_code == 400


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"]
)
def test_the_ends_of_time_are_no_fault_of_ours(cloud: LocalCloud, moment: str) -> None:
    group_id = new_group()
    queries: list[tuple[str, dict[str, str]]] = [
        (f"/evolve_group/memory/list/{group_id}", {"as_of": moment}),
        ("/historian_job/events", {"group_id": group_id, "from": moment, "to": moment}),
    ]

    for path, query in queries:
        answer = cloud.call("GET", path, params=query)
        assert answer.status_code in (200, 400), f"{path}: {answer.status_code} {answer.text}"
    late = {**said(group_id, 1, "hello"), "create_time": moment}
    assert cloud.call("POST", "/ingest_message/messages", late).status_code == 400


def test_a_key_that_manages_reads_no_text(cloud: LocalCloud) -> None:
    """Whatever it asks, on every route of every function, about what is there."""
    group_id = new_group()
    cloud.ok("POST", "/ingest_message/messages", said(group_id, 1, f"I am a {SECRET_WORD}"))
    made = cloud.ok(
        "POST", f"/evolve_group/memory/{group_id}", {"statement": f"Ann is a {SECRET_WORD}"}
    )
    cloud.wait_until_idle()
    (topic,) = cloud.ok("GET", "/summarize_topic/topics", params={"group_id": group_id})["topics"]
    key = make_key(cloud, ["manage"], [group_id])
    ids = {
        "group_id": group_id,
        "message_id": "m1",
        "user_id": "u1",
        "memory_id": made["memory"]["memory_id"],
        "topic_id": topic["topic_id"],
        "entity_type": "user",
        "entity_id": "u1",
        "q": SECRET_WORD[:4],
        "name": "search_messages",
    }
    bodies: list[dict[str, Any]] = [
        {},
        {"group_id": group_id, "message": "who is what?"},
        {"strength": 0.4},
    ]
    asked = 0
    for function in FUNCTIONS:
        for route, told, _ in operations(function):
            method, _, path = route.partition(" ")
            if method == "DELETE":
                continue
            names = {one["name"] for one in told.get("parameters", [])}
            query = {name: one for name, one in ids.items() if name in names}
            for body in bodies if method != "GET" else [None]:
                url = f"/{function}{path.format_map(_Named(ids))}"
                answer = cloud.call(method, url, body, key=key, params=query)
                asked += 1
                assert SECRET_WORD not in answer.text, f"{route}: {answer.text}"
                assert answer.status_code < 500, f"{route}: {answer.text}"
    assert asked > 60


class _Named(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "none"


def test_a_method_that_a_path_does_not_take_is_told_those_it_takes(cloud: LocalCloud) -> None:
    """All of them, whichever route they belong to: 405 names what its OpenAPI document has."""
    for function in FUNCTIONS:
        methods: dict[str, set[str]] = {}
        for route, _, _ in operations(function):
            method, _, path = route.partition(" ")
            methods.setdefault(path, set()).add(method)
        for path, taken in methods.items():
            url = path.format_map(_Named())
            same = {m for other, ms in methods.items() if _is_same(other, path) for m in ms}
            for method in {"PATCH", "DELETE", "PUT", "GET", "POST"} - same:
                answer = cloud.call(method, f"/{function}{url}")
                if answer.status_code == 404:
                    continue  # another route takes that path
                assert answer.status_code == 405, f"{method} {function}{path}"
                allowed = set(answer.headers["allow"].split(", "))
                assert allowed - {"HEAD"} >= taken, f"{method} {function}{path}: {allowed}"


def _is_same(one: str, other: str) -> bool:
    """Whether both take the same addresses, whatever their parts are called."""

    def shape(path: str) -> list[str]:
        return ["*" if part.startswith("{") else part for part in path.split("/")]

    pairs = zip(shape(one), shape(other), strict=False)
    return len(shape(one)) == len(shape(other)) and all(
        left == right or "*" in (left, right) for left, right in pairs
    )

"""A key for one group reaches no other: by no route, by no event of a platform.

The routes are taken from the apps themselves and the events from what a platform can send, so a
new one is tried as well. Nothing is stored: who may not is refused before anything is read.
"""

import functools
import importlib
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.key import SCOPES
from shared.runtime.auth import Caller
from shared.runtime.route_access import Entry, entry_of
from tests.platforms.fixtures import Case, cases
from tests.runtime.serving import client

FUNCTIONS = (
    "ingest_message",
    "build_context",
    "evolve_group",
    "summarize_topic",
    "historian_job",
)
OWN, OTHER = "discord:1", "discord:2"
NOW = datetime.now(UTC).isoformat()
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/messages"): {
        "group_id": OTHER,
        "message_id": "m1",
        "user_id": "u1",
        "content": "hello",
        "create_time": NOW,
    },
    ("POST", "/end"): {
        "group_id": OTHER,
        "user_id": "u1",
        "request_id": "r1",
        "action_summary": "booked a table",
    },
    ("POST", "/context"): {"group_id": OTHER, "message": "when?"},
    ("POST", "/tools/{name}"): {"group_id": OTHER},
    ("POST", "/memory/{group_id}"): {"statement": "the group likes tea"},
    ("POST", "/memory/conflicts/{group_id}/{conflict_id}"): {"choice": "keep"},
    ("POST", "/profiles/{entity_type}/{entity_id}/rollback"): {},
    ("PUT", "/groups/{group_id}/settings"): {},
    ("POST", "/groups/{group_id}/tune"): {"apply": False},
    ("POST", "/groups/{group_id}/members/{user_id}/commands"): {"text": "forget me"},
    ("POST", "/memory/search/{group_id}"): {"q": "tea"},
    ("POST", "/topics/search"): {"group_id": OTHER, "q": "tea"},
    ("POST", "/entities/search"): {"group_id": OTHER, "q": "tea"},
    ("POST", "/events"): {"group_id": OTHER},
    ("POST", "/graph"): {"group_id": OTHER, "entity": "tea"},
    ("PUT", "/groups/{group_id}/members/{user_id}/opt-out"): {},
}
"""A valid body for each route that takes one; a new route needs a line here."""


@functools.cache
def app_of(function: str) -> FastAPI:
    """The function as somebody sees it whose key is for one group only."""
    app: FastAPI = importlib.import_module(f"functions.{function}.app").app

    async def somebody(_: str | None) -> Caller:
        return Caller("k1", SCOPES, (OWN,))

    app.state.keys.caller = somebody
    return app


@pytest.fixture(autouse=True)
def callers_as_before() -> Iterator[None]:
    """Afterwards callers are asked for their keys again."""
    yield
    for function in FUNCTIONS:
        vars(app_of(function).state.keys).pop("caller", None)
    app_of.cache_clear()


def routes() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Function, method, path and description of every route that asks for a key."""
    for function in FUNCTIONS:
        app: FastAPI = importlib.import_module(f"functions.{function}.app").app
        for path, methods in app.openapi()["paths"].items():
            if entry_of(path) is Entry.KEY:
                for method, described in methods.items():
                    yield function, method.upper(), path, described


ROUTES = list(routes())


BY_ID: dict[tuple[str, str], dict[str, Any]] = {
    ("PUT", "/memory/{memory_id}"): {"statement": "we meet on Mondays"},
    ("PUT", "/memory/{memory_id}/strength"): {"strength": 0.5},
    ("PATCH", "/entities/{entity_id}"): {"name": "Harbour"},
}
"""Bodies of records that an id names; their group may stand in the query."""


def names_a_group(method: str, path: str, described: dict[str, Any]) -> bool:
    asked = {one["name"] for one in described.get("parameters", ())}
    return "group_id" in asked or (method, path) in BODIES


NAMING = [one for one in ROUTES if names_a_group(*one[1:])]


def test_every_route_that_takes_a_body_and_names_a_group_is_tried() -> None:
    bodies = {(method, path) for _, method, path, told in ROUTES if "requestBody" in told}
    without_group = {
        *BY_ID,
        ("PUT", "/prompts/{prompt_id}"),
        ("POST", "/prompts/{prompt_id}/rollback"),
        ("POST", "/keys"),
        ("POST", "/context/{context_id}/feedback"),
    }

    assert bodies - without_group <= set(BODIES), "an example of each body stands in BODIES"
    assert len(NAMING) > 12


@pytest.mark.parametrize(
    ("function", "method", "path"),
    [one[:3] for one in NAMING],
    ids=[f"{method} {path}" for _, method, path, _ in NAMING],
)
async def test_no_route_reaches_another_group(function: str, method: str, path: str) -> None:
    parts = {"group_id": OTHER, "entity_type": "user"}
    named = re.sub(r"\{(\w+)\}", lambda name: parts.get(name[1], "x1"), path)
    body = BODIES.get((method, path))
    query = {} if "{group_id}" in path or body else {"group_id": OTHER}
    body = BY_ID.get((method, path), body)
    query |= {"q": "tea"} if "search" in path else {}
    query |= {"entity": "tea"} if path == "/graph" else {}

    async with client(app_of(function)) as http:
        answer = await http.request(method, named, params=query, json=body)

    assert answer.status_code == 403, answer.text


def discord(kind: str, channel: str) -> dict[str, Any]:
    author = {"id": "9", "username": "eve"}
    message = {
        "id": "5",
        "channel_id": channel,
        "author": author,
        "content": "hi",
        "timestamp": NOW,
        "edited_timestamp": NOW,
        "guild_id": "7",
    }
    known: dict[str, dict[str, Any]] = {
        "MESSAGE_CREATE": message,
        "MESSAGE_UPDATE": message,
        "MESSAGE_DELETE": {"id": "5", "channel_id": channel},
        "MESSAGE_DELETE_BULK": {"ids": ["5", "6"], "channel_id": channel},
        "MEMBER_JOINED": {**message, "type": 7},
    }
    data = known.get(kind, {"id": channel, "name": "mine now"})
    return {"t": "MESSAGE_CREATE" if kind == "MEMBER_JOINED" else kind, "d": data}


EVENTS = (
    "MESSAGE_CREATE",
    "MESSAGE_UPDATE",
    "MESSAGE_DELETE",
    "MESSAGE_DELETE_BULK",
    "MEMBER_JOINED",
    "CHANNEL_DELETE",
    "THREAD_DELETE",
    "CHANNEL_UPDATE",
    "THREAD_UPDATE",
)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(EVENTS),
    st.text(st.characters(categories=["N", "L", "P"]), min_size=1, max_size=12).filter(
        lambda text: text != "1" and "/" not in text and text not in (".", "..")
    ),
)
async def test_no_event_of_a_relayed_platform_reaches_another_group(
    kind: str, channel: str
) -> None:
    async with client(app_of("ingest_message")) as http:
        sent = json.dumps(discord(kind, channel))
        answer = await http.post("/webhooks/discord", content=sent)

    assert answer.status_code == 403, answer.text


RELAYED = [
    case
    for platform in ("discord", "onebot")
    for case in cases(platform)
    # A private recall does not say where it was; its chat is looked up, and then checked alike.
    if case.name != "private_recall" and any(one["is"] != "ignored" for one in case.arrivals)
]
"""Every event of the two platforms whose bots pass on what they saw with a key."""


def test_events_of_every_kind_are_passed_on() -> None:
    kinds = {(one.platform, told["is"]) for one in RELAYED for told in one.arrivals} - {
        (platform, "ignored") for platform in ("discord", "onebot")
    }

    assert kinds == {
        (platform, kind)
        for platform in ("discord", "onebot")
        for kind in ("message", "recall", "group_event")
    }
    assert len(RELAYED) > 30


@pytest.mark.parametrize("case", RELAYED, ids=lambda one: f"{one.platform} {one.name}")
async def test_whatever_happened_a_key_of_another_group_tells_of_nothing(case: Case) -> None:
    async with client(app_of("ingest_message"), headers={"Authorization": "Bearer any"}) as http:
        sent = json.dumps(case.payload)
        answer = await http.post(f"/webhooks/{case.platform}", content=sent)

    assert answer.status_code == 403, answer.text

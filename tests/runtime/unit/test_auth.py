"""Who may come in: API keys, their scopes and groups, and what is open to everybody."""

import asyncio
from typing import Any

import pytest
from fastapi import APIRouter, Request

from shared.domain.key import SCOPES, StoredKey
from shared.errors import Forbidden, Transient, Unauthenticated
from shared.runtime.auth import KEPT_KEYS, KEPT_S, QUIET_S, STALE_S, Caller, KeyRing, bearer
from shared.runtime.route_access import Entry, TheCaller, entry_of
from tests.runtime.serving import AS_ROOT, ENVIRON, SECRET, Keys, client, make_app

router = APIRouter()
handled: list[str] = []


@router.get("/memory/list/{group_id}")
async def memories(group_id: str, caller: TheCaller) -> dict[str, Any]:
    caller.require("read", group_id)
    handled.append(group_id)
    return {"success": True, "key_id": caller.key_id}


@router.post("/messages")
async def messages(body: dict[str, Any]) -> dict[str, Any]:
    handled.append("messages")
    return {"success": True, "fields": len(body)}


@router.post("/webhooks/{platform}")
async def webhook(platform: str, request: Request) -> dict[str, Any]:
    await request.body()
    return {"success": True, "platform": platform}


@router.post("/relay")
@router.post("/webhooks/discord/relay")
async def relay(caller: TheCaller) -> dict[str, Any]:
    return {"success": True, "key_id": caller.key_id}


async def status(keys: Keys, path: str, key: str | None, method: str = "GET") -> int:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with client(make_app(router, keys=keys), headers=headers) as http:
        return (await http.request(method, path)).status_code


async def test_a_key_opens_its_groups_in_its_scopes_and_nothing_else() -> None:
    keys = Keys()
    key = keys.add("reader", "read", groups=("lark:*", "onebot:9"))
    writer = keys.add("writer", "ingest", "manage")
    handled.clear()
    assert await status(keys, "/memory/list/lark:oc_1", key) == 200
    assert await status(keys, "/memory/list/onebot:9", key) == 200
    assert handled == ["lark:oc_1", "onebot:9"]
    assert await status(keys, "/memory/list/onebot:91", key) == 403
    assert await status(keys, "/memory/list/slack:x", key) == 403
    assert await status(keys, "/memory/list/lark:oc_1", writer) == 403
    assert len(handled) == 2


@pytest.mark.parametrize(
    "key",
    [
        None,
        "nonsense",
        f"annals_known_{SECRET}x",
        f"annals_unknown_{SECRET}",
        f"annals_revoked_{SECRET}",
        f"annals_root_{SECRET}x",
    ],
)
async def test_no_key_a_wrong_one_or_a_revoked_one_is_401_and_nothing_happens(
    key: str | None,
) -> None:
    keys = Keys()
    keys.add("known", *SCOPES)
    keys.add("revoked", *SCOPES, revoked=True)
    handled.clear()
    assert await status(keys, "/memory/list/lark:oc_1", key) == 401
    assert handled == []


async def test_the_root_key_may_do_everything_without_asking_the_store() -> None:
    keys = Keys()
    async with client(make_app(router, keys=keys), headers=AS_ROOT) as http:
        assert (await http.get("/memory/list/any:1")).json()["key_id"] == "root"
    assert keys.asked == []


async def test_without_a_root_hash_there_is_no_root_key() -> None:
    environ = {name: value for name, value in ENVIRON.items() if name != "ANNALS_ROOT_KEY_HASH"}
    async with client(make_app(router, environ=environ), headers=AS_ROOT) as http:
        assert (await http.get("/memory/list/any:1")).status_code == 401


@pytest.mark.parametrize("hash_key", ["", "too short"])
async def test_without_a_hash_key_every_route_for_callers_is_503_and_names_it(
    hash_key: str,
) -> None:
    app = make_app(router, environ={**ENVIRON, "ANNALS_HASH_KEY": hash_key})
    async with client(app, headers=AS_ROOT) as http:
        answer = await http.get("/memory/list/any:1")
    assert answer.status_code == 503
    assert "ANNALS_HASH_KEY" in answer.json()["error"]["message"]


async def test_the_key_is_looked_at_before_the_body() -> None:
    async with client(make_app(router)) as http:
        assert (await http.post("/messages", content=b"{broken")).status_code == 401


async def test_a_route_that_does_not_ask_who_calls_needs_a_key_all_the_same() -> None:
    handled.clear()
    async with client(make_app(router)) as http:
        assert (await http.post("/messages", json={})).status_code == 401
        assert (await http.post("/messages", json={}, headers=AS_ROOT)).status_code == 200
    assert handled == ["messages"]


async def test_an_app_mounted_later_needs_a_key_too() -> None:
    app = make_app()
    called: list[str] = []

    async def mounted(scope: Any, receive: Any, send: Any) -> None:
        called.append(scope["annals.caller"].key_id)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    app.mount("/mcp", mounted)
    async with client(app) as http:
        assert (await http.post("/mcp/")).status_code == 401
        assert (await http.post("/mcp/", headers=AS_ROOT)).status_code == 204
    assert called == ["root"]


async def test_a_route_that_does_not_exist_is_404_for_everybody() -> None:
    assert await status(Keys(), "/nowhere", None) == 404
    assert await status(Keys(), "/messages", None, "DELETE") == 405


async def test_webhooks_health_and_the_description_are_open() -> None:
    async with client(make_app(router)) as http:
        assert (await http.post("/webhooks/lark", content=b"{")).status_code == 200
        assert (await http.get("/health/live")).status_code == 200
        assert (await http.get("/openapi.json")).status_code == 200
        assert "openapi.json" in (await http.get("/docs")).text


async def test_on_an_open_path_a_route_can_still_ask_for_a_key() -> None:
    keys = Keys()
    key = keys.add("discord", "ingest")
    assert await status(keys, "/webhooks/discord/relay", None, "POST") == 401
    assert await status(keys, "/webhooks/discord/relay", key, "POST") == 200


@pytest.mark.parametrize(
    ("path", "entry"),
    [
        ("/health/live", Entry.OPEN),
        ("/webhooks/lark", Entry.OPEN),
        ("/tasks/evolve", Entry.TRIGGER),
        ("/cron/sweep", Entry.TRIGGER),
        ("/messages", Entry.KEY),
        ("/healthy", Entry.KEY),
        ("/health/live/x", Entry.KEY),
        ("/webhooks", Entry.KEY),
        ("/tasksx/evolve", Entry.KEY),
        ("//tasks/evolve", Entry.KEY),
        ("/", Entry.KEY),
    ],
)
def test_a_path_says_how_one_comes_in(path: str, entry: Entry) -> None:
    assert entry_of(path) is entry


def ring(keys: Keys, clock: list[float]) -> KeyRing:
    app = make_app(router, keys=keys)
    built: KeyRing = app.state.keys
    return KeyRing(keys.find, built._settings, lambda: clock[0])


async def test_the_store_is_asked_once_a_minute_for_a_key() -> None:
    keys, clock = Keys(), [0.0]
    header = f"Bearer {keys.add('k', 'read')}"
    known = ring(keys, clock)
    await known.caller(header)
    clock[0] = KEPT_S - 1
    await known.caller(header)
    assert keys.asked == ["k"]
    keys.add("k", "read", revoked=True)
    assert (await known.caller(header)).key_id == "k"
    clock[0] = KEPT_S
    with pytest.raises(Unauthenticated):
        await known.caller(header)
    assert keys.asked == ["k", "k"]


async def test_a_key_that_was_just_made_or_revoked_here_is_looked_up_anew() -> None:
    keys, clock = Keys(), [0.0]
    known = ring(keys, clock)
    with pytest.raises(Unauthenticated):
        await known.caller(f"Bearer annals_k_{SECRET}")
    header = f"Bearer {keys.add('k', 'read')}"
    known.forget("k")
    assert (await known.caller(header)).scopes == {"read"}


class Hanging(Keys):
    """A store of keys that can be told to fail or to never answer."""

    trouble: str | None = None

    async def find(self, key_id: str) -> StoredKey | None:
        found = await super().find(key_id)
        if self.trouble == "down":
            raise Transient
        if self.trouble == "hangs":
            await asyncio.Event().wait()
        return found


@pytest.mark.parametrize("trouble", ["down", "hangs"])
async def test_who_was_known_a_while_ago_is_let_in_while_the_store_is_down(trouble: str) -> None:
    keys, clock = Hanging(), [0.0]
    header = f"Bearer {keys.add('k', 'read')}"
    known = ring(keys, clock)
    await known.caller(header)

    keys.trouble, clock[0] = trouble, KEPT_S
    assert (await known.caller(header)).key_id == "k"
    assert (await known.caller(header)).key_id == "k"
    assert keys.asked == ["k", "k"]
    with pytest.raises(Unauthenticated):
        await known.caller(f"Bearer annals_k_{SECRET[::-1]}")

    keys.trouble, clock[0] = None, KEPT_S + QUIET_S
    keys.add("k", "read", revoked=True)
    with pytest.raises(Unauthenticated):
        await known.caller(header)


async def test_nobody_unknown_or_known_too_long_ago_is_let_in_while_the_store_is_down() -> None:
    keys, clock = Hanging(), [0.0]
    header = f"Bearer {keys.add('k', 'read')}"
    known = ring(keys, clock)
    await known.caller(header)
    keys.trouble, clock[0] = "down", STALE_S

    with pytest.raises(Transient):
        await known.caller(header)
    with pytest.raises(Transient):
        await known.caller(f"Bearer annals_n_{SECRET}")


async def test_invented_key_ids_do_not_fill_the_memory() -> None:
    keys, clock = Keys(), [0.0]
    known = ring(keys, clock)
    header = f"Bearer {keys.add('k', 'read')}"
    await known.caller(header)
    for number in range(KEPT_KEYS):
        with pytest.raises(Unauthenticated):
            await known.caller(f"Bearer annals_n{number}_{SECRET}")
    assert len(known._kept) == KEPT_KEYS
    await known.caller(header)
    assert keys.asked.count("k") == 2


@pytest.mark.parametrize("header", [None, "", "Basic abc", "Bearer", "Bearer  "])
def test_a_header_without_a_token_is_nobody(header: str | None) -> None:
    with pytest.raises(Unauthenticated, match="Authorization: Bearer"):
        bearer(header)


def test_the_scheme_is_read_in_any_case() -> None:
    assert bearer("bearer abc ") == "abc"


def test_what_a_caller_may_do() -> None:
    caller = Caller("k", frozenset({"read"}), ("lark:*",))
    caller.require("read")
    caller.require("read", "lark:1")
    assert caller.may_see("lark:1")
    assert not caller.may_see("slack:1")
    assert caller.covers("lark:oc_*")
    for scope, group_id in (("manage", None), ("manage", "lark:1"), ("read", "slack:1")):
        with pytest.raises(Forbidden) as raised:
            caller.require(scope, group_id)  # type: ignore[arg-type]
        # By this a client knows what is refused: one group, or the key whatever it asks for.
        of_group = {"group_id": "slack:1"}
        assert raised.value.detail == (of_group if scope == "read" else {"scope": "manage"})
    with pytest.raises(Forbidden):
        caller.require_everywhere("read")
    Caller("k", frozenset({"read"}), ("*",)).require_everywhere("read")

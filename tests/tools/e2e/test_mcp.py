"""The tools over MCP on a running local cloud, by the protocol's own client, in both eras."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.local_cloud import LocalCloud
from tests.talk import new_group, said
from tests.tools.pipeline.test_tools import ASKED

ERAS = ("legacy", "2026-07-28", "auto")
ALL: dict[str, dict[str, Any]] = {
    **ASKED,
    "add_memory": {"statement": "Ann plays chess"},
    "end": {"new_info": "Ann left"},
    "dont_remember_me": {},
    "forget_me": {},
}
"""In the order in which they are called: what forgets comes last."""
WRITING = ("add_memory", "end", "dont_remember_me", "forget_me")


@asynccontextmanager
async def connected(cloud: LocalCloud, era: str, **headers: str) -> AsyncIterator[Client]:
    shown = {"Authorization": f"Bearer {cloud.told['key']}", **headers}
    async with httpx2.AsyncClient(headers=shown, trust_env=False, timeout=60) as http:
        url = f"{cloud.told['base']}/build_context/mcp"
        async with Client(streamable_http_client(url, http_client=http), mode=era) as client:
            yield client


@pytest.mark.parametrize("era", ERAS)
async def test_the_protocols_own_client_lists_and_calls_every_tool(
    cloud: LocalCloud, era: str
) -> None:
    group = new_group()
    told = said(group, 1, "Ann is allergic to peanuts")
    cloud.ok("POST", "/ingest_message/messages", [told])
    cloud.ok("PUT", f"/historian_job/groups/{group}/settings", {"member_commands": True})
    headers = {"X-Annals-Group": group, "X-Annals-User": "u1", "X-Annals-Request": "r1"}
    async with connected(cloud, era, **headers) as client:
        tools = {one.name: one for one in (await client.list_tools()).tools}
        assert set(tools) == set(ALL)
        found = await client.call_tool("search_messages", {"query": "Ann's allergy"})
        assert "peanuts" in str(found.structured_content)
        for name, arguments in ALL.items():
            result = await client.call_tool(name, arguments)
            assert not result.is_error, (name, result)
            assert isinstance(result.structured_content, dict), name
        for name, tool in tools.items():
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is (name not in WRITING)
            assert tool.annotations.destructive_hint is (tool.name == "forget_me")
            assert tool.annotations.open_world_hint is False
        old_name = await client.call_tool("cognitive_search_events", {"query": "anything"})
        assert not old_name.is_error


@pytest.mark.parametrize("era", ERAS)
async def test_a_model_that_names_another_group_is_refused_over_mcp(
    cloud: LocalCloud, era: str
) -> None:
    async with connected(cloud, era, **{"X-Annals-Group": new_group()}) as client:
        result = await client.call_tool("get_memories", {"group_id": new_group()})
    assert result.is_error
    assert "forbidden" in str(result.content)


def mcp(cloud: LocalCloud, key: str | None = None, **headers: str) -> httpx.Response:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream", **headers}
    return cloud.call("POST", "/build_context/mcp", asked, headers=accept, key=key)


def test_without_a_key_a_group_or_the_right_to_it_there_is_no_protocol(cloud: LocalCloud) -> None:
    wish: dict[str, Any] = {"name": "one", "scopes": ["read"], "groups": ["test:one"]}
    key = cloud.ok("POST", "/historian_job/keys", wish)["key"]

    assert mcp(cloud, key="", **{"X-Annals-Group": "test:one"}).status_code == 401
    assert mcp(cloud, key=key).status_code == 400
    assert mcp(cloud, key=key, **{"X-Annals-Group": "test:two"}).status_code == 403
    listed = mcp(cloud, key=key, **{"X-Annals-Group": "test:one"})
    assert listed.status_code == 200
    assert "end" not in {one["name"] for one in listed.json()["result"]["tools"]}

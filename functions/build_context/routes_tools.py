"""The tools of a model, over HTTP and MCP."""

from typing import Annotated
from urllib.parse import unquote

from fastapi import APIRouter, Header, Response
from pydantic import BeforeValidator

from shared import log
from shared.contracts.api import GroupId, Id
from shared.contracts.tool_calls import McpReply, ToolAnswer, ToolCall, ToolList
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


def _utf8(header: str | None) -> str | None:
    """A header's bytes come as Latin-1; hosts write ids in UTF-8, or percent-encoded where their
    client takes ASCII only."""
    if header is None:
        return None
    try:
        return unquote(header.encode("latin-1").decode("utf-8"), errors="strict")
    except UnicodeError as error:
        raise ValueError("write it in UTF-8, or percent-encoded") from error


_Text = BeforeValidator(_utf8)
HostGroup = Annotated[GroupId | None, _Text, Header(alias="X-Annals-Group")]
HostUser = Annotated[Id | None, _Text, Header(alias="X-Annals-User")]
HostRequest = Annotated[Id | None, _Text, Header(alias="X-Annals-Request")]
"""The host says which group a tool call is of, who speaks and which turn it is."""


@router.get("/tools")
async def list_tools(caller: TheCaller, aliases: bool = False) -> ToolList:
    """The tools that this key may call, as a chat completion takes them; with `aliases` under
    their older names too."""
    from functions.build_context.handle_tools import listed

    return listed(caller.scopes, with_aliases=aliases)


@router.post("/tools/{name}")
async def call_tool(
    name: str, call: ToolCall, caller: TheCaller, in_header: HostGroup = None
) -> ToolAnswer:
    """One call that a model made, in the group that the host names."""
    from functions.build_context.handle_tools import answered, bound_group

    group_id = bound_group(in_header, call.group_id)
    caller.require_group(group_id)
    log.bind(group_id=group_id)
    return await answered(name, call, group_id, caller, services())


@router.post("/mcp", response_model=McpReply)
async def mcp(
    caller: TheCaller,
    in_header: HostGroup = None,
    user_id: HostUser = None,
    request_id: HostRequest = None,
) -> Response:
    """The same tools over the Model Context Protocol, without a session."""
    from functions.build_context.handle_tools import bound_group

    group_id = bound_group(in_header, None)
    caller.require_group(group_id)
    log.bind(group_id=group_id)
    from functions.build_context.mcp_door import McpAnswer

    call = ToolCall(user_id=user_id, request_id=request_id)
    return McpAnswer(group_id, call, caller, services())

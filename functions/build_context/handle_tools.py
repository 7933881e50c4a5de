"""A tool call: bound to its host's group, its arguments read, its answer typed and short."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from functions.build_context.tool_catalogue import END, TOOLS, Tool, tool_named
from functions.build_context.tool_members import Members
from functions.build_context.tool_room import Bound
from shared import log
from shared.config import settings_for
from shared.contracts.api import group_id_of
from shared.contracts.notes import END_RULES
from shared.contracts.tool_calls import (
    ToolAnswer,
    ToolCall,
    ToolDetail,
    ToolFunction,
    ToolList,
    ToolSchema,
)
from shared.domain.key import Scope
from shared.errors import Forbidden, InvalidInput
from shared.runtime.auth import Caller
from shared.wiring import Services

GROUP_NAMES = ("group_id", "target_group_id", "chat_id")
"""By which a model may try to name a group; the seeds' tools knew all three."""
GROUP = "group"
"""As the subject of a memory, or as a kind of entity: no member is meant."""


def listed(scopes: frozenset[Scope], *, with_aliases: bool) -> ToolList:
    """Those that a key with these scopes may call; the seeds' names as tools of their own only if
    asked for, as a model that sees a tool twice does not know which to take."""
    own = [one for one in TOOLS if one.scope in scopes]
    shown = [(one.name, one) for one in own]
    if with_aliases:
        shown += [(alias.replace(".", "_"), one) for one in own for alias in one.aliases]
    return ToolList(
        total=len(shown),
        tools=[schema_of(name, one) for name, one in shown],
        details={one.name: _detail(one) for one in own},
        prompt_rules=END_RULES if END in own else {},
    )


async def answered(
    name: str, call: ToolCall, group_id: str, caller: Caller, made: Services
) -> ToolAnswer:
    """As `POST /tools/{name}` answers."""
    tool = tool_named(name)
    caller.require(tool.scope, group_id)
    bound = await bind(call, group_id, made)
    result = await called(tool, arguments_of(call.arguments), bound, made)
    return ToolAnswer(tool=tool.name, result=result.model_dump(mode="json"))


async def bind(call: ToolCall, group_id: str, made: Services) -> Bound:
    """What the host says of the turn, and how many tokens this group's answers may have."""
    own = settings_for(await made.groups.find(group_id), made.settings)
    return Bound(
        group_id=group_id,
        max_tokens=own.tool_max_tokens,
        user_id=call.user_id,
        request_id=call.request_id,
        end_seq=call.end_seq,
        message_ids=tuple(call.message_ids),
        timezone=call.timezone,
        has_historian=own.enable_cognitive,
    )


async def called(
    tool: Tool, arguments: Mapping[str, Any], bound: Bound, made: Services
) -> BaseModel:
    """Forbidden if the arguments name another group than the host's."""
    asked = _read(tool, _unbound(arguments, bound.group_id))
    result = None if bound.has_historian else tool.without_historian
    if result is None:
        asked, hint = await _with_member(tool, asked, bound, made)
        result = await tool.run(asked, bound, made)
        result = result.model_copy(update={"hint": hint}) if hint else result
    log.info("tool_called", tool=tool.name, left_out=getattr(result, "left_out", 0))
    return result


async def _with_member(
    tool: Tool, asked: BaseModel, bound: Bound, made: Services
) -> tuple[BaseModel, str]:
    """The same with the id of the member whom it names, and what to tell the model of that."""
    said = getattr(asked, tool.member) if tool.member else None
    if not said or said == GROUP or getattr(asked, "entity_type", None) == GROUP:
        return asked, ""
    meant = await made.deps(Members).meant(bound.group_id, said)
    return asked.model_copy(update={tool.member: meant.user_id}), meant.hint


def bound_group(in_header: str | None, in_body: str | None) -> str:
    """The group that the host names, in the header or at the body's top level."""
    named = {group_id_of(one) for one in (in_header, in_body) if one}
    if not named:
        raise InvalidInput("the host must name the group: header X-Annals-Group, or group_id")
    if len(named) > 1:
        raise Forbidden("the header and the body name two groups")
    return named.pop()


def arguments_of(given: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if not isinstance(given, str):
        return given
    try:
        found = json.loads(given or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInput("arguments are not valid JSON") from error
    if not isinstance(found, dict):
        raise InvalidInput("arguments must be a JSON object")
    return found


def _unbound(arguments: Mapping[str, Any], group_id: str) -> dict[str, Any]:
    for name in GROUP_NAMES:
        named = arguments.get(name)
        if named is not None and (not isinstance(named, str) or group_id_of(named) != group_id):
            raise Forbidden("a tool reads only the group that its host bound it to")
    return {name: value for name, value in arguments.items() if name not in GROUP_NAMES}


def _read(tool: Tool, arguments: Mapping[str, Any]) -> BaseModel:
    try:
        return tool.arguments.model_validate(arguments)
    except ValidationError as error:
        problems = [
            {
                "where": ".".join(map(str, one["loc"])) or "arguments",
                "problem": one["msg"].removeprefix("Value error, "),
            }
            for one in error.errors(include_input=False, include_url=False, include_context=False)
        ]
        first = problems[0]
        raise InvalidInput(f"{first['where']}: {first['problem']}", problems=problems) from error


def schema_of(name: str, tool: Tool) -> ToolSchema:
    return ToolSchema(
        function=ToolFunction(name=name, description=tool.description, parameters=tool.parameters)
    )


def _detail(tool: Tool) -> ToolDetail:
    return ToolDetail(
        output_schema=tool.output_schema,
        scope=tool.scope,
        is_read_only=tool.is_read_only,
        is_destructive=tool.is_destructive,
        aliases=list(tool.aliases),
    )

"""Tools as a host calls them in this process."""

from typing import Any

from functions.build_context.handle_tools import answered
from shared.contracts.tool_calls import ToolCall
from shared.domain.key import SCOPES
from shared.runtime.auth import Caller
from shared.wiring import Services

EVERYWHERE = Caller("k1", SCOPES, ("*",))


async def call(
    made: Services,
    group: str,
    name: str,
    arguments: dict[str, Any] | str,
    caller: Caller = EVERYWHERE,
    **host: Any,
) -> dict[str, Any]:
    asked = ToolCall(arguments=arguments, **host)
    return (await answered(name, asked, group, caller, made)).result

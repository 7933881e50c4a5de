"""Annals' tools for AstrBot's agent. The group is the event's: no model can name another one."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from astrbot.core.agent.run_context import ContextWrapper
from astrbot.core.agent.tool import FunctionTool
from astrbot.core.astr_agent_context import AstrAgentContext
from pydantic.dataclasses import dataclass

from annals import AnnalsError

WANTED = frozenset(
    {
        "search_messages",
        "search_memories",
        "search_topics",
        "search_events",
        "search_profiles",
        "query_graph",
        "add_memory",
    }
)
"""Without what the context brings by itself, and without `end`, which needs the turn's ids."""

Ask = Callable[[Any, str, dict[str, Any]], Awaitable[dict[str, Any]]]


@dataclass
class AnnalsTool(FunctionTool[AstrAgentContext]):
    ask: Any = None

    @classmethod
    def of(cls, schema: dict[str, Any], ask: Ask) -> "AnnalsTool":
        return cls(
            name=schema["name"],
            description=schema["description"],
            parameters=schema["parameters"],
            ask=ask,
        )

    async def call(self, context: ContextWrapper[AstrAgentContext], **arguments: Any) -> str:
        try:
            found = await self.ask(context.context.event, self.name, arguments)
        except AnnalsError as error:
            return f"the memory could not answer: {error}"
        return json.dumps(found, ensure_ascii=False)

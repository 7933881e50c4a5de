"""Every tool: its name, what it is for, what it takes and tells, and which services it runs on.

Imported when tools are first asked for, so that a context's cold start does not pay for it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel

from functions.build_context import tool_knowledge, tool_rights, tool_search, tool_writes
from functions.build_context.deps import context_deps
from functions.build_context.tool_room import Bound
from shared.contracts import tools
from shared.domain.key import Scope
from shared.errors import NotFound
from shared.wiring import Services

Run = Callable[[Any, Bound, Services], Awaitable[BaseModel]]


@dataclass(frozen=True)
class Tool:
    """`scope` is what the host's key must have; a tool that only reads needs `read`. What is added
    can be taken back by hand; what cannot be undone `is_destructive`. A tool over what the
    historian keeps has an answer for groups `without_historian`: nothing is known. `member` is the
    argument that names one, by id or by name."""

    name: str
    description: str
    arguments: type[BaseModel]
    answer: type[BaseModel]
    run: Run
    scope: Scope = "read"
    aliases: tuple[str, ...] = ()
    is_destructive: bool = False
    without_historian: BaseModel | None = None
    member: str = ""

    @property
    def is_read_only(self) -> bool:
        return self.scope == "read"

    @property
    def parameters(self) -> dict[str, Any]:
        return plain_schema(self.arguments)

    @property
    def output_schema(self) -> dict[str, Any]:
        return self.answer.model_json_schema(mode="serialization")


END = Tool(
    "end",
    "Call this once as your turn ends: what you did, and the one new thing you learnt, if any.",
    tools.End,
    tools.EndNoted,
    lambda asked, bound, made: tool_writes.end(asked, bound, made.deps(tool_writes.NoteDeps)),
    scope="ingest",
)
TOOLS = (
    Tool(
        "search_topics",
        "Find what the group discussed before: topics with their summaries, by words and meaning.",
        tools.SearchTopics,
        tools.ToolTopics,
        lambda asked, bound, made: tool_search.search_topics(asked, bound, made.topic_search),
        aliases=("topic_search",),
        member="user_id",
    ),
    Tool(
        "search_messages",
        "Find the very lines that were said in this chat, over its whole history.",
        tools.SearchMessages,
        tools.ToolMessages,
        lambda asked, bound, made: tool_search.search_messages(
            asked, bound, made.message_search, made.groups, made.now()
        ),
        member="user_id",
    ),
    Tool(
        "search_memories",
        "Find lasting facts about the group and its members that answer a question.",
        tools.SearchMemories,
        tools.ToolMemories,
        lambda asked, bound, made: tool_search.search_memories(asked, bound, made.memory_search),
    ),
    Tool(
        "search_events",
        "Find dated happenings, of a time range or of one member if you name them.",
        tools.SearchEvents,
        tools.ToolEvents,
        lambda asked, bound, made: tool_search.search_events(
            asked, bound, made.event_search, made.embedder
        ),
        aliases=("cognitive.search_events",),
        without_historian=tools.ToolEvents(events=[]),
        member="user_id",
    ),
    Tool(
        "search_profiles",
        "Find members, or the group, by what is known of them.",
        tools.SearchProfiles,
        tools.ToolProfiles,
        lambda asked, bound, made: tool_knowledge.search_profiles(
            asked, bound, made.profile_search
        ),
        aliases=("cognitive.search_profiles",),
        without_historian=tools.ToolProfiles(profiles=[]),
        member="entity_id",
    ),
    Tool(
        "get_profile",
        "What is known of one member, or of the group itself.",
        tools.GetProfile,
        tools.OneProfile,
        lambda asked, bound, made: tool_knowledge.get_profile(
            asked, bound, made.known_profiles, made.groups
        ),
        aliases=("cognitive.get_profile",),
        without_historian=tools.OneProfile(profile=None),
        member="entity_id",
    ),
    Tool(
        "search_entities",
        "Find people, places, projects and things that the group speaks of, by name.",
        tools.SearchEntities,
        tools.ToolEntities,
        lambda asked, bound, made: tool_knowledge.search_entities(asked, bound, made.graph_search),
        without_historian=tools.ToolEntities(entities=[]),
    ),
    Tool(
        "query_graph",
        "How somebody or something is related to others: who works on what, who knows whom.",
        tools.QueryGraph,
        tools.ToolGraph,
        lambda asked, bound, made: tool_knowledge.query_graph(asked, bound, made.graph_search),
        aliases=("query_knowledge_graph",),
        without_historian=tools.ToolGraph(entities=[], relations=[]),
    ),
    Tool(
        "get_context",
        "Everything that matters for answering a message: recent talk, memories, events, profiles.",
        tools.GetContext,
        tools.ToolContext,
        lambda asked, bound, made: tool_knowledge.get_context(asked, bound, context_deps(made)),
        aliases=("quick_search",),
    ),
    Tool(
        "get_memories",
        "List the lasting facts that the group's memory holds, the strongest first.",
        tools.GetMemories,
        tools.ToolMemories,
        lambda asked, bound, made: tool_search.get_memories(
            asked, bound, made.memories, made.now()
        ),
        member="subject",
    ),
    Tool(
        "add_memory",
        "Keep one lasting fact about the group or a member, when somebody asks you to remember it.",
        tools.AddMemory,
        tools.AddedMemory,
        lambda asked, bound, made: tool_writes.add_memory(
            asked, bound, made.deps(tool_writes.MemoryDeps)
        ),
        scope="ingest",
        member="subject",
    ),
    END,
    Tool(
        "what_is_known_of_me",
        "What is kept of the member who speaks, for them to read, when they ask.",
        tools.NoArguments,
        tools.ToSend,
        lambda _, bound, made: tool_rights.what_is_known(bound, made.known_members),
    ),
    Tool(
        "dont_remember_me",
        "Stop remembering what the member who speaks says, when they ask for that themselves.",
        tools.NoArguments,
        tools.ToSend,
        lambda _, bound, made: tool_rights.dont_remember(bound, made.deps(tool_rights.RightsDeps)),
        scope="ingest",
    ),
    Tool(
        "forget_me",
        "Forget all that the member who speaks said and all that is known of them, for good, when "
        "they ask for that themselves.",
        tools.NoArguments,
        tools.ToSend,
        lambda _, bound, made: tool_rights.forget(bound, made.deps(tool_rights.RightsDeps)),
        scope="ingest",
        is_destructive=True,
    ),
)


@cache
def _by_name() -> dict[str, Tool]:
    """By every name, the seeds' own too; model APIs refuse dots, so those also with `_`."""
    names = {alias: tool for tool in TOOLS for alias in (tool.name, *tool.aliases)}
    return {name.replace(".", "_"): tool for name, tool in names.items()} | names


def tool_named(name: str) -> Tool:
    found = _by_name().get(name)
    if found is None:
        raise NotFound(f"there is no tool {name[:100]!r}")
    return found


def plain_schema(model: type[BaseModel]) -> dict[str, Any]:
    """A schema as every model API takes it: no titles, patterns or references, and no null beside
    a type."""
    schema = model.model_json_schema(mode="validation")
    named = schema.pop("$defs", {})
    found: dict[str, Any] = _plain(schema, named)
    found.pop("description", None)
    return {**found, "properties": found.get("properties", {}), "additionalProperties": False}


def _plain(part: Any, named: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_plain(one, named) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        part = named[part["$ref"].rpartition("/")[2]] | {
            k: v for k, v in part.items() if k != "$ref"
        }
    choices = [one for one in part.get("anyOf", ()) if one != {"type": "null"}]
    if len(choices) == 1:
        rest = {key: value for key, value in part.items() if key not in ("anyOf", "default")}
        part = choices[0] | rest
    return {
        key: {name: _plain(one, named) for name, one in value.items()}
        if key == "properties"
        else _plain(value, named)
        for key, value in part.items()
        if key not in ("title", "pattern")
    }

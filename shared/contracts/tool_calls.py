"""How a host asks for tools and calls one: the envelope around every tool."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from shared.contracts.api import Answer, Body, EndSeq, GroupId, Id, ListAnswer


class ToolCall(Body):
    """What the host sends for a call that its model made. The host, never the model, says which
    group it is of, who speaks and which turn it is. `arguments` may be the JSON text as model APIs
    hand it over."""

    group_id: GroupId | None = None
    user_id: Id | None = None
    request_id: Id | None = None
    end_seq: EndSeq = 0
    message_ids: Annotated[list[Id], Field(max_length=200)] = Field(default_factory=list)
    timezone: Annotated[str, Field(max_length=64)] = ""
    arguments: dict[str, Any] | str = Field(default_factory=dict)


class ToolFunction(BaseModel):
    name: str
    description: str
    parameters: dict[str, Any]


class ToolSchema(BaseModel):
    """As the `tools` of a chat completion take it."""

    type: str = "function"
    function: ToolFunction


class ToolDetail(BaseModel):
    """What the schema of a chat completion has no place for."""

    output_schema: dict[str, Any]
    scope: str
    is_read_only: bool
    is_destructive: bool
    aliases: list[str]


class ToolList(ListAnswer):
    """`tools` can be handed to a chat completion as it is; `prompt_rules`, by language, belong into
    the prompt of a model that has `end`."""

    tools: list[ToolSchema]
    details: dict[str, ToolDetail]
    prompt_rules: dict[str, str]


class ToolAnswer(Answer):
    """`result` is as the tool's `output_schema` says."""

    tool: str
    result: dict[str, Any]


class McpReply(BaseModel):
    """A reply of the Model Context Protocol: `result` or `error`, as JSON-RPC has it."""

    jsonrpc: str
    id: str | int | None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None

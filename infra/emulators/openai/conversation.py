"""`POST /v1/chat/completions`: what a request asks for, and what is refused."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from .models import CHAT, exists
from .refusal import Refusal, bad, no_such_model, wrong_type
from .schema import check_strict
from .tokens import count
from .tools import Tools, read_tools

CONTEXT_TOKENS = 128_000
_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_FORMATS = ("text", "json_object", "json_schema")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_IGNORED = {
    "frequency_penalty", "logit_bias", "metadata", "parallel_tool_calls", "presence_penalty",
    "prompt_cache_key", "prompt_cache_retention", "reasoning_effort", "safety_identifier", "seed",
    "service_tier", "store", "temperature", "top_p", "user", "verbosity",
}  # fmt: skip
_READ = {
    "model", "messages", "response_format", "stream", "stream_options", "max_tokens",
    "max_completion_tokens", "n", "stop", "tool_choice", "tools",
}  # fmt: skip


@dataclass(frozen=True)
class Conversation:
    """One chat request, checked. `schema` is None unless the format is `json_schema`."""

    messages: list[tuple[str, str]]
    format: str = "text"
    schema_name: str = ""
    schema: dict[str, Any] | None = None
    streams: bool = False
    includes_usage: bool = False
    max_tokens: int | None = None
    choices: int = 1
    stops: tuple[str, ...] = ()
    tools: Tools = field(default_factory=Tools)

    @property
    def prompt_tokens(self) -> int:
        """Four tokens around each message, as chat formats have."""
        return sum(count(text) + 4 for _, text in self.messages) + 3

    @property
    def given(self) -> dict[str, Any] | None:
        """The JSON object of the last user message that is one."""
        for role, text in reversed(self.messages):
            if role == "user" and (found := _object(text)) is not None:
                return found
        return None

    @property
    def last_words(self) -> str:
        """The last text of a user or a tool, or of anybody."""
        texts = [text for role, text in self.messages if role in ("user", "tool")]
        return (texts or [text for _, text in self.messages])[-1]

    @property
    def tool_call(self) -> dict[str, Any] | None:
        """The call to make before an answer: one a question, none once a tool has answered."""
        role, text = self.messages[-1]
        return self.tools.call_for(text) if role == "user" else None


def read_conversation(body: dict[str, Any]) -> Conversation:
    for name in body.keys() - _READ - _IGNORED:
        raise bad(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
    _check_model(body.get("model"))
    messages = _messages(body.get("messages"))
    kind, name, schema = _format(body.get("response_format"))
    if kind == "json_object" and not any("json" in text.lower() for _, text in messages):
        raise bad(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of "
            "type 'json_object'.",
            "messages",
        )
    options = body.get("stream_options")
    streams = _flag(body, "stream")
    if options is not None and not streams:
        raise bad(
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            "stream_options",
        )
    if options is not None and not isinstance(options, dict):
        raise wrong_type("stream_options", "an object", options)
    conversation = Conversation(
        messages=messages,
        format=kind,
        schema_name=name,
        schema=schema,
        streams=streams,
        includes_usage=bool((options or {}).get("include_usage")),
        max_tokens=_limit(body),
        choices=_positive(body, "n") or 1,
        stops=_stops(body.get("stop")),
        tools=read_tools(body),
    )
    if conversation.prompt_tokens > CONTEXT_TOKENS:
        raise bad(
            f"This model's maximum context length is {CONTEXT_TOKENS} tokens. However, your "
            f"messages resulted in {conversation.prompt_tokens} tokens. Please reduce the length "
            "of the messages.",
            "messages",
            "context_length_exceeded",
        )
    return conversation


def _check_model(model: object) -> None:
    if not isinstance(model, str) or not model:
        raise bad("you must provide a model parameter")
    if not exists(model):
        raise no_such_model(model)
    if model != CHAT:
        raise Refusal(
            404,
            "This is not a chat model and thus not supported in the v1/chat/completions endpoint.",
            param="model",
        )


def _messages(given: object) -> list[tuple[str, str]]:
    if given is None:
        raise bad(
            "Missing required parameter: 'messages'.", "messages", "missing_required_parameter"
        )
    if not isinstance(given, list):
        raise wrong_type("messages", "an array of objects", given)
    if not given:
        raise bad(
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got "
            "an empty array instead.",
            "messages",
            "empty_array",
        )
    return [_message(place, message) for place, message in enumerate(given)]


def _message(place: int, message: object) -> tuple[str, str]:
    where = f"messages[{place}]"
    if not isinstance(message, dict):
        raise wrong_type(where, "an object", message)
    role = message.get("role")
    if role not in _ROLES:
        raise bad(
            f"Invalid value: '{role}'. Supported values are: "
            + ", ".join(f"'{known}'" for known in _ROLES),
            f"{where}.role",
            "invalid_value",
        )
    content = message.get("content")
    if isinstance(content, str):
        return role, content
    if content is None and role == "assistant":
        return role, ""
    if not isinstance(content, list):
        raise wrong_type(f"{where}.content", "a string or an array of objects", content)
    texts = []
    for part in content:
        if not isinstance(part, dict) or part.get("type") != "text":
            raise bad(
                f"Invalid content in '{where}': this model reads text only.",
                f"{where}.content",
                "invalid_value",
            )
        texts.append(str(part.get("text", "")))
    return role, "\n".join(texts)


def _format(given: object) -> tuple[str, str, dict[str, Any] | None]:
    if given is None:
        return "text", "", None
    if not isinstance(given, dict):
        raise wrong_type("response_format", "an object", given)
    kind = given.get("type")
    if kind not in _FORMATS:
        raise bad(
            f"Invalid value: '{kind}'. Supported values are: 'json_object', 'json_schema', "
            "and 'text'.",
            "response_format.type",
            "invalid_value",
        )
    if kind != "json_schema":
        return kind, "", None
    wrapper = given.get("json_schema")
    if not isinstance(wrapper, dict):
        raise bad(
            "Missing required parameter: 'response_format.json_schema'.",
            "response_format.json_schema",
            "missing_required_parameter",
        )
    name = wrapper.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise bad(
            "Invalid 'response_format.json_schema.name': expected letters, digits, '_' or '-', "
            "at most 64.",
            "response_format.json_schema.name",
            "invalid_value",
        )
    schema = wrapper.get("schema", {})
    if not isinstance(schema, dict):
        raise wrong_type("response_format.json_schema.schema", "an object", schema)
    if wrapper.get("strict"):
        check_strict(name, schema)
    return kind, name, schema


def _flag(body: dict[str, Any], name: str) -> bool:
    value = body.get(name)
    if value is not None and not isinstance(value, bool):
        raise wrong_type(name, "a boolean", value)
    return bool(value)


def _positive(body: dict[str, Any], name: str) -> int | None:
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(name, "an integer", value)
    if value < 1:
        raise bad(
            f"Invalid '{name}': integer below minimum value. Expected a value >= 1, but got "
            f"{value} instead.",
            name,
            "integer_below_min_value",
        )
    return value


def _limit(body: dict[str, Any]) -> int | None:
    older, newer = _positive(body, "max_tokens"), _positive(body, "max_completion_tokens")
    if older is not None and newer is not None:
        raise bad(
            "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
            "max_tokens",
            "invalid_parameter_combination",
        )
    return older if newer is None else newer


def _stops(given: object) -> tuple[str, ...]:
    if given is None:
        return ()
    stops = [given] if isinstance(given, str) else given
    if not isinstance(stops, list) or not all(isinstance(stop, str) for stop in stops):
        raise wrong_type("stop", "a string or an array of strings", given)
    return tuple(stop for stop in stops if stop)


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None

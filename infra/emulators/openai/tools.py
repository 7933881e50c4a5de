"""Tools that a request offers, and the one call the stand-in makes before it answers."""

import json
import re
import uuid
from dataclasses import dataclass
from typing import Any

from .refusal import bad, wrong_type
from .schema import fit

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WORD = re.compile(r"[^\W\d_]{3,}")
_CHOICES = ("none", "auto", "required")


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    parameters: dict[str, Any]

    def likeness(self, question: str) -> tuple[int, int]:
        """How many of the question's words its name has, then its description."""
        asked = set(_WORD.findall(question.lower()))
        name, description = (
            len(asked & set(_WORD.findall(text.lower())))
            for text in (self.name.replace("_", " "), self.description)
        )
        return name, description

    def called_with(self, question: str) -> dict[str, Any]:
        """The call on the wire: the question stands for every text that must be given."""
        arguments = fit({}, {"type": "object", **self.parameters}, lambda _: question)
        return {
            "id": f"call_{uuid.uuid4().hex[:24]}",
            "type": "function",
            "function": {
                "name": self.name,
                "arguments": json.dumps(arguments, ensure_ascii=False),
            },
        }


@dataclass(frozen=True)
class Tools:
    """`choice` is `none`, `auto`, `required` or the name of the tool to call."""

    offered: tuple[Tool, ...] = ()
    choice: str = "auto"

    def call_for(self, question: str) -> dict[str, Any] | None:
        """Of the named tool, else of the one most like the question; talk that is like none is
        answered in words unless a call is required."""
        if not self.offered or self.choice == "none":
            return None
        named = next((tool for tool in self.offered if tool.name == self.choice), None)
        tool = named or max(self.offered, key=lambda tool: tool.likeness(question))
        is_wanted = named or self.choice == "required" or any(tool.likeness(question))
        return tool.called_with(question) if is_wanted else None


def read_tools(body: dict[str, Any]) -> Tools:
    given = body.get("tools")
    if given is not None and not isinstance(given, list):
        raise wrong_type("tools", "an array of objects", given)
    offered = tuple(_tool(place, tool) for place, tool in enumerate(given or []))
    return Tools(offered, _choice(body.get("tool_choice"), offered))


def _tool(place: int, given: object) -> Tool:
    where = f"tools[{place}]"
    function = given.get("function") if isinstance(given, dict) else None
    if not isinstance(given, dict) or given.get("type") != "function":
        raise bad(f"Invalid value for '{where}.type': only 'function'.", where, "unsupported_value")
    if not isinstance(function, dict):
        raise bad(
            f"Missing required parameter: '{where}.function'.", where, "missing_required_parameter"
        )
    name, parameters = function.get("name"), function.get("parameters", {})
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise bad(
            f"Invalid '{where}.function.name': expected letters, digits, '_' or '-', at most 64.",
            f"{where}.function.name",
            "invalid_value",
        )
    if not isinstance(parameters, dict):
        raise wrong_type(f"{where}.function.parameters", "an object", parameters)
    return Tool(name, str(function.get("description") or ""), parameters)


def _choice(given: object, offered: tuple[Tool, ...]) -> str:
    if given is None:
        return "auto"
    name = given
    if isinstance(given, dict):
        function = given.get("function")
        name = function.get("name") if isinstance(function, dict) else None
    elif given not in _CHOICES:
        raise bad(f"Invalid value: '{given}'.", "tool_choice", "invalid_value")
    if not offered and name != "none":
        raise bad("'tool_choice' is only allowed when 'tools' are specified.", "tool_choice")
    if name in _CHOICES or name in [tool.name for tool in offered]:
        return str(name)
    raise bad(f"Tool choice '{name}' is not among the tools.", "tool_choice")

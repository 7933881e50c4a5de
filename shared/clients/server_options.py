"""Which options of a chat request a server takes: all of them at first, fewer by what it refuses.

The one place that knows how OpenAI-compatible servers differ. Pure: `Model` sends, and remembers
for each of its models what was taken.
"""

import re
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

_LIMITS = ("max_completion_tokens", "max_tokens", "")
"""The newer name first: reasoning models refuse the older one, many other servers the newer."""
_NAMES_LIMIT = re.compile(r"max_(?:completion_)?tokens")
_NAMES_FORMAT = re.compile(r"response_format|json_schema|json_object|schema|structured|grammar")
_TOO_LONG = "context_length_exceeded"
_FINAL = (_TOO_LONG, "content_filter", "content_policy_violation")
"""Refused for what is asked, not for how: a looser request would not help."""


class Mode(IntEnum):
    """How strictly the form of the reply can be asked for."""

    PLAIN = 0
    JSON = 1
    GUIDED = 2
    """JSON mode with the schema beside it: llama-cpp-python and some hosts know no other way."""
    SCHEMA = 3


@dataclass(frozen=True)
class ServerOptions:
    """What a request has besides its model and messages."""

    mode: Mode = Mode.SCHEMA
    limit: str = _LIMITS[0]
    """The name under which the server takes a limit of tokens; empty: none is sent."""
    has_temperature: bool = True

    def fields(self, name: str, schema: dict[str, Any], reply_tokens: int) -> dict[str, Any]:
        """Of a request for a reply of this schema, of at most so many tokens."""
        found: dict[str, Any] = {}
        if self.mode is Mode.JSON:
            found["response_format"] = {"type": "json_object"}
        elif self.mode is Mode.GUIDED:
            found["response_format"] = {"type": "json_object", "schema": schema}
        elif self.mode is Mode.SCHEMA:
            form = {"name": name, "strict": True, "schema": schema}
            found["response_format"] = {"type": "json_schema", "json_schema": form}
        if self.has_temperature:
            # The same talk should give the same memories.
            found["temperature"] = 0
        if self.limit:
            found[self.limit] = reply_tokens
        return found

    def without_limit(self) -> "ServerOptions":
        return replace(self, limit="")

    def and_also(self, other: "ServerOptions") -> "ServerOptions":
        """What both take: two first questions at once may each have found out something."""
        return ServerOptions(
            min(self.mode, other.mode),
            max(self.limit, other.limit, key=_LIMITS.index),
            self.has_temperature and other.has_temperature,
        )


def loosened(options: ServerOptions, reason: str, said: str) -> ServerOptions | None:
    """What to send instead after a refusal; None if nothing in the options can be to blame.

    The option that the server names goes first. Where it names none, the small ones go before the
    form of the reply, which is worth the most.
    """
    said = said.lower()
    if reason == _TOO_LONG and options.limit and "completion" in said:
        # The limit itself counts as if it had been used up, so it may not fit a small window.
        return options.without_limit()
    if reason in _FINAL:
        return None
    if options.has_temperature and "temperature" in said:
        return replace(options, has_temperature=False)
    if options.limit and _NAMES_LIMIT.search(said):
        return replace(options, limit=_LIMITS[_LIMITS.index(options.limit) + 1])
    names_format = _NAMES_FORMAT.search(said) is not None
    if not names_format and (options.has_temperature or options.limit):
        return replace(options, has_temperature=False, limit="")
    if options.mode is not Mode.PLAIN:
        # Who knows no strict schema may ignore the newer name of the limit without a word.
        older = options.limit and _LIMITS[1]
        return replace(options, mode=Mode(options.mode - 1), limit=older)
    if options.has_temperature or options.limit:
        return replace(options, has_temperature=False, limit="")
    return None

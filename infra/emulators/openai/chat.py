"""Which rule answers a conversation, and the text of its answer."""

import json
from collections.abc import Sequence
from typing import Any

from .conversation import Conversation
from .faults import SHAPES
from .malformed_replies import ANSWER_SPOILERS, TEXT_SPOILERS
from .rules import RULES
from .rules import answer as answer_by_rule
from .rules.chat_text import echo
from .schema import fit

OTHER = "other"
"""How counts name a prompt that no rule knows."""


class Answerer:
    """The chat model `annals-rules`: the same conversation always gets the same answer."""

    def prompt_of(self, conversation: Conversation) -> str:
        """The schema's name, else the `prompt` of the last user message's JSON object."""
        if conversation.schema_name in RULES:
            return conversation.schema_name
        named = (conversation.given or {}).get("prompt")
        return named if isinstance(named, str) and named in RULES else OTHER

    def answer(self, conversation: Conversation, prompt: str, faults: Sequence[str] = ()) -> str:
        if prompt == OTHER:
            answer = self._unknown(conversation)
        else:
            given = conversation.given or {}
            answer = answer_by_rule(prompt, given)
            if conversation.schema is not None:
                answer = fit(answer, conversation.schema, lambda _: "")
        for fault in faults:
            if fault in ANSWER_SPOILERS:
                answer = ANSWER_SPOILERS[fault](answer)
        shape = next((fault for fault in faults if fault in SHAPES), "")
        text = answer if isinstance(answer, str) else _text(answer, shape)
        for fault in faults:
            if fault in TEXT_SPOILERS:
                text = TEXT_SPOILERS[fault](text)
        return text

    def _unknown(self, conversation: Conversation) -> Any:
        """The first and the last sentence of what was said, in the form that was asked for."""
        given = conversation.given
        words = echo(conversation.last_words)
        if conversation.schema is not None:
            return fit(given or {}, conversation.schema, lambda _: words)
        return {"answer": words} if conversation.format == "json_object" else words


def _text(answer: Any, shape: str) -> str:
    """One line of JSON; or, as some models do, only the list inside it."""
    inner = next((part for part in answer.values() if isinstance(part, list)), [answer])
    if shape == "bare_array":
        return _json(inner)
    if shape == "json_lines":
        return "\n".join(_json(item) for item in inner)
    return _json(answer)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

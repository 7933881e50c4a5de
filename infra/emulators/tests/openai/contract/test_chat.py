"""Chat completions: formats, limits, usage, and what is refused."""

import asyncio
import json
from typing import Any, cast

import httpx
import openai
import pytest
from openai import AsyncOpenAI, OpenAI
from openai.types.chat import ChatCompletionContentPartTextParam
from openai.types.chat.completion_create_params import ResponseFormat
from pydantic import BaseModel

from infra.emulators.tests.openai.asking import (
    CHAT,
    EMBEDDER,
    EVOLVE,
    FREE_SCHEMA,
    answered,
    ask,
    json_schema,
    said,
    user,
)

STORY = (
    "The old lighthouse stands on the northern rocks. Two keepers tend the lighthouse lamp in "
    "turns. On Sundays nobody comes. The lighthouse lamp burns whale oil no more."
)


def refusal(client: OpenAI, **changes: Any) -> openai.APIStatusError:
    body = {"model": CHAT, "messages": [{"role": "user", "content": "hello json"}], **changes}
    with pytest.raises(openai.APIStatusError) as refused:
        client.post("/chat/completions", body=body, cast_to=httpx.Response)
    return refused.value


def test_an_unknown_prompt_gets_a_few_of_its_own_sentences(client: OpenAI) -> None:
    completion = client.chat.completions.create(model=CHAT, messages=user(STORY))
    assert said(completion) in STORY or all(
        sentence in STORY for sentence in said(completion).split(". ")
    )
    assert "lighthouse" in said(completion)
    assert len(said(completion)) < len(STORY)
    assert completion.choices[0].finish_reason == "stop"
    assert (completion.object, completion.model) == ("chat.completion", "stand-in")


async def test_an_async_client_gets_the_same_answer(
    client: OpenAI, async_client: AsyncOpenAI
) -> None:
    mine = client.chat.completions.create(model=CHAT, messages=user(STORY))
    theirs = await async_client.chat.completions.create(model=CHAT, messages=user(STORY))
    assert said(mine) == said(theirs)
    assert mine.usage == theirs.usage
    assert mine.id != theirs.id


def test_usage_adds_up_and_grows_with_the_conversation(client: OpenAI) -> None:
    short = client.chat.completions.create(model=CHAT, messages=user("hello there"))
    long = client.chat.completions.create(model=CHAT, messages=user(STORY))
    assert short.usage is not None
    assert long.usage is not None
    assert 0 < short.usage.prompt_tokens < long.usage.prompt_tokens
    for usage in (short.usage, long.usage):
        assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
        assert usage.completion_tokens > 0


def test_a_known_prompt_is_answered_by_the_name_of_the_schema(client: OpenAI) -> None:
    given = {key: value for key, value in EVOLVE.items() if key != "prompt"}
    lines = answered(ask(client, "memory_evolve", given))["lines"]
    by_action = {line["action"]: line for line in lines}
    assert by_action["update"]["statement"] == "Members play chess every Sunday"
    assert by_action["update"]["old_id"] == "mem-1"
    assert by_action["update"]["sources"] == ["m-1"]
    assert by_action["create"]["statement"] == "Members all love hot soup"
    assert by_action["create"]["sources"] == ["m-2"]


@pytest.mark.parametrize("kind", ["json_object", "text"])
def test_without_a_schema_the_prompt_key_names_the_prompt(client: OpenAI, kind: str) -> None:
    with_schema = said(ask(client, "memory_evolve", EVOLVE))
    completion = client.chat.completions.create(
        model=CHAT,
        messages=[
            {"role": "system", "content": "Answer in JSON."},
            {"role": "user", "content": json.dumps(EVOLVE)},
        ],
        response_format=cast(ResponseFormat, {"type": kind}),
    )
    assert said(completion) == with_schema


def test_a_schema_named_otherwise_leaves_the_choice_to_the_prompt_key(client: OpenAI) -> None:
    completion = client.chat.completions.create(
        model=CHAT,
        messages=user(EVOLVE),
        response_format=json_schema("Evolution", FREE_SCHEMA),
    )
    assert {line["action"] for line in answered(completion)["lines"]} == {"update", "create"}


def test_the_last_user_message_that_is_an_object_is_the_one_that_counts(client: OpenAI) -> None:
    completion = client.chat.completions.create(
        model=CHAT,
        messages=[
            {"role": "user", "content": "not an object"},
            {"role": "user", "content": json.dumps(EVOLVE)},
            {"role": "assistant", "content": "nonsense"},
            {"role": "user", "content": "That was not JSON. Again, please."},
        ],
        response_format=json_schema("memory_evolve", FREE_SCHEMA),
    )
    assert len(answered(completion)["lines"]) == 2


def test_content_in_parts_is_read_as_one_text(client: OpenAI) -> None:
    parts: list[ChatCompletionContentPartTextParam] = [
        {"type": "text", "text": "The kettle sings."},
        {"type": "text", "text": "It is tea."},
    ]
    completion = client.chat.completions.create(
        model=CHAT, messages=[{"role": "user", "content": parts}]
    )
    assert "kettle" in said(completion)


class Line(BaseModel):
    action: str
    old_id: str | None
    statement: str | None
    sources: list[str]


class Evolution(BaseModel):
    lines: list[Line]


def test_the_sdk_parses_the_answer_into_a_model(client: OpenAI) -> None:
    completion = client.chat.completions.parse(
        model=CHAT, messages=user(EVOLVE), response_format=Evolution
    )
    parsed = completion.choices[0].message.parsed
    assert parsed is not None
    assert [(line.action, line.old_id) for line in parsed.lines] == [
        ("update", "mem-1"),
        ("create", None),
    ]


async def test_the_async_sdk_parses_too(async_client: AsyncOpenAI) -> None:
    completion = await async_client.chat.completions.parse(
        model=CHAT, messages=user(EVOLVE), response_format=Evolution
    )
    assert completion.choices[0].message.parsed is not None


def test_an_answer_never_holds_more_than_its_schema_allows(client: OpenAI) -> None:
    schema = {
        "type": "object",
        "properties": {
            "lines": {
                "type": "array",
                "maxItems": 1,
                "items": {
                    "type": "object",
                    "properties": {
                        "action": {"enum": ["keep", "update"]},
                        "why": {"type": ["string", "null"]},
                        "rank": {"type": "integer", "minimum": 1},
                    },
                    "required": ["action", "why", "rank"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["lines"],
        "additionalProperties": False,
    }
    answer = answered(ask(client, "memory_evolve", EVOLVE, schema))
    assert answer == {"lines": [{"action": "update", "why": None, "rank": 1}]}


def test_an_unknown_prompt_fills_its_schema_from_the_input(client: OpenAI) -> None:
    schema = {
        "type": "object",
        "properties": {
            "place": {"type": "string"},
            "answer": {"type": "string"},
            "count": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "mood": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["place", "answer", "count", "tags", "mood"],
    }
    given = {"place": "Porto", "count": 3, "story": STORY}
    answer = answered(ask(client, "something_else", given, schema))
    assert (answer["place"], answer["count"], answer["tags"], answer["mood"]) == (
        "Porto",
        3,
        [],
        None,
    )
    assert "lighthouse" in answer["answer"]


def test_json_mode_gives_an_object_to_an_unknown_prompt_too(client: OpenAI) -> None:
    completion = client.chat.completions.create(
        model=CHAT,
        messages=user(f"Give me json. {STORY}"),
        response_format={"type": "json_object"},
    )
    assert isinstance(answered(completion), dict)


def test_max_tokens_cuts_the_answer_and_says_so(client: OpenAI) -> None:
    whole = said(client.chat.completions.create(model=CHAT, messages=user(STORY)))
    cut = client.chat.completions.create(model=CHAT, messages=user(STORY), max_tokens=5)
    assert cut.choices[0].finish_reason == "length"
    assert whole.startswith(said(cut))
    assert cut.usage is not None
    assert cut.usage.completion_tokens == 5


def test_max_completion_tokens_means_the_same(client: OpenAI) -> None:
    with pytest.raises(openai.LengthFinishReasonError):
        client.chat.completions.parse(
            model=CHAT, messages=user(EVOLVE), response_format=Evolution, max_completion_tokens=3
        )


def test_a_limit_that_is_not_reached_changes_nothing(client: OpenAI) -> None:
    whole = client.chat.completions.create(model=CHAT, messages=user(STORY))
    assert whole.usage is not None
    tokens = whole.usage.completion_tokens
    same = client.chat.completions.create(model=CHAT, messages=user(STORY), max_tokens=tokens)
    assert (said(same), same.choices[0].finish_reason) == (said(whole), "stop")


def test_a_stop_word_ends_the_answer_before_it(client: OpenAI) -> None:
    completion = client.chat.completions.create(model=CHAT, messages=user(STORY), stop=["stands"])
    assert "stands" not in said(completion)


def test_several_choices_are_the_same_and_are_paid_each(client: OpenAI) -> None:
    one = client.chat.completions.create(model=CHAT, messages=user(STORY))
    two = client.chat.completions.create(model=CHAT, messages=user(STORY), n=2)
    assert [choice.index for choice in two.choices] == [0, 1]
    assert two.choices[0].message.content == two.choices[1].message.content == said(one)
    assert one.usage is not None
    assert two.usage is not None
    assert two.usage.completion_tokens == 2 * one.usage.completion_tokens


def test_tools_may_be_offered_and_are_never_called(client: OpenAI) -> None:
    completion = client.chat.completions.create(
        model=CHAT,
        messages=user(STORY),
        tools=[{"type": "function", "function": {"name": "look", "parameters": {}}}],
    )
    assert completion.choices[0].message.tool_calls is None


STRICT: dict[str, Any] = {
    "type": "object",
    "properties": {"inner": {"type": "object", "properties": {"a": {"type": "string"}}}},
    "required": ["inner"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("changes", "status", "says"),
    [
        ({"model": "gpt-4o"}, 404, "does not exist"),
        ({"model": EMBEDDER}, 404, "not a chat model"),
        ({"model": None}, 400, "model parameter"),
        ({"messages": []}, 400, "empty array"),
        ({"messages": None}, 400, "Missing required parameter"),
        ({"messages": "hello"}, 400, "expected an array"),
        ({"messages": ["hello"]}, 400, "messages[0]"),
        ({"messages": [{"role": "robot", "content": "x"}]}, 400, "'robot'"),
        ({"messages": [{"role": "user", "content": 3}]}, 400, "messages[0].content"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]},
            400,
            "reads text only",
        ),
        ({"response_format": {"type": "xml"}}, 400, "'xml'"),
        ({"response_format": {"type": "json_schema"}}, 400, "json_schema"),
        (
            {"response_format": {"type": "json_schema", "json_schema": {"name": "a b"}}},
            400,
            "json_schema.name",
        ),
        (
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "x", "strict": True, "schema": STRICT},
                }
            },
            400,
            "In context=('properties', 'inner'), 'additionalProperties' is required",
        ),
        (
            {
                "messages": [{"role": "user", "content": "hello"}],
                "response_format": {"type": "json_object"},
            },
            400,
            "must contain the word 'json'",
        ),
        ({"max_tokens": 0}, 400, "integer below minimum"),
        ({"max_tokens": 1, "max_completion_tokens": 1}, 400, "at the same time"),
        ({"stream": "yes"}, 400, "expected a boolean"),
        ({"stream_options": {"include_usage": True}}, 400, "only allowed when 'stream'"),
        ({"temprature": 1}, 400, "Unknown parameter: 'temprature'"),
    ],
)
def test_what_the_service_refuses_is_refused(
    client: OpenAI, changes: dict[str, Any], status: int, says: str
) -> None:
    error = refusal(client, **changes)
    assert error.status_code == status
    assert says in error.message


def test_a_conversation_beyond_the_context_is_refused(client: OpenAI) -> None:
    error = refusal(client, messages=[{"role": "user", "content": "word " * 130_000}])
    assert (error.status_code, error.code) == (400, "context_length_exceeded")


async def test_chat_is_answered_while_a_large_batch_is_encoded(async_client: AsyncOpenAI) -> None:
    texts = [f"the tide table of harbour number {number}" for number in range(800)]
    encoding = asyncio.create_task(async_client.embeddings.create(model=EMBEDDER, input=texts))
    for _ in range(3):
        await async_client.chat.completions.create(model=CHAT, messages=user(STORY))
        await async_client.embeddings.create(model=EMBEDDER, input="just one")
    assert not encoding.done(), "the short calls waited for the long one"
    assert len((await encoding).data) == 800

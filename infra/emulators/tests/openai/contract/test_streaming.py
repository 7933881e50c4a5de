"""Streams: the same answer in chunks, with its end and, if asked for, its usage."""

import pytest
from openai import AsyncOpenAI, OpenAI
from openai.types.chat import ChatCompletionChunk

from infra.emulators.tests.openai.asking import CHAT, EVOLVE, FREE_SCHEMA, json_schema, said, user

STORY = "Nine otters built a raft of reeds. The raft of reeds drifted to the far bank. It sank."


def text_of(chunks: list[ChatCompletionChunk]) -> str:
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def test_the_chunks_together_are_the_answer(client: OpenAI) -> None:
    whole = client.chat.completions.create(model=CHAT, messages=user(STORY))
    chunks = list(client.chat.completions.create(model=CHAT, messages=user(STORY), stream=True))
    assert text_of(chunks) == said(whole)
    assert len(chunks) > 3
    assert {chunk.object for chunk in chunks} == {"chat.completion.chunk"}
    assert len({chunk.id for chunk in chunks}) == 1


async def test_the_chunks_reach_an_async_client(async_client: AsyncOpenAI) -> None:
    stream = await async_client.chat.completions.create(
        model=CHAT, messages=user(STORY), stream=True
    )
    chunks = [chunk async for chunk in stream]
    whole = await async_client.chat.completions.create(model=CHAT, messages=user(STORY))
    assert text_of(chunks) == said(whole)


def test_the_first_chunk_names_the_role_and_the_last_the_reason(client: OpenAI) -> None:
    chunks = list(client.chat.completions.create(model=CHAT, messages=user(STORY), stream=True))
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks[:-1]] == [None] * (len(chunks) - 1)
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert all(chunk.usage is None for chunk in chunks)


def test_usage_comes_last_when_it_is_asked_for(client: OpenAI) -> None:
    whole = client.chat.completions.create(model=CHAT, messages=user(STORY))
    chunks = list(
        client.chat.completions.create(
            model=CHAT,
            messages=user(STORY),
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    assert chunks[-1].choices == []
    assert chunks[-1].usage == whole.usage
    assert chunks[-2].choices[0].finish_reason == "stop"


def test_a_limit_ends_a_stream_too(client: OpenAI) -> None:
    chunks = list(
        client.chat.completions.create(model=CHAT, messages=user(STORY), stream=True, max_tokens=4)
    )
    assert chunks[-1].choices[0].finish_reason == "length"
    assert STORY.startswith(text_of(chunks).strip()) or text_of(chunks).strip() in STORY


def test_a_schema_is_followed_in_a_stream(client: OpenAI) -> None:
    form = json_schema("memory_evolve", FREE_SCHEMA)
    whole = client.chat.completions.create(model=CHAT, messages=user(EVOLVE), response_format=form)
    chunks = list(
        client.chat.completions.create(
            model=CHAT, messages=user(EVOLVE), response_format=form, stream=True
        )
    )
    assert text_of(chunks) == said(whole)


def test_a_streamed_refusal_is_an_error_before_the_stream(client: OpenAI) -> None:
    with pytest.raises(Exception, match="does not exist"):
        client.chat.completions.create(model="nobody", messages=user(STORY), stream=True)


def test_two_choices_come_one_after_the_other(client: OpenAI) -> None:
    chunks = list(
        client.chat.completions.create(model=CHAT, messages=user(STORY), stream=True, n=2)
    )
    indexes = [chunk.choices[0].index for chunk in chunks]
    assert set(indexes) == {0, 1}
    assert indexes == sorted(indexes)

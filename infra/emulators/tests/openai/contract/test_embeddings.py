"""Embeddings: real vectors, the service's limits, both encodings."""

import base64
import struct

import httpx
import numpy as np
import openai
import pytest
from openai import AsyncOpenAI, OpenAI

from infra.emulators.tests.openai.asking import CHAT, EMBEDDER

TEXTS = [
    "the ferry leaves the harbour at noon",
    "船中午离开港口",
    "my cat sleeps on the printer",
]


def vectors(client: OpenAI, texts: list[str]) -> np.ndarray:
    answer = client.embeddings.create(model=EMBEDDER, input=texts)
    assert [one.index for one in answer.data] == list(range(len(texts)))
    return np.array([one.embedding for one in answer.data], dtype=np.float32)


def refusal(client: OpenAI, **changes: object) -> openai.APIStatusError:
    with pytest.raises(openai.APIStatusError) as refused:
        client.post(
            "/embeddings",
            body={"model": EMBEDDER, "input": "hello", **changes},
            cast_to=httpx.Response,
        )
    return refused.value


def test_a_text_becomes_a_unit_vector_of_512_numbers(client: OpenAI) -> None:
    found = vectors(client, TEXTS[:1])
    assert found.shape == (1, 512)
    assert np.linalg.norm(found[0]) == pytest.approx(1, abs=1e-5)


def test_what_means_the_same_is_near_in_both_languages(client: OpenAI) -> None:
    ferry, boat, cat = vectors(client, TEXTS)
    assert ferry @ boat > 0.5 > ferry @ cat


async def test_an_async_client_gets_the_same_vectors(
    client: OpenAI, async_client: AsyncOpenAI
) -> None:
    answer = await async_client.embeddings.create(model=EMBEDDER, input=TEXTS)
    found = np.array([one.embedding for one in answer.data], dtype=np.float32)
    assert np.array_equal(found, vectors(client, TEXTS))


def test_a_string_and_a_list_of_it_are_the_same_request(client: OpenAI) -> None:
    alone = client.embeddings.create(model=EMBEDDER, input=TEXTS[0])
    listed = client.embeddings.create(model=EMBEDDER, input=TEXTS[:1])
    assert alone.data[0].embedding == listed.data[0].embedding
    assert alone.usage == listed.usage


def test_base64_is_little_endian_float32_of_the_same_numbers(base_url: str) -> None:
    def raw(encoding: str) -> object:
        answer = httpx.post(
            f"{base_url}/embeddings",
            json={"model": EMBEDDER, "input": TEXTS[1], "encoding_format": encoding},
            headers={"Authorization": "Bearer k"},
        )
        return answer.json()["data"][0]["embedding"]

    packed, numbers = raw("base64"), raw("float")
    assert isinstance(packed, str)
    assert isinstance(numbers, list)
    assert list(struct.unpack("<512f", base64.b64decode(packed))) == numbers


def test_the_sdk_reads_floats_when_it_asks_for_them(client: OpenAI) -> None:
    answer = client.embeddings.create(model=EMBEDDER, input=TEXTS[0], encoding_format="float")
    assert answer.data[0].embedding == vectors(client, TEXTS[:1])[0].astype(float).tolist()


def test_usage_counts_the_tokens_of_all_texts(client: OpenAI) -> None:
    each = [
        client.embeddings.create(model=EMBEDDER, input=text).usage.prompt_tokens for text in TEXTS
    ]
    together = client.embeddings.create(model=EMBEDDER, input=TEXTS).usage
    assert all(tokens > 3 for tokens in each)
    assert (together.prompt_tokens, together.total_tokens) == (sum(each), sum(each))


def test_2048_texts_are_answered_in_their_order(client: OpenAI) -> None:
    texts = [f"n{number}" for number in range(2048)]
    found = vectors(client, texts)
    assert len(found) == 2048
    for place in (0, 15, 16, 1000, 2047):
        assert np.array_equal(found[place], vectors(client, [texts[place]])[0])


def test_one_text_more_is_refused(client: OpenAI) -> None:
    error = refusal(client, input=["a"] * 2049)
    assert (error.status_code, error.code) == (400, "array_above_max_length")


def test_a_text_of_more_than_8192_tokens_is_refused(client: OpenAI) -> None:
    error = refusal(client, input=["short", "word " * 9000])
    assert error.status_code == 400
    assert "input[1]" in error.message
    assert "maximum context length is 8192 tokens" in error.message


def test_a_long_text_within_the_limit_is_encoded(client: OpenAI) -> None:
    answer = client.embeddings.create(model=EMBEDDER, input="word " * 4000)
    assert 3000 < answer.usage.prompt_tokens <= 8192


def test_more_than_300000_tokens_in_one_call_are_refused(client: OpenAI) -> None:
    error = refusal(client, input=["one two three four five " * 400] * 180)
    assert (error.status_code, error.code) == (400, "max_tokens_per_request")
    assert "max 300000 tokens per request" in error.message


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("", "empty string"),
        (["ok", ""], "input[1]"),
        ([], "empty array"),
        (None, "Missing required parameter"),
        ([1, 2, 3], "token arrays are not accepted"),
        ([[1, 2], [3]], "token arrays are not accepted"),
        (["ok", 3], "input[1]"),
        (7, "expected a string"),
        ({"text": "x"}, "expected a string"),
    ],
)
def test_an_input_that_is_no_text_is_refused_with_the_reason(
    client: OpenAI, given: object, says: str
) -> None:
    error = refusal(client, input=given)
    assert error.status_code == 400
    assert says in error.message


def test_other_dimensions_are_refused(client: OpenAI) -> None:
    with pytest.raises(openai.BadRequestError, match="dimensions"):
        client.embeddings.create(model=EMBEDDER, input="hello", dimensions=256)
    answer = client.embeddings.create(model=EMBEDDER, input="hello", dimensions=512)
    assert len(answer.data[0].embedding) == 512


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"model": "text-embedding-3-small"}, 404, "model_not_found"),
        ({"model": CHAT}, 403, None),
        ({"model": ""}, 400, None),
        ({"encoding_format": "hex"}, 400, "invalid_value"),
        ({"inputs": "hello"}, 400, "unknown_parameter"),
    ],
)
def test_what_the_service_refuses_is_refused(
    client: OpenAI, changes: dict[str, object], status: int, code: str | None
) -> None:
    error = refusal(client, **changes)
    assert (error.status_code, error.code) == (status, code)


def test_a_text_of_nothing_but_spaces_has_a_vector_too(client: OpenAI) -> None:
    assert vectors(client, [" ", "\n"]).shape == (2, 512)

"""The models there are, who may ask, and what is not there."""

import socket
from pathlib import Path

import httpx
import openai
import pytest
from openai import AsyncOpenAI, OpenAI

from infra.emulators.testing import Emulators
from infra.emulators.tests.openai.asking import CHAT, EMBEDDER, user
from infra.emulators.tests.openai.control import Control


def test_two_models_are_listed(client: OpenAI) -> None:
    assert [model.id for model in client.models.list()] == [EMBEDDER, CHAT]


async def test_two_models_are_listed_to_an_async_client(async_client: AsyncOpenAI) -> None:
    assert [model.id async for model in async_client.models.list()] == [EMBEDDER, CHAT]


def test_the_chat_model_says_that_it_is_not_a_language_model(client: OpenAI) -> None:
    model = client.models.retrieve(CHAT)
    assert (model.object, model.id) == ("model", CHAT)
    described = (model.model_extra or {})["description"]
    assert described.startswith("A stand-in, not a language model")


def test_a_model_that_is_not_listed_cannot_be_retrieved(client: OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as refused:
        client.models.retrieve("gpt-4o")
    assert refused.value.code == "model_not_found"


@pytest.mark.parametrize("header", [None, "Bearer", "Basic abc", "k"])
def test_without_a_key_nothing_is_answered(base_url: str, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    answer = httpx.get(f"{base_url}/models", headers=headers)
    assert answer.status_code == 401
    assert answer.json()["error"]["type"] == "invalid_request_error"


def test_any_key_will_do(base_url: str) -> None:
    for key in ("sk-1", "nonsense"):
        with OpenAI(base_url=base_url, api_key=key, max_retries=0) as client:
            assert client.models.retrieve(EMBEDDER).id == EMBEDDER


@pytest.mark.parametrize("path", ["/completions", "/responses", "/files", "/embeddings/more"])
def test_what_is_not_served_is_an_honest_404(base_url: str, path: str) -> None:
    answer = httpx.post(f"{base_url}{path}", json={}, headers={"Authorization": "Bearer k"})
    assert answer.status_code == 404
    error = answer.json()["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert f"POST /v1{path}" in error["message"]


def test_the_sdk_reads_a_missing_endpoint_as_not_found(client: OpenAI) -> None:
    with pytest.raises(openai.NotFoundError):
        client.responses.create(model=CHAT, input="hello")


def test_another_method_is_not_allowed(base_url: str) -> None:
    answer = httpx.get(f"{base_url}/embeddings", headers={"Authorization": "Bearer k"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_supported")


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b""])
@pytest.mark.parametrize("path", ["/embeddings", "/chat/completions"])
def test_a_body_that_is_no_json_object_is_refused(base_url: str, path: str, body: bytes) -> None:
    answer = httpx.post(f"{base_url}{path}", content=body, headers={"Authorization": "Bearer k"})
    assert answer.status_code == 400
    assert answer.json()["error"]["type"] == "invalid_request_error"


def test_every_answer_has_its_request_id(client: OpenAI) -> None:
    first = client.chat.completions.create(model=CHAT, messages=user("hello"))
    second = client.chat.completions.create(model=CHAT, messages=user("hello"))
    assert (first._request_id or "").startswith("req_")
    assert first._request_id != second._request_id


def test_a_taken_port_is_refused_in_words(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        starting = Emulators(["openai"], tmp_path, "--openai-port", port)
        with pytest.raises(AssertionError, match="ended with 1 before they were ready"):
            starting.start()


def test_it_ends_cleanly_and_keeps_nothing(tmp_path: Path, control: Control) -> None:
    running = Emulators(["openai"], tmp_path).start()
    with OpenAI(base_url=running.told["OPENAI_BASE_URL"], api_key="k") as client:
        client.embeddings.create(model=EMBEDDER, input="hello")
    assert running.stop() == 0
    kept = {path.name for path in (tmp_path / "openai").iterdir()}
    assert kept == {"lock"}

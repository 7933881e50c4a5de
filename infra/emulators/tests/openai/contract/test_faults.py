"""Trouble to order: late, refused, cut, malformed, wrong; for a share of calls, by a seed."""

import json
from typing import Any

import httpx
import openai
import pytest
from json_repair import repair_json
from openai import AsyncOpenAI, OpenAI
from openai.types.chat import ChatCompletionChunk

from infra.emulators.tests.openai.asking import CHAT, EMBEDDER, EVOLVE, answered, ask, said, user
from infra.emulators.tests.openai.control import Control

NOTE: dict[str, Any] = {
    "prompt": "note_rewrite",
    "action_summary": "Told Ida about the tide",
    "new_info": "",
    "time": "2026-03-20T10:00:00Z",
    "sender": {"user_id": "u-1", "user_name": "Ida"},
}


def evolve(client: OpenAI) -> str:
    return said(ask(client, "memory_evolve", EVOLVE))


def test_too_many_requests_say_when_to_come_back(client: OpenAI, control: Control) -> None:
    control.fault("rate_limit", retry_after_s=7)
    with pytest.raises(openai.RateLimitError) as refused:
        evolve(client)
    assert refused.value.response.headers["retry-after"] == "7"
    assert refused.value.code == "rate_limit_exceeded"


def test_the_sdk_waits_and_tries_again_by_itself(base_url: str, control: Control) -> None:
    control.fault("rate_limit", retry_after_s=0.01, times=2)
    with OpenAI(base_url=base_url, api_key="k", max_retries=2) as client:
        assert json.loads(evolve(client))["lines"]
    assert control.counts()["endpoints"]["chat"] == {
        **control.counts()["endpoints"]["chat"],
        "calls": 3,
        "errors": 2,
    }


def test_a_server_error_is_one_to_the_sdk(client: OpenAI, control: Control) -> None:
    control.fault("server_error")
    with pytest.raises(openai.InternalServerError):
        evolve(client)


def test_a_late_answer_runs_into_the_clients_timeout(base_url: str, control: Control) -> None:
    control.fault("latency", latency_ms=60_000, times=1)
    hasty = OpenAI(base_url=base_url, api_key="k", max_retries=0, timeout=0.05)
    with hasty, pytest.raises(openai.APITimeoutError):
        evolve(hasty)
    with OpenAI(base_url=base_url, api_key="k", max_retries=0) as patient:
        assert evolve(patient)


def test_a_body_cut_off_is_a_connection_error(client: OpenAI, control: Control) -> None:
    control.fault("cut_body", times=1)
    with pytest.raises(openai.APIConnectionError):
        evolve(client)
    assert evolve(client)


def test_embeddings_and_models_are_cut_too(client: OpenAI, control: Control) -> None:
    control.fault("cut_body")
    with pytest.raises(openai.APIConnectionError):
        client.embeddings.create(model=EMBEDDER, input="hello")
    with pytest.raises(openai.APIConnectionError):
        client.models.list()


def test_a_stream_cut_off_breaks_in_the_middle(client: OpenAI, control: Control) -> None:
    control.fault("cut_stream")
    heard: list[ChatCompletionChunk] = []
    stream = client.chat.completions.create(model=CHAT, messages=user(EVOLVE), stream=True)
    with pytest.raises((httpx.RemoteProtocolError, openai.APIConnectionError)):
        heard.extend(stream)
    assert heard, "something came before the break"
    assert all(chunk.choices[0].finish_reason is None for chunk in heard)


async def test_a_stream_cut_off_breaks_for_an_async_client(
    async_client: AsyncOpenAI, control: Control
) -> None:
    control.fault("cut_stream")
    stream = await async_client.chat.completions.create(
        model=CHAT, messages=user(EVOLVE), stream=True
    )
    with pytest.raises((httpx.RemoteProtocolError, openai.APIConnectionError)):
        async for _ in stream:
            pass


def test_quotes_are_missing_around_keys_and_single_words(client: OpenAI, control: Control) -> None:
    control.fault("missing_quotes")
    spoilt = evolve(client)
    with pytest.raises(json.JSONDecodeError):
        json.loads(spoilt)
    assert "{action: update, old_id: mem-1," in spoilt
    assert 'statement: "Members play chess every Sunday"' in spoilt


@pytest.mark.parametrize("kind", ["trailing_comma", "single_quotes"])
def test_malformed_json_is_no_json_but_can_be_repaired(
    client: OpenAI, control: Control, kind: str
) -> None:
    right = json.loads(evolve(client))
    control.fault(kind)
    spoilt = evolve(client)
    with pytest.raises(json.JSONDecodeError):
        json.loads(spoilt)
    assert json.loads(repair_json(spoilt)) == right


def test_a_fence_stands_around_the_right_answer(client: OpenAI, control: Control) -> None:
    right = evolve(client)
    control.fault("markdown_fence")
    assert evolve(client) == f"```json\n{right}\n```"


def test_nonsense_is_no_json_at_all(client: OpenAI, control: Control) -> None:
    control.fault("nonsense")
    assert evolve(client) == "This is not JSON."


def test_lines_and_arrays_hold_the_same_items(client: OpenAI, control: Control) -> None:
    right = json.loads(evolve(client))["lines"]
    fault = control.fault("json_lines")
    assert [json.loads(line) for line in evolve(client).splitlines()] == right
    control.remove(fault["id"])
    control.fault("bare_array")
    assert json.loads(evolve(client)) == right


def test_each_line_of_json_lines_is_spoilt(client: OpenAI, control: Control) -> None:
    control.fault("json_lines")
    control.fault("trailing_comma")
    lines = evolve(client).splitlines()
    assert len(lines) == 2
    assert all(line.endswith(",}") for line in lines)


def test_wrong_ids_name_records_that_do_not_exist(client: OpenAI, control: Control) -> None:
    control.fault("wrong_ids")
    update = answered(ask(client, "memory_evolve", EVOLVE))["lines"][0]
    assert update["action"] == "update"
    assert update["old_id"] == "no-such-mem-1"
    assert update["sources"] == ["no-such-m-1"]


def test_another_language_keeps_ids_and_actions(client: OpenAI, control: Control) -> None:
    control.fault("other_language")
    update = answered(ask(client, "memory_evolve", EVOLVE))["lines"][0]
    assert (update["action"], update["old_id"]) == ("update", "mem-1")
    assert any("\u4e00" <= letter <= "\u9fff" for letter in update["statement"])


def test_schemas_are_refused_and_other_formats_are_not(client: OpenAI, control: Control) -> None:
    control.fault("refuse_schema")
    with pytest.raises(openai.BadRequestError, match="'json_schema' is not supported") as refused:
        evolve(client)
    assert refused.value.param == "response_format"
    plain = client.chat.completions.create(
        model=CHAT,
        messages=user({**EVOLVE, "form": "json"}),
        response_format={"type": "json_object"},
    )
    assert answered(plain)["lines"]


def test_one_poison_text_is_refused_wherever_it_stands(client: OpenAI, control: Control) -> None:
    control.fault("poison", text="poison")
    assert client.embeddings.create(model=EMBEDDER, input=["tea", "soup"]).data
    with pytest.raises(openai.BadRequestError, match=r"input\[1\]"):
        client.embeddings.create(model=EMBEDDER, input=["tea", "a poison", "soup"])


def test_a_fault_of_one_prompt_leaves_the_others_alone(client: OpenAI, control: Control) -> None:
    control.fault("server_error", prompt="note_rewrite")
    assert evolve(client)
    with pytest.raises(openai.InternalServerError):
        ask(client, "note_rewrite", NOTE)


def test_a_fault_of_one_endpoint_leaves_the_others_alone(client: OpenAI, control: Control) -> None:
    control.fault("server_error", endpoint="embeddings")
    assert evolve(client)
    with pytest.raises(openai.InternalServerError):
        client.embeddings.create(model=EMBEDDER, input="hello")


def test_a_fault_ends_after_its_times(client: OpenAI, control: Control) -> None:
    control.fault("server_error", times=2)
    assert outcomes(client, 4) == [False, False, True, True]


def outcomes(client: OpenAI, calls: int) -> list[bool]:
    """Which of so many calls were answered."""
    found = []
    for _ in range(calls):
        try:
            client.models.list()
            found.append(True)
        except openai.APIStatusError:
            found.append(False)
    return found


def test_a_share_hits_the_same_calls_whenever_its_seed_is_the_same(
    client: OpenAI, control: Control
) -> None:
    def under(seed: int) -> list[bool]:
        control.reset()
        control.fault("server_error", share=0.3, seed=seed)
        return outcomes(client, 40)

    first = under(1)
    assert first == under(1)
    assert first != under(2)
    assert 4 <= first.count(False) <= 20


def test_faults_add_up(client: OpenAI, control: Control) -> None:
    control.fault("wrong_ids")
    control.fault("markdown_fence")
    fenced = evolve(client)
    assert fenced.startswith("```json\n")
    assert "no-such-mem-1" in fenced


def test_faults_are_listed_with_what_they_hit_and_can_be_taken_away(
    client: OpenAI, control: Control
) -> None:
    fault = control.fault("server_error", endpoint="models")
    outcomes(client, 2)
    assert [(one["id"], one["kind"], one["hit"]) for one in control.faults()] == [
        (fault["id"], "server_error", 2)
    ]
    assert control.remove(fault["id"]) == 204
    assert control.remove(fault["id"]) == 404
    assert outcomes(client, 1) == [True]


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({}, "'kind' must be one of"),
        ({"kind": "earthquake"}, "'kind' must be one of"),
        ({"kind": "latency", "share": 2}, "'share'"),
        ({"kind": "latency", "latency_ms": "long"}, "'latency_ms'"),
        ({"kind": "latency", "endpoint": "files"}, "'endpoint'"),
        ({"kind": "latency", "delay": 3}, "no 'delay'"),
        ({"kind": "poison"}, "needs its 'text'"),
        ([], "JSON object"),
    ],
)
def test_a_fault_that_makes_no_sense_is_refused(control: Control, wish: object, says: str) -> None:
    assert says in control.refused_fault(wish)

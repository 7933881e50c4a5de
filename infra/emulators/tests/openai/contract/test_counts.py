"""What the admin endpoint counts: calls and tokens, by endpoint and by prompt."""

import openai
import pytest
from openai import OpenAI

from infra.emulators.tests.openai.asking import CHAT, EMBEDDER, EVOLVE, ask, user
from infra.emulators.tests.openai.control import Control


def test_nothing_is_counted_before_anything_is_asked(control: Control) -> None:
    assert control.counts() == {"endpoints": {}, "prompts": {}, "formats": {}, "faults": {}}


def test_chat_is_counted_by_prompt_with_its_tokens(client: OpenAI, control: Control) -> None:
    first = ask(client, "memory_evolve", EVOLVE)
    ask(client, "memory_evolve", EVOLVE)
    other = client.chat.completions.create(model=CHAT, messages=user("The tide is out."))
    counts = control.counts()
    assert first.usage is not None
    assert other.usage is not None
    assert counts["prompts"] == {
        "memory_evolve": {
            "calls": 2,
            "prompt_tokens": 2 * first.usage.prompt_tokens,
            "completion_tokens": 2 * first.usage.completion_tokens,
        },
        "other": {
            "calls": 1,
            "prompt_tokens": other.usage.prompt_tokens,
            "completion_tokens": other.usage.completion_tokens,
        },
    }
    assert counts["endpoints"]["chat"]["calls"] == 3
    assert counts["formats"] == {"json_schema": 2, "text": 1}


def test_embeddings_are_counted_by_call_text_and_token(client: OpenAI, control: Control) -> None:
    one = client.embeddings.create(model=EMBEDDER, input="tea")
    two = client.embeddings.create(model=EMBEDDER, input=["tea", "soup"])
    assert control.counts()["endpoints"]["embeddings"] == {
        "calls": 2,
        "texts": 3,
        "prompt_tokens": one.usage.prompt_tokens + two.usage.prompt_tokens,
    }


def test_refused_calls_count_as_errors_and_cost_nothing(client: OpenAI, control: Control) -> None:
    control.fault("server_error", prompt="memory_evolve")
    with pytest.raises(openai.InternalServerError):
        ask(client, "memory_evolve", EVOLVE)
    with pytest.raises(openai.BadRequestError):
        client.embeddings.create(model=EMBEDDER, input="")
    counts = control.counts()
    assert counts["prompts"] == {"memory_evolve": {"calls": 1, "errors": 1}}
    assert counts["endpoints"]["embeddings"] == {"calls": 1, "errors": 1}
    assert counts["faults"] == {"server_error": 1}


def test_counts_can_be_forgotten_while_faults_stay(client: OpenAI, control: Control) -> None:
    control.fault("latency", latency_ms=1)
    client.models.list()
    control.forget_counts()
    assert control.counts()["endpoints"] == {}
    assert [fault["kind"] for fault in control.faults()] == ["latency"]

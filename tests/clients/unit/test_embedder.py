"""Embedding with services that refuse, differ and break: who gets a vector, and what it costs."""

import asyncio
import base64
import contextlib
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from shared.clients.call_retry import RetryPolicy
from shared.clients.embedder import MAX_CHARACTERS, MAX_INPUTS, MAX_TOKENS, Embedder
from shared.clients.openai_calls import RetryingCaller
from shared.domain.similarity.vectors import pack
from shared.errors import Misconfigured, Transient
from tests.clients.service import Service, Sleeps, Usage, breaks, page, refuses

Vectors = Callable[[dict[str, Any]], httpx2.Response]


def vector(text: str) -> list[float]:
    return [float(len(text)), float(ord(text[0])), 1.0]


def embeds(*, as_floats: bool = False, backwards: bool = False) -> Vectors:
    def answer(body: dict[str, Any]) -> httpx2.Response:
        rows: list[dict[str, Any]] = [
            {
                "object": "embedding",
                "index": index,
                "embedding": vector(text)
                if as_floats
                else base64.b64encode(pack(vector(text))).decode(),
            }
            for index, text in enumerate(body["input"])
        ]
        if backwards:
            rows.reverse()
        usage = {"prompt_tokens": len(rows) * 2, "total_tokens": len(rows) * 2}
        return httpx2.Response(200, json={"object": "list", "data": rows, "usage": usage})

    return answer


def embeds_without(poison: str) -> Vectors:
    def answer(body: dict[str, Any]) -> httpx2.Response:
        if any(poison in text for text in body["input"]):
            return httpx2.Response(400, json={"error": {"message": "Invalid 'input'"}})
        return embeds()(body)

    return answer


def embedder(service: Service, usage: Usage | None = None, **options: Any) -> Embedder:
    caller = RetryingCaller(
        policy=RetryPolicy(attempts=3, first_s=1.0), sleep=Sleeps(), chance=lambda: 1.0
    )
    return Embedder(
        service.client,
        usage or Usage(),
        **{"model": "m", "dimensions": 3, "caller": caller, **options},
    )


async def embed(one: Embedder, *texts: str) -> list[list[float] | None]:
    return await one.embed(texts, group_id="lark:oc_1", budget_s=30)


@pytest.mark.parametrize("how", [{}, {"as_floats": True}, {"backwards": True}])
async def test_vectors_come_in_the_order_of_the_texts_in_any_encoding(how: dict[str, bool]) -> None:
    service = Service(embeds(**how))
    assert await embed(embedder(service), "ab", "c", "def") == [
        vector("ab"),
        vector("c"),
        vector("def"),
    ]
    assert len(service.asked) == 1


async def test_long_texts_are_cut_and_blank_ones_cost_nothing() -> None:
    service = Service(embeds())
    found = await embed(embedder(service), "x" * 10_000, "  ", "", "a\ud83d")
    assert found == [vector("x" * MAX_CHARACTERS), None, None, vector("a?")]
    assert [len(text) for text in service.asked[0]["input"]] == [MAX_CHARACTERS, 2]


async def test_texts_asked_for_twice_are_paid_once() -> None:
    service, usage = Service(embeds()), Usage()
    one = embedder(service, usage)
    texts = [f"text {number}" for number in range(50)]
    first = await embed(one, *texts, *texts)
    assert first[:50] == first[50:]
    assert await embed(one, *texts) == first[:50]
    assert len(service.asked) == 1
    assert (one.counts.asked, one.counts.paid, one.counts.remembered) == (150, 50, 100)
    assert usage.recorded == [("lark:oc_1", "embedding", "m", 1, 100, 0)]


async def test_the_least_recently_used_is_forgotten_first() -> None:
    service = Service(embeds())
    one = embedder(service, kept=2)
    await embed(one, "a", "b")
    await embed(one, "a")
    await embed(one, "c")
    await embed(one, "a")
    assert len(service.asked) == 2
    await embed(one, "b")
    assert len(service.asked) == 3


async def test_the_same_text_asked_for_at_once_is_paid_once() -> None:
    service = Service(embeds())
    one = embedder(service)
    found = await asyncio.gather(*(embed(one, "a", "b") for _ in range(20)))
    assert found == [[vector("a"), vector("b")]] * 20
    assert len(service.asked) == 1
    assert (one.counts.paid, one.counts.shared) == (2, 38)


async def test_when_the_first_asker_is_cancelled_another_asks_in_their_place() -> None:
    service = Service(embeds())
    one = embedder(service)
    first = asyncio.create_task(embed(one, "a"))
    await asyncio.sleep(0)
    second = asyncio.create_task(embed(one, "a"))
    await asyncio.sleep(0)
    first.cancel()
    assert await second == [vector("a")]
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_who_waits_for_anothers_call_waits_no_longer_than_their_own_budget() -> None:
    may_answer = asyncio.Event()

    async def slow(body: dict[str, Any]) -> httpx2.Response:
        await may_answer.wait()
        return embeds()(body)

    service = Service(slow)
    one = embedder(service)
    first = asyncio.create_task(embed(one, "a"))
    await asyncio.sleep(0)
    with pytest.raises(Transient, match="timeout"):
        await one.embed(["a"], group_id="lark:oc_1", budget_s=0.01)
    may_answer.set()
    assert await first == [vector("a")]
    assert len(service.asked) == 1


async def test_large_requests_are_cut_into_the_services_portions() -> None:
    service = Service(embeds())
    texts = [f"t{number}" for number in range(MAX_INPUTS + 10)]
    found = await embed(embedder(service), *texts)
    assert [len(asked["input"]) for asked in service.asked] == [MAX_INPUTS, 10]
    assert None not in found
    service = Service(embeds())
    await embed(embedder(service), *(f"{number:03}" + "长" * 5_000 for number in range(100)))
    assert all(sum(map(len, asked["input"])) <= MAX_TOKENS for asked in service.asked)
    assert len(service.asked) > 15, "others get their turn in between"


async def test_between_the_requests_of_long_texts_others_get_their_turn() -> None:
    """One group's wall of text must not keep everybody's search waiting."""
    order: list[str] = []

    async def answering(body: dict[str, Any]) -> Any:
        order.append("short" if body["input"] == ["short"] else "long")
        await asyncio.sleep(0)
        return embeds()(body)

    one = embedder(Service(answering))
    long = asyncio.create_task(embed(one, *(f"{n:03}" + "长" * 5_900 for n in range(60))))
    while not order:
        await asyncio.sleep(0)
    await embed(one, "short")

    assert order.index("short") <= 3
    await long


async def test_what_is_too_much_for_a_slow_service_is_asked_for_in_smaller_portions() -> None:
    """Asked for in the same portions, a hundred long texts would be late at every attempt, and take
    the service's time from everybody else for good."""

    def slow(body: dict[str, Any]) -> httpx2.Response:
        if sum(map(len, body["input"])) > 9_000:
            raise httpx2.ReadTimeout("late")
        return embeds()(body)

    service = Service(slow)
    one = embedder(service)
    texts = [f"{number:03}" + "长" * 2_000 for number in range(40)]
    for _ in range(4):
        with contextlib.suppress(Transient):
            assert None not in await embed(one, *texts)
            break
    else:
        pytest.fail("it never came to an end")
    assert len({text for asked in service.asked for text in asked["input"]}) == 40


@pytest.mark.parametrize("place", [0, 7, 31])
async def test_one_poisonous_text_has_no_vector_and_the_others_do(place: int) -> None:
    service = Service(embeds_without("POISON"))
    texts = [f"text {number}" for number in range(32)]
    texts[place] += " POISON"
    one = embedder(service)
    found = await embed(one, *texts)
    assert [index for index, row in enumerate(found) if row is None] == [place]
    assert len(service.asked) <= 12
    calls = len(service.asked)
    assert await embed(one, texts[place]) == [None]
    assert len(service.asked) == calls, "a refusal is remembered too"


async def test_a_service_that_refuses_everything_poisons_no_text() -> None:
    one = embedder(Service(refuses(400, "no such encoding")))
    with pytest.raises(Misconfigured, match="MEMORY_EMBEDDING_MODEL"):
        await embed(one, "a", "b")
    one = embedder(Service(refuses(400), refuses(400), embeds()))
    with pytest.raises(Misconfigured):
        await embed(one, "a")
    assert await embed(one, "a") == [vector("a")]


async def test_a_service_that_knows_no_dimensions_is_not_sent_them_again() -> None:
    service = Service(refuses(400, "dimensions is not supported by this model"), embeds())
    one = embedder(service)
    assert await embed(one, "a") == [vector("a")]
    await embed(one, "b")
    assert ["dimensions" in asked for asked in service.asked] == [True, False, False]


async def test_vectors_of_another_length_are_an_operators_mistake() -> None:
    with pytest.raises(Misconfigured, match=r"MEMORY_EMBEDDING_DIMENSIONS is 4.*gives 3"):
        await embed(embedder(Service(embeds()), dimensions=4), "a")


@pytest.mark.parametrize("trouble", [refuses(429), refuses(500), breaks, page])
async def test_faults_are_tried_again_and_then_given_up(trouble: Any) -> None:
    service = Service(trouble, trouble, embeds())
    assert await embed(embedder(service), "a") == [vector("a")]
    service = Service(trouble)
    with pytest.raises(Transient):
        await embed(embedder(service), "a")
    assert len(service.asked) == 3


async def test_fewer_vectors_than_texts_are_not_taken() -> None:
    def short(body: dict[str, Any]) -> httpx2.Response:
        return embeds()({**body, "input": body["input"][:1]})

    with pytest.raises(Transient):
        await embed(embedder(Service(short)), "a", "b")


async def test_a_vector_that_cannot_be_decoded_is_not_taken() -> None:
    def garbled(body: dict[str, Any]) -> httpx2.Response:
        return httpx2.Response(200, json={"data": [{"index": 0, "embedding": "no base64!"}]})

    with pytest.raises(Transient):
        await embed(embedder(Service(garbled)), "a")


@pytest.mark.parametrize("failure", [Transient(), KeyError("shard")])
async def test_a_failing_cost_entry_never_fails_the_call(failure: Exception) -> None:
    assert await embed(embedder(Service(embeds()), Usage(failure)), "a") == [vector("a")]

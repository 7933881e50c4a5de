"""Large groups, loaded in bulk: the product's own documents, with seeded random vectors."""

import asyncio
import itertools
import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

import httpx
import numpy as np

from bench.context_chat import Labelled, noisy_messages
from shared.domain.ids import namespace
from shared.domain.messages.stored_message import MessageState
from shared.domain.similarity.vectors import pack_half
from shared.domain.tail import LINES, Tail, new_tail
from shared.stores.message_records import new_message
from shared.stores.tails import put_tail
from shared.stores.vectors import vector_id
from shared.wiring import Services
from tests.services import DIMENSIONS, INDEX

T = TypeVar("T")

COMMIT = 500
CHUNK = 5_000
UNDER_WAY = 2
"""Commits at once: the next is built while the emulator writes the last."""


async def load_group(
    told: dict[str, Any], made: Services, group: str, now: datetime, size: int, newest: int
) -> list[Labelled]:
    """Stores a chat of that size but for its last message; returns its `newest`, with the last."""
    dice = np.random.default_rng(size)
    kept: deque[Labelled] = deque(maxlen=max(newest, LINES + 10))
    told_vectors: deque[Any] = deque(maxlen=kept.maxlen)
    async with httpx.AsyncClient(trust_env=False, timeout=300) as client:
        for some in _chunks(noisy_messages(group, now, size), CHUNK):
            kept.extend(some)
            await store(made, [one for one in some if one.message.message_id != f"m{size - 1}"])
            numbers = dice.standard_normal((len(some), DIMENSIONS), dtype=np.float32)
            ids = [one.message.message_id for one in some]
            head = {
                "ids": [vector_id("message", one) for one in ids],
                "metadata": [{"kind": "message", "id": one, "version": 1} for one in ids],
            }
            answer = await client.post(
                f"{told['admin']['pinecone']}/load",
                params={"index": INDEX, "namespace": namespace(group)},
                content=json.dumps(head).encode() + b"\n" + numbers.tobytes(),
            )
            answer.raise_for_status()
            told_vectors.extend(numbers)
    await made.database.commit([put_tail(group, _tail(kept, told_vectors, made.embedder.model))])
    return list(kept)[-newest:]


def _tail(newest: Iterable[Labelled], vectors: Iterable[Any], model: str) -> Tail:
    """As attribution leaves it: the last lines that have a topic, with their vectors."""
    lines = [
        replace(one.message, vector=pack_half(vector), vector_model=model)
        for one, vector in zip(newest, vectors, strict=True)
        if one.message.state is not MessageState.PENDING
    ]
    return new_tail(0, lines, (), lines[0].create_time)


async def store(made: Services, chat: Sequence[Labelled]) -> None:
    under_way: set[asyncio.Task[Any]] = set()
    for some in _chunks(chat, COMMIT):
        if len(under_way) == UNDER_WAY:
            done, under_way = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.gather(*done)
        writes = [new_message(one.message) for one in some]
        under_way.add(asyncio.create_task(made.database.commit(writes)))
        await asyncio.sleep(0)
    await asyncio.gather(*under_way)


def _chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while some := list(itertools.islice(rest, size)):
        yield some

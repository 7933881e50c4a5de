"""Calls beside the caller's own thread or loop, with or without an end to waiting for them."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotDone
from typing import Any, TypeVar

Result = TypeVar("Result")


async def async_within(
    seconds: float, work: Callable[..., Awaitable[Result]], *arguments: Any
) -> Result:
    """Raises TimeoutError; the work is cancelled then."""
    return await asyncio.wait_for(work(*arguments), seconds)


async def async_apart(work: Callable[..., Result], *arguments: Any) -> Result:
    """Blocking work, off the event loop."""
    return await asyncio.to_thread(work, *arguments)


_THREADS = ThreadPoolExecutor(max_workers=8, thread_name_prefix="annals-context")
"""Eight late answers at once; a ninth question waits for one of them, inside its deadline."""


def within(seconds: float, work: Callable[..., Result], *arguments: Any) -> Result:
    """Raises TimeoutError; the work runs out by itself, and nobody sees its answer."""
    future = _THREADS.submit(work, *arguments)
    try:
        return future.result(timeout=seconds)
    except NotDone:
        future.cancel()
        raise TimeoutError from None


def apart(work: Callable[..., Result], *arguments: Any) -> Result:
    """Who has no event loop may wait."""
    return work(*arguments)

"""Work with an end to waiting for it, on the caller's own event loop or, for those who have none,
on one beside."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine
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


def within(
    seconds: float, work: Callable[..., Coroutine[Any, Any, Result]], *arguments: Any
) -> Result:
    """Raises TimeoutError; the work is cancelled then. A thread could not be: an answer that comes
    byte by byte would keep it, and the process with it, for as long as it pleases."""
    future = asyncio.run_coroutine_threadsafe(work(*arguments), _beside.loop())
    try:
        return future.result(timeout=seconds)
    except TimeoutError:
        future.cancel()
        raise


def apart(work: Callable[..., Result], *arguments: Any) -> Result:
    """Who has no event loop may wait."""
    return work(*arguments)


class _Beside:
    """One event loop for all clients of a process, in a thread that ends with it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    def loop(self) -> asyncio.AbstractEventLoop:
        """Threads do not outlive a fork: the child gets a loop of its own."""
        with self._lock:
            if self._loop is None or self._process != os.getpid():
                self._loop, self._process = asyncio.new_event_loop(), os.getpid()
                threading.Thread(
                    target=self._loop.run_forever, name="annals-context", daemon=True
                ).start()
            return self._loop


_beside = _Beside()

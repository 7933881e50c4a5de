"""No work after the last byte of an answer: the clouds throttle an instance from then on.

The last part of every answer is held back until the route has returned and every task that the
request started has ended; those that have not are cancelled and logged. Tasks are known to be the
request's by a context variable, which asyncio hands on from task to task: other requests' tasks,
the server's and an SDK's own never carry it.
"""

import asyncio
import contextlib
import contextvars
from collections.abc import Callable, Coroutine, Iterator
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared import log

GRACE_S = 1.0
"""How long cancelled tasks have to clean up before the answer goes out all the same."""

P = ParamSpec("P")
T = TypeVar("T")


class RequestTasks:
    """The tasks of one request."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Future[Any]] = set()

    def add(self, task: asyncio.Future[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def end(self) -> list[str]:
        """Cancel what is left; the names of what was cancelled. Tasks may start more meanwhile."""
        names: list[str] = []
        loop = asyncio.get_running_loop()
        until = loop.time() + GRACE_S
        while left := {task for task in self._tasks if not task.done()}:
            names += [name for name in map(_name, left) if name not in names]
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=max(0.0, until - loop.time()))
            if loop.time() >= until:
                break
        return sorted(names)


def _name(task: asyncio.Future[Any]) -> str:
    """The coroutine's name: of the task's own name nothing is known, it may say anything."""
    coroutine = task.get_coro() if isinstance(task, asyncio.Task) else None
    return str(getattr(coroutine, "__qualname__", type(task).__name__))


_work: ContextVar[RequestTasks | None] = ContextVar("annals_work", default=None)
_watchers: list[list[str]] = []


class _Factory:
    """A task factory that tells the request of its tasks, on top of the loop's own."""

    def __init__(self, inner: Callable[..., asyncio.Future[Any]] | None) -> None:
        self._inner = inner

    def __call__(
        self,
        loop: asyncio.AbstractEventLoop,
        coroutine: Coroutine[Any, Any, Any],
        **options: Any,
    ) -> asyncio.Future[Any]:
        if self._inner is None:
            task: asyncio.Future[Any] = asyncio.Task(coroutine, loop=loop, **options)
        else:
            task = self._inner(loop, coroutine, **options)
        context: contextvars.Context | None = options.get("context")
        work = _work.get() if context is None else context.get(_work)
        if work is not None:
            work.add(task)
        return task


def _install(loop: asyncio.AbstractEventLoop) -> None:
    present = loop.get_task_factory()
    if not isinstance(present, _Factory):
        loop.set_task_factory(_Factory(present))  # type: ignore[arg-type]  # typeshed knows no **options


@contextlib.contextmanager
def watched() -> Iterator[list[str]]:
    """The names of all tasks that are cancelled as leftovers meanwhile: a test wants none."""
    seen: list[str] = []
    _watchers.append(seen)
    try:
        yield seen
    finally:
        _watchers.remove(seen)


class LastByteLast:
    """Middleware: the answer's last part leaves when all work of the request has ended."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        _install(asyncio.get_running_loop())
        held: list[Message] = []

        async def hold(message: Message) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                held.append(message)
            else:
                await send(message)

        work = RequestTasks()
        token = _work.set(work)
        try:
            await self._app(scope, receive, hold)
        finally:
            # Before the last byte: with it the server may begin the connection's next request,
            # and that must not begin as a part of this one.
            try:
                self._report(await work.end())
            finally:
                _work.reset(token)
        for message in held:
            await send(message)

    @staticmethod
    def _report(names: list[str]) -> None:
        if names:
            log.error("leftover_cancelled", tasks=names)
            for seen in _watchers:
                seen.extend(names)

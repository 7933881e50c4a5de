"""Two pieces of work in one process, the second run whole at a chosen step of the first.

A step is a read or a write of the database, a call of the vector index or a question to a model:
between any two of them another process may come.
"""

from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from typing import Any

from shared.stores.firestore import collection, delete
from shared.wiring import Services

DATABASE = ("get_all", "find", "commit", "transact")


class Killed(BaseException):
    """The process ends here."""


async def killed_at() -> None:
    raise Killed


class Interleaving:
    """Counts the steps of some work, and runs `other` before the one that was chosen."""

    def __init__(self, at: int | None, other: Callable[[], Awaitable[None]]) -> None:
        self.steps = 0
        self._at = at
        self._other = other
        self._is_inside = False

    async def step(self) -> None:
        if self._is_inside:
            return
        self.steps += 1
        if self.steps == self._at:
            self._is_inside = True
            try:
                await self._other()
            finally:
                self._is_inside = False

    def over(self, target: Any, *names: str) -> "Stepped":
        return Stepped(target, names, self)


class Stepped:
    """As the target, but the named methods are steps."""

    def __init__(self, target: Any, names: tuple[str, ...], between: Interleaving) -> None:
        self._target, self._names, self._between = target, names, between

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        if name not in self._names:
            return found

        async def stepped(*args: Any, **kwargs: Any) -> Any:
            await self._between.step()
            return await found(*args, **kwargs)

        return stepped


@contextmanager
def stepped_stores(made: Services, between: Interleaving) -> Any:
    """Every store of the services that has been made, on a database and indexes whose calls are
    steps."""
    on_database = [
        one for one in vars(made).values() if getattr(one, "_database", None) is made.database
    ]
    on_index: list[Any] = [made.vectors, made.word_index]
    stepped, indexes = between.over(made.database, *DATABASE), [one._index for one in on_index]
    for store in on_database:
        store._database = stepped
    for store in on_index:
        store._index = _stepped_index(store._index, between)
    try:
        yield
    finally:
        for store in on_database:
            store._database = made.database
        for store, index in zip(on_index, indexes, strict=True):
            store._index = index


def _stepped_index(index: Any, between: Interleaving) -> Callable[[], Awaitable[Any]]:
    async def opened() -> Any:
        await between.step()
        return await index()

    return opened


async def freed(made: Services) -> None:
    """As when the leases of the dead have run out: that is judged by the database's own clock,
    which a test cannot turn."""
    found = await made.database.find(collection("leases"))
    await made.database.commit([delete(one.path) for one in found])

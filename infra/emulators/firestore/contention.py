"""Queues at documents that transactions have fought over, so that each of them gets its commit.

Transactions are optimistic, and the SDK gives up after five conflicts. So what a conflict was
about stays hot for some seconds, and while it is hot the transactions that read it wait for each
other, first come, first served. Nobody waits long: a holder that does not end loses its turn, and
two that wait for each other do not wait.
"""

import asyncio
import time
from collections import deque
from collections.abc import Hashable, Iterable

from .transactions import Transaction

HOT_SECONDS = 10.0
WAIT_SECONDS = 3.0
WRITE_WAIT_SECONDS = 0.25
_MANY = 10_000


class _Turn:
    def __init__(self) -> None:
        self.hot_until = 0.0
        self.holder: Transaction | None = None
        self.waiting: deque[tuple[Transaction, asyncio.Future[None]]] = deque()


class ContentionQueue:
    def __init__(self) -> None:
        self._turns: dict[Hashable, _Turn] = {}
        self._held: dict[bytes, list[_Turn]] = {}
        self._waits_for: dict[bytes, _Turn] = {}

    def heat(self, keys: Iterable[Hashable]) -> None:
        """A conflict was about these."""
        now = time.monotonic()
        if len(self._turns) > _MANY:
            self._cool(now)
        for key in keys:
            self._turns.setdefault(key, _Turn()).hot_until = now + HOT_SECONDS

    def _cool(self, now: float) -> None:
        for key in [key for key, turn in self._turns.items() if turn.hot_until < now]:
            if not self._turns[key].holder:
                del self._turns[key]

    def _hot(self, keys: Iterable[Hashable]) -> list[_Turn]:
        now = time.monotonic()
        found = (self._turns.get(key) for key in keys)
        return [turn for turn in found if turn is not None and turn.hot_until > now]

    async def take(self, transaction: Transaction, keys: Iterable[Hashable]) -> bool:
        """Hold these if they are hot, after those who came before; true if it had to wait."""
        if not self._turns:
            return False
        waited = False
        for turn in self._hot(keys):
            while turn.holder is not None and turn.holder is not transaction:
                if self._would_deadlock(transaction, turn.holder):
                    break
                waited = True
                if await self._wait(transaction, turn):
                    break
            if turn.holder is None:
                self._hold(transaction, turn)
        return waited

    async def _wait(self, transaction: Transaction, turn: _Turn) -> bool:
        """True once the turn is ours; the holder that kept us too long is passed over."""
        woken = asyncio.get_running_loop().create_future()
        entry = (transaction, woken)
        turn.waiting.append(entry)
        self._waits_for[transaction.id] = turn
        try:
            await asyncio.wait_for(woken, WAIT_SECONDS)
        except TimeoutError:
            turn.holder = None
            self._pass_on(turn)
            return False
        finally:
            self._waits_for.pop(transaction.id, None)
            if entry in turn.waiting:
                turn.waiting.remove(entry)
            elif turn.holder is transaction and not woken.done():
                self._pass_on(turn)
        return turn.holder is transaction

    def _would_deadlock(self, transaction: Transaction, holder: Transaction) -> bool:
        seen: set[bytes] = set()
        while holder.id not in seen:
            seen.add(holder.id)
            turn = self._waits_for.get(holder.id)
            if turn is None or turn.holder is None:
                return False
            if turn.holder is transaction:
                return True
            holder = turn.holder
        return True

    def _hold(self, transaction: Transaction, turn: _Turn) -> None:
        turn.holder = transaction
        self._held.setdefault(transaction.id, []).append(turn)

    def release(self, transaction: Transaction) -> None:
        """The transaction is over: the next in line goes on."""
        for turn in self._held.pop(transaction.id, ()):
            if turn.holder is transaction:
                turn.holder = None
                self._pass_on(turn)

    def _pass_on(self, turn: _Turn) -> None:
        while turn.waiting:
            following, woken = turn.waiting.popleft()
            if not woken.done():
                self._hold(following, turn)
                woken.set_result(None)
                return

    async def let_pass(self, keys: Iterable[Hashable]) -> None:
        """A write outside transactions gives whoever holds these a moment to commit."""
        if not self._turns:
            return
        deadline = time.monotonic() + WRITE_WAIT_SECONDS
        for turn in self._hot(keys):
            while turn.holder is not None and time.monotonic() < deadline:
                await asyncio.sleep(0.002)

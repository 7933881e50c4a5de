"""Open transactions: what each has read, and since when."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from .protobuf import Message
from .query import Query
from .refusal import invalid

IDLE_SECONDS = 60.0
TOTAL_SECONDS = 270.0


@dataclass
class Transaction:
    """It reads at one moment, that of its first read; a commit checks that nothing moved since."""

    id: bytes
    database: str
    read_only: bool
    read_time: int | None = None
    documents: set[tuple[bytes, bytes]] = field(default_factory=set)
    queries: list[tuple[Query, bytes]] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)
    used: float = field(default_factory=time.monotonic)

    def is_expired(self, now: float) -> bool:
        return now - self.used > IDLE_SECONDS or now - self.started > TOTAL_SECONDS


class Transactions:
    """`on_close` is told of every transaction that ends, however it ends."""

    def __init__(self, on_close: Callable[[Transaction], None]) -> None:
        self._on_close = on_close
        self._open: dict[bytes, Transaction] = {}
        self._closed: dict[bytes, bool] = {}
        self._next_expiry = 0.0
        self._numbers = count(time.time_ns())

    def begin(self, database: str, options: Message) -> Transaction:
        self._expire()
        which = options.WhichOneof("mode")
        if which == "read_write" and options.read_write.retry_transaction:
            self._check_retry(options.read_write.retry_transaction)
        number = b"\x11" + next(self._numbers).to_bytes(8, "little")
        made = Transaction(number, database, read_only=which == "read_only")
        self._open[made.id] = made
        return made

    def _check_retry(self, again: bytes) -> None:
        known = self._open.get(again)
        read_only = known.read_only if known else self._closed.get(again)
        if read_only is None:
            invalid("Invalid transaction.")
        if read_only:
            invalid("Cannot retry a read-only transaction.")

    def get(self, transaction_id: bytes, database: str) -> Transaction:
        found = self._open.get(transaction_id)
        if found is not None and found.is_expired(time.monotonic()):
            self.close(found)
            found = None
        if found is None or found.database != database:
            if transaction_id in self._closed:
                invalid("Transaction is invalid or closed.")
            invalid("Invalid transaction.")
        found.used = time.monotonic()
        return found

    def close(self, transaction: Transaction) -> None:
        if self._open.pop(transaction.id, None) is not None:
            self._on_close(transaction)
            self._closed[transaction.id] = transaction.read_only
            if len(self._closed) > 10_000:
                self._closed.pop(next(iter(self._closed)))

    def close_all(self) -> None:
        for one in list(self._open.values()):
            self.close(one)

    def rollback(self, transaction_id: bytes) -> None:
        """Rolling back what is over already is no mistake."""
        found = self._open.get(transaction_id)
        if found is not None:
            self.close(found)
        elif transaction_id not in self._closed:
            invalid("Invalid transaction.")

    def _expire(self) -> None:
        """Once a second: end those that are idle or open for too long."""
        now = time.monotonic()
        if now < self._next_expiry:
            return
        self._next_expiry = now + 1.0
        for one in list(self._open.values()):
            if one.is_expired(now):
                self.close(one)

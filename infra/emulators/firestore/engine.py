"""The database: reads at a moment, commits, transactions. Everything here runs in one thread."""

import sqlite3
from collections.abc import Callable, Hashable, Iterable
from hashlib import blake2b
from pathlib import Path

from .answer_documents import Hit
from .clock import Clock, request_time
from .commit_batch import CommitBatch
from .contention import ContentionQueue
from .deferred_indexing import DeferredIndexing, Late
from .extra_indexes import follow_rules
from .history import History, Past, Version
from .index_rules import Rules
from .names import DocumentName
from .protobuf import Message, field, micros, write_result
from .query import Query
from .refusal import Refused, aborted, failed_precondition, invalid
from .run_query import Reading
from .scans import Counters
from .storage import Storage
from .stored_collection import Stored
from .transactions import Transaction, Transactions
from .writes import Change, check_precondition, check_together, make

INDEX_SECONDS = 0.003
OLDEST_MICROS = 3_600_000_000
"""The service reads at times of the last hour; here the last minute is promised."""

CONTENTION = "Too much contention on these documents. Please try again."


class Moment:
    """When a request reads: its time, and the past to look at if that is not now."""

    def __init__(self, time: int, past: Past | None, transaction: Transaction | None) -> None:
        self.time = time
        self.past = past
        self.transaction = transaction


Later = Callable[[float, Callable[[], None]], object]
"""Calls a function after some seconds, as an event loop's `call_later` does."""


class Engine:
    """`later` lets the indexes follow commits in quiet moments; without it they follow reads."""

    def __init__(self, folder: Path, rules: Rules, later: Later | None = None) -> None:
        self.storage = Storage(folder, rules)
        self.counters = Counters()
        self._behind = DeferredIndexing(self.storage, self.counters)
        follow_rules(self.storage)
        self._later = later
        self._is_due = False
        self.clock = Clock(self.storage.last_time())
        self.history = History(self.storage.last_time())
        self.turns = ContentionQueue()
        self.transactions = Transactions(self.turns.release)
        self.commits = 0

    def reset(self) -> None:
        self.storage.erase()
        self._behind.forget()
        self.history = History(self.clock.read_time())
        self.transactions.close_all()
        self.counters.reset()
        self.commits += 1

    # ---- moments

    def begin(self, database: str, options: Message) -> Transaction:
        """A read-only transaction reads at the time asked for, or at the time it begins."""
        made = self.transactions.begin(database, options)
        if made.read_only:
            if options.read_only.HasField("read_time"):
                made.read_time = micros(options.read_only.read_time)
            self.moment(database, made, None)
        return made

    def moment(
        self, database: str, transaction: Transaction | None, read_time: int | None
    ) -> Moment:
        if transaction is not None:
            if transaction.read_time is None:
                transaction.read_time = self.clock.read_time()
                return Moment(transaction.read_time, None, transaction)
            read_time = transaction.read_time
        if read_time is None:
            return Moment(self.clock.read_time(), None, None)
        self._check_time(read_time, transaction)
        return Moment(read_time, self.history.past(database, read_time), transaction)

    def _check_time(self, read_time: int, transaction: Transaction | None) -> None:
        now = self.clock.read_time()
        if read_time > now:
            invalid("The requested 'read_time' cannot be in the future.")
        if read_time < max(self.history.horizon, now - OLDEST_MICROS):
            if transaction is not None and not transaction.read_only:
                aborted(CONTENTION)
            failed_precondition("The requested 'read_time' is too far in the past.")

    # ---- reads

    def get(self, name: DocumentName, moment: Moment) -> Stored | None:
        self.counters.documents_read += 1
        if moment.transaction is not None:
            moment.transaction.documents.add((name.collection, name.id))
        if moment.past is not None:
            version = moment.past.versions.get((name.collection, name.id))
            if version is not None:
                return version.stored
        return self.storage.get(*name)

    def reading(self, moment: Moment, connection: sqlite3.Connection | None = None) -> Reading:
        """A reader of what is indexed; on a second connection, of what was when that began."""
        if connection is None:
            self._behind.catch_up()
        return Reading(self.storage, connection or self.storage.main, self.counters, moment.past)

    # ---- writes

    def commit(
        self, changes: list[Change], transaction: Transaction | None
    ) -> tuple[list[bytes], int]:
        """All changes or none; returns each write's result and the commit's time."""
        if len(changes) > 1:
            check_together(changes)
        now = self.clock.commit_time()
        if transaction is not None:
            try:
                self._validate(transaction)
            finally:
                self.transactions.close(transaction)
        with self.storage.writing():
            unit = CommitBatch(self.storage, (change.name for change in changes), now)
            applied = [self._apply(unit, change, now) for change in changes]
            changed = unit.flush()
            late = self._behind.index_or_note(changed)
        self._done(now, changed, late)
        # Of a document written twice both results tell what became of it in the end.
        results = [
            write_result(unit.updated(change.name), transformed)
            for change, (_, transformed) in zip(changes, applied, strict=True)
        ]
        return results, now

    def batch_write(self, changes: list[Change]) -> list[tuple[bytes, Refused | None]]:
        """Each write for itself, all in one transaction of the file; order is not promised."""
        now = self.clock.commit_time()
        outcomes: list[tuple[bytes, Refused | None]] = []
        with self.storage.writing():
            unit = CommitBatch(self.storage, (change.name for change in changes), now)
            for change in changes:
                try:
                    outcomes.append((write_result(*self._apply(unit, change, now)), None))
                except Refused as refused:
                    outcomes.append((write_result(0), refused))
            changed = unit.flush()
            late = self._behind.index_or_note(changed)
        self._done(now, changed, late)
        return outcomes

    def _done(self, now: int, changed: list[Late], late: list[Late]) -> None:
        if not changed:
            return
        self.history.add(
            now,
            [
                Version(*one.name[:2], one.collection.name, one.name.id, one.before)
                for one in changed
            ],
        )
        self.commits += 1
        if late:
            self._behind.add(late)
            self._index_later()
        if self.commits % 64 == 0:
            self.storage.fold_if_long()

    def _index_later(self) -> None:
        if self._behind.is_long:
            self._behind.catch_up()
        elif self._later is not None and not self._is_due:
            self._is_due = True
            self._later(INDEX_SECONDS, self.catch_up)

    def catch_up(self) -> None:
        """Let the indexes follow what was committed."""
        self._is_due = False
        self._behind.catch_up()

    def checkpoint(self) -> bool:
        """Afterwards nothing that was deleted is left in the folder; false during a long read."""
        self._behind.catch_up()
        return self.storage.checkpoint()

    def _apply(self, unit: CommitBatch, change: Change, now: int) -> tuple[int, bytes]:
        """The document's update time then (0: it is gone), and the transforms' results."""
        name = change.name
        check_precondition(change, unit.updated(name), unit.updated_before(name))
        if change.document is None:
            unit.delete(name)
            self.counters.documents_deleted += 1
            return 0, b""
        stored = unit.document(name) if change.mask is not None else None
        document, results = make(change, stored, request_time(now))
        self.counters.documents_written += 1
        updated = unit.put(name, document)
        return updated, b"".join(field(b"\x12", one.SerializeToString()) for one in results)

    # ---- transactions

    def _validate(self, transaction: Transaction) -> None:
        """A conflict if anything the transaction read has changed since it read."""
        if transaction.read_time is None or transaction.read_only:
            return
        if transaction.read_time < self.history.horizon:
            aborted(CONTENTION)
        past = self.history.past(transaction.database, transaction.read_time)
        if past is None:
            return
        lost: list[Hashable] = [
            (transaction.database, *key) for key in transaction.documents if key in past.versions
        ]
        lost += [
            query_key(query)
            for query, seen in transaction.queries
            if past.changes(query) and self._fingerprint_now(query) != seen
        ]
        if lost:
            self.turns.heat(lost)
            aborted(CONTENTION)

    def _fingerprint_now(self, query: Query) -> bytes:
        self._behind.catch_up()
        hits = Reading(self.storage, self.storage.main, Counters()).hits(query)
        return fingerprint(hit for hit in hits if hit is not None)

    def refresh(self, transaction: Transaction) -> None:
        """Move the transaction's moment to now, if all it has read is still so."""
        if transaction.read_time is None or transaction.read_time < self.history.horizon:
            return
        past = self.history.past(transaction.database, transaction.read_time)
        if past is None or (
            transaction.documents.isdisjoint(past.versions)
            and not any(past.changes(query) for query, _ in transaction.queries)
        ):
            transaction.read_time = self.clock.read_time()

    def close(self) -> None:
        self._behind.catch_up()
        self.storage.close()


def query_key(query: Query) -> Hashable:
    """What transactions fight over when a query's answer changed."""
    return query.database, query.parent, query.collection, query.descendants


def fingerprint(hits: Iterable[Hit]) -> bytes:
    """Which documents a query gave, in which versions."""
    digest = blake2b(digest_size=16)
    for hit in hits:
        digest.update(hit.key)
        digest.update(hit.stored.updated.to_bytes(8, "big"))
    return digest.digest()

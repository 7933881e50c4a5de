"""The database: reads at a moment, commits, transactions. Everything here runs in one thread."""

import sqlite3
from collections.abc import Hashable, Iterable
from hashlib import blake2b
from pathlib import Path

from infra.emulators.firestore.clock import Clock
from infra.emulators.firestore.history import History, Past, Version
from infra.emulators.firestore.names import DocumentName, segment_text, split_key
from infra.emulators.firestore.query import Query
from infra.emulators.firestore.refusal import Refused, aborted, failed_precondition, invalid
from infra.emulators.firestore.rules import Rules
from infra.emulators.firestore.run import Hit, Reading
from infra.emulators.firestore.scans import Counters
from infra.emulators.firestore.storage import Storage, Stored
from infra.emulators.firestore.transactions import Transaction, Transactions
from infra.emulators.firestore.turns import Turns
from infra.emulators.firestore.wire import Message, field, micros, write_result
from infra.emulators.firestore.writes import Change, check_precondition, check_together, make

CONTENTION = "Too much contention on these documents. Please try again."


class Moment:
    """When a request reads: its time, and the past to look at if that is not now."""

    def __init__(self, time: int, past: Past | None, transaction: Transaction | None) -> None:
        self.time = time
        self.past = past
        self.transaction = transaction


class Engine:
    def __init__(self, folder: Path, rules: Rules) -> None:
        self.storage = Storage(folder, rules)
        self.clock = Clock(self.storage.last_time())
        self.history = History(self.clock.read_time())
        self.turns = Turns()
        self.transactions = Transactions(self.turns.release)
        self.counters = Counters()
        self.commits = 0

    def reset(self) -> None:
        self.storage.erase()
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
        if read_time > self.clock.read_time():
            invalid("The requested 'read_time' cannot be in the future.")
        if read_time < self.history.horizon:
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
        return Reading(self.storage, connection or self.storage.main, self.counters, moment.past)

    # ---- writes

    def commit(
        self, changes: list[Change], transaction: Transaction | None
    ) -> tuple[list[bytes], int]:
        """All changes or none; returns each write's result and the commit's time."""
        if len(changes) > 1:
            check_together(changes)
        now = self.clock.commit_time()
        replaced: list[Version] = []
        before: dict[DocumentName, int] = {}
        if transaction is not None:
            try:
                self._validate(transaction)
            finally:
                self.transactions.close(transaction)
        with self.storage.writing():
            applied = [self._apply(change, now, replaced, before) for change in changes]
            if replaced:
                self.storage.keep_time(now)
        if replaced:
            self._done(now, replaced)
        # Of a document written twice both results tell what became of it in the end.
        ends = {change.name: updated for change, (updated, _) in zip(changes, applied, strict=True)}
        results = [
            write_result(ends[change.name], transformed)
            for change, (_, transformed) in zip(changes, applied, strict=True)
        ]
        return results, now

    def batch_write(self, changes: list[Change]) -> list[tuple[bytes, Refused | None]]:
        """Each write for itself, all in one transaction of the file; order is not promised."""
        now = self.clock.commit_time()
        replaced: list[Version] = []
        outcomes: list[tuple[bytes, Refused | None]] = []
        with self.storage.writing():
            for change in changes:
                try:
                    outcomes.append((write_result(*self._apply(change, now, replaced, {})), None))
                except Refused as refused:
                    outcomes.append((write_result(0), refused))
            if replaced:
                self.storage.keep_time(now)
        if replaced:
            self._done(now, replaced)
        return outcomes

    def _done(self, now: int, replaced: list[Version]) -> None:
        self.history.add(now, replaced)
        self.commits += 1
        if self.commits % 64 == 0:
            self.storage.fold_if_long()

    def _apply(
        self,
        change: Change,
        now: int,
        replaced: list[Version],
        before: dict[DocumentName, int],
    ) -> tuple[int, bytes]:
        """The document's update time then (0: it is gone), and the transforms' results."""
        name = change.name
        storage = self.storage
        stored = storage.get(*name)
        updated = stored.updated if stored else 0
        check_precondition(change, updated, before.setdefault(name, updated))
        if change.document is None:
            if stored is not None:
                storage.delete(*name, stored)
                replaced.append(self._version(name, stored))
                self.counters.documents_deleted += 1
            return 0, b""
        base = None
        if stored is not None and change.mask is not None:
            base = stored.document()
            base.ClearField("create_time")
            base.ClearField("update_time")
        document, results = make(change, base, now)
        fields = document.SerializeToString(deterministic=True)
        updated = now
        if stored is not None and stored.body.startswith(fields) and _same(stored, fields):
            updated = stored.updated
        else:
            storage.put(*name, document, fields, stored, now)
            replaced.append(self._version(name, stored))
            self.counters.documents_written += 1
        return updated, b"".join(field(b"\x12", one.SerializeToString()) for one in results)

    @staticmethod
    def _version(name: DocumentName, stored: Stored | None) -> Version:
        collection = segment_text(split_key(name.collection)[-1]).decode()
        return Version(name.database, name.collection, collection, name.id, stored)

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
        self.storage.close()


def _same(stored: Stored, fields: bytes) -> bool:
    document = stored.document()
    document.ClearField("create_time")
    document.ClearField("update_time")
    return bool(document.SerializeToString(deterministic=True) == fields)


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

"""Index entries follow a commit a moment later; nobody sees the difference.

A large commit writes its documents and notes, in the same transaction, which of them the indexes do
not know yet; the answer goes out, then the entries are written. Whoever reads an index lets it
catch up first, and a process that was killed in between catches up when it starts again. A small
commit writes its entries itself: a second transaction would cost more than they do. But never past
one that waits: it could drop a collection, which that one still has to find.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .index_entries import Entry
from .names import DocumentName
from .protobuf import Document, Message
from .scans import Counters
from .storage import Storage
from .stored_collection import Collection, Stored

FEW = 8
MANY = 1000


class Late(NamedTuple):
    """A document whose entries stand for `before` and should stand for `document`.

    `before` is None where it has no entries, `document` where it is gone; `number` is its row now.
    """

    name: DocumentName
    collection: Collection
    before: Stored | None
    number: int
    document: Message | None


class DeferredIndexing:
    def __init__(self, storage: Storage, counters: Counters) -> None:
        self._storage = storage
        self._counters = counters
        self._late: dict[DocumentName, Late] = {}
        self._recover()

    def index_or_note(self, changes: list[Late]) -> list[Late]:
        """Inside the commit: index these now, or write down that it is to be done.

        Returns what is left to `add` once the commit is done.
        """
        if self._late or len(changes) > FEW:
            self._note(changes)
            return changes
        work = _Work()
        for one in changes:
            work.replace(one)
        work.write(self._storage, self._counters)
        return []

    def _note(self, changes: list[Late]) -> None:
        """New documents as one range: their numbers follow each other."""
        rows: list[tuple[int | None, int | None, int | None, bytes | None, bytes | None]] = []
        fresh = [one.number for one in changes if one.before is None]
        if fresh:
            rows.append((fresh[0], fresh[-1], None, None, None))
        rows += [
            (one.number, one.number, one.collection.number, one.name.id, one.before.body)
            for one in changes
            if one.before is not None
        ]
        self._storage.main.executemany("INSERT INTO behind VALUES (?, ?, ?, ?, ?)", rows)

    def add(self, changes: Iterable[Late]) -> None:
        """The commit is done: remember until the indexes have caught up."""
        for one in changes:
            known = self._late.get(one.name)
            self._late[one.name] = one._replace(before=known.before) if known else one

    @property
    def is_long(self) -> bool:
        return len(self._late) > MANY

    def catch_up(self) -> None:
        if not self._late:
            return
        work = _Work()
        for late in self._late.values():
            work.replace(late)
        with self._storage.writing():
            work.write(self._storage, self._counters)
            self._storage.main.execute("DELETE FROM behind")
        self._late.clear()

    def forget(self) -> None:
        """Everything was erased."""
        self._late.clear()

    def _recover(self) -> None:
        """What another life of this process left: old entries go, those of today come."""
        main = self._storage.main
        rows = main.execute("SELECT * FROM behind").fetchall()
        if not rows:
            return
        work = _Work()
        for first, last, collection, document_id, old in rows:
            if old is not None:
                place = self._storage.collection_number(collection, main)
                work.old += place.entries(document_id, Document.FromString(old))
                work.emptied[collection] = place
            for number, owner, document_id, body in main.execute(
                "SELECT number, collection, id, body FROM documents WHERE number BETWEEN ? AND ?",
                (first, last),
            ):
                place = self._storage.collection_number(owner, main)
                entries = place.entries(document_id, Document.FromString(body))
                work.new += [(*entry, number) for entry in entries]
        with self._storage.writing():
            work.write(self._storage, self._counters)
            main.execute("DELETE FROM behind")


class _Work:
    """Entries to remove and to add, and collections that may have become empty."""

    def __init__(self) -> None:
        self.old: list[Entry] = []
        self.new: list[tuple[int, bytes, bytes, int]] = []
        self.emptied: dict[int, Collection] = {}

    def replace(self, late: Late) -> None:
        """Only the difference is written, unless the document has got another row."""
        gone: set[Entry] = set()
        if late.before is not None:
            gone = set(late.collection.entries(late.name.id, late.before.document()))
        if late.document is None:
            self.old += gone
            self.emptied[late.collection.number] = late.collection
            return
        entries = late.collection.entries(late.name.id, late.document)
        if late.before is not None and late.before.number == late.number:
            self.old += gone.difference(entries)
            entries = [entry for entry in entries if entry not in gone]
        else:
            self.old += gone
        self.new += [(*entry, late.number) for entry in entries]

    def write(self, storage: Storage, counters: Counters) -> None:
        """In order, so that neighbours are written together."""
        main = storage.main
        counters.index_entries_written += len(self.old) + len(self.new)
        if self.old:
            main.executemany(
                "DELETE FROM entries WHERE scope = ? AND value = ? AND id = ?", sorted(self.old)
            )
        if self.new:
            main.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)", sorted(self.new))
        for collection in self.emptied.values():
            storage.drop_if_empty(collection)

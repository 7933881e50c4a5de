"""The writes of one commit: gathered in memory, then written in few statements.

What a commit does to a document is worked out here write by write; the table sees only what
became of it in the end.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .deferred_indexing import Late
from .names import DocumentName
from .protobuf import Message, stored_body
from .storage import Storage
from .stored_collection import Collection, Stored

_CHUNKS = (256, 64, 16, 4, 1)
"""How many documents are looked up in one statement: few sizes, so that statements are reused."""


class _New(NamedTuple):
    """A document as it will be."""

    document: Message
    body: bytes
    created: int
    updated: int


class CommitBatch:
    """Use inside `storage.writing()`, and `flush` at the end."""

    def __init__(self, storage: Storage, names: Iterable[DocumentName], now: int) -> None:
        self._storage = storage
        self._now = now
        self._before: dict[DocumentName, Stored | None] = {}
        self._after: dict[DocumentName, _New | None] = {}
        self._look_up(list(dict.fromkeys(names)))

    def _look_up(self, names: list[DocumentName]) -> None:
        if len(names) == 1:
            self._before[names[0]] = self._storage.get(*names[0])
            return
        self._before = dict.fromkeys(names)
        by_collection: dict[tuple[str, bytes], list[bytes]] = {}
        for name in names:
            by_collection.setdefault((name.database, name.collection), []).append(name.id)
        for (database, path), ids in by_collection.items():
            collection = self._storage.collection(database, path)
            if collection is None:
                continue
            for document_id, stored in self._rows(collection, ids):
                self._before[DocumentName(database, path, document_id)] = stored

    def _rows(self, collection: Collection, ids: list[bytes]) -> Iterable[tuple[bytes, Stored]]:
        at = 0
        while at < len(ids):
            size = next(size for size in _CHUNKS if size <= len(ids) - at)
            places = ", ".join("?" * size)
            for document_id, *rest in self._storage.main.execute(
                "SELECT id, number, body, created, updated FROM documents"  # noqa: S608
                f" WHERE collection = ? AND id IN ({places})",
                (collection.number, *ids[at : at + size]),
            ):
                yield document_id, Stored._make(rest)
            at += size

    # ---- one write after another

    def updated(self, name: DocumentName) -> int:
        """The document's update time after the writes so far; 0 where there is none."""
        if name in self._after:
            after = self._after[name]
            return after.updated if after else 0
        return self.updated_before(name)

    def updated_before(self, name: DocumentName) -> int:
        before = self._before[name]
        return before.updated if before else 0

    def document(self, name: DocumentName) -> Message | None:
        """A copy of the document to change."""
        if name in self._after:
            after = self._after[name]
            if after is None:
                return None
            copy = type(after.document)()
            copy.CopyFrom(after.document)
            return copy
        before = self._before[name]
        if before is None:
            return None
        document = before.document()
        document.ClearField("create_time")
        document.ClearField("update_time")
        return document

    def put(self, name: DocumentName, document: Message) -> int:
        """Returns the update time: the earlier one if nothing changes."""
        fields = document.SerializeToString(deterministic=True)
        before = self._after[name] if name in self._after else self._before[name]
        created = before.created if before else self._now
        if before is not None and before.body == stored_body(fields, created, before.updated):
            return before.updated
        body = stored_body(fields, created, self._now)
        self._after[name] = _New(document, body, created, self._now)
        return self._now

    def delete(self, name: DocumentName) -> None:
        self._after[name] = None

    # ---- the end

    def flush(self) -> list[Late]:
        """Write what became of the documents; returns what the indexes have to follow."""
        changes: list[Late] = []
        inserts: list[tuple[int, int, bytes, int, int, bytes]] = []
        storage = self._storage
        for name, after in self._after.items():
            before = self._before[name]
            if before is None and after is None:
                continue
            collection = storage.collection(name.database, name.collection)
            if collection is None:
                collection = storage.make_collection(name.database, name.collection)
            if before is None:
                assert after is not None
                number = storage.next_number()
                inserts.append((number, collection.number, name.id, *after[2:], after.body))
            else:
                number = before.number
                self._replace(number, after)
            document = after.document if after else None
            changes.append(Late(name, collection, before, number, document))
        if inserts:
            storage.main.executemany("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)", inserts)
        if changes:
            storage.keep_time(self._now)
        return changes

    def _replace(self, number: int, after: _New | None) -> None:
        main = self._storage.main
        if after is None:
            main.execute("DELETE FROM documents WHERE number = ?", (number,))
        else:
            main.execute(
                "UPDATE documents SET created = ?, updated = ?, body = ? WHERE number = ?",
                (after.created, after.updated, after.body, number),
            )

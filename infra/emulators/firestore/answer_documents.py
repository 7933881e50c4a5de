"""Documents of an answer, read only when they are looked at.

Skipping an offset, or counting, costs index rows and no documents.
"""

import sqlite3
from collections.abc import Generator

from .protobuf import Document, Message
from .scans import Counters
from .storage import Storage
from .stored_collection import Collection, Stored


class Reader:
    """Reads from one connection, and counts what it reads."""

    def __init__(
        self, storage: Storage, connection: sqlite3.Connection, counters: Counters
    ) -> None:
        self.storage = storage
        self.connection = connection
        self.counters = counters

    def load(self, number: int) -> tuple[Collection, bytes, Stored]:
        self.counters.documents_read += 1
        collection, document_id, *rest = self.connection.execute(
            "SELECT collection, id, number, body, created, updated FROM documents WHERE number = ?",
            (number,),
        ).fetchone()
        place = self.storage.collection_number(collection, self.connection)
        return place, document_id, Stored._make(rest)


class Hit:
    """A document of the answer."""

    __slots__ = ("_collection", "_id", "_message", "_reader", "_stored", "number")

    def __init__(self, reader: "Reader", number: int) -> None:
        self._reader = reader
        self.number = number
        self._collection: Collection | None = None
        self._id = b""
        self._stored: Stored | None = None
        self._message: Message | None = None

    @classmethod
    def old(
        cls, reader: "Reader", collection: Collection, document_id: bytes, stored: Stored
    ) -> "Hit":
        hit = cls(reader, -1)
        hit._collection, hit._id, hit._stored = collection, document_id, stored
        return hit

    @property
    def stored(self) -> Stored:
        if self._stored is None:
            self._collection, self._id, self._stored = self._reader.load(self.number)
        return self._stored

    @property
    def collection(self) -> Collection:
        _ = self.stored
        assert self._collection is not None
        return self._collection

    @property
    def key(self) -> bytes:
        return self.collection.path + self._id

    @property
    def name(self) -> bytes:
        return self.collection.document_name(self._id)

    @property
    def message(self) -> Message:
        if self._message is None:
            self._message = Document.FromString(self.stored.body)
        return self._message


Hits = Generator[Hit | None, None, None]
"""Documents in an answer's order. None is a pause: a long scan lets others in."""

"""Documents and their index entries in one SQLite file.

One connection writes; a commit is one SQLite transaction, so a killed process leaves whole commits
only. Deleted content is overwritten (`secure_delete`), and once the log is folded back into the
file nothing of it is left in the folder.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from infra.emulators.firestore.composites import Column, Composite
from infra.emulators.firestore.entries import (
    ASCENDING,
    CONTAINS,
    CUT,
    Entry,
    Indexed,
    Scopes,
    composite_values,
)
from infra.emulators.firestore.names import path_text, segment_text, split_key
from infra.emulators.firestore.rules import Rules
from infra.emulators.firestore.scrub import logged_pages, scrub
from infra.emulators.firestore.values import descending
from infra.emulators.firestore.wire import Document, Message, stored_body

_SCHEMA = """
CREATE TABLE IF NOT EXISTS collections (
    number INTEGER PRIMARY KEY AUTOINCREMENT, database TEXT NOT NULL, path BLOB NOT NULL,
    name TEXT NOT NULL, UNIQUE (database, path));
CREATE INDEX IF NOT EXISTS collections_by_name ON collections (database, name);
CREATE TABLE IF NOT EXISTS documents (
    number INTEGER PRIMARY KEY, collection INTEGER NOT NULL, id BLOB NOT NULL,
    created INTEGER NOT NULL, updated INTEGER NOT NULL, body BLOB NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS documents_by_id ON documents (collection, id);
CREATE TABLE IF NOT EXISTS entries (
    scope INTEGER NOT NULL, value BLOB NOT NULL, id BLOB NOT NULL, document INTEGER NOT NULL,
    PRIMARY KEY (scope, value, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS built (
    database TEXT NOT NULL, collection TEXT NOT NULL, kind TEXT NOT NULL, what TEXT NOT NULL,
    PRIMARY KEY (database, collection, kind, what)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS clock (last INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS rules (fingerprint TEXT NOT NULL);
"""
_VERSION = 1
_MAX_COLLECTIONS = 20_000
COMPOSITE = "composite"
NAMES = "names"
FILE = "firestore.sqlite3"
MAX_LOG_BYTES = 32 << 20


class Stored(NamedTuple):
    """A document as it lies in the table."""

    number: int
    body: bytes
    created: int
    updated: int

    def document(self) -> Message:
        """Decoded; its times are decoded with it and cleared by whoever writes it back."""
        return Document.FromString(self.body)


class Built:
    """Indexes kept for a collection id beyond the automatic ones: made when first asked for."""

    def __init__(self, database: str, collection: str) -> None:
        self.collection = collection
        self.scopes = Scopes(f"{database}\0{collection}")
        self.names = False
        self.ascending: set[str] = set()
        self.contains: set[str] = set()
        self.composites: dict[str, Composite] = {}

    def has(self, kind: str, what: str) -> bool:
        if kind == NAMES:
            return self.names
        if kind == COMPOSITE:
            return what in self.composites
        return what in (self.ascending if kind == ASCENDING else self.contains)

    def add(self, kind: str, what: str) -> None:
        if kind == NAMES:
            self.names = True
        elif kind == COMPOSITE:
            self.composites[what] = composite_from_json(what)
        else:
            (self.ascending if kind == ASCENDING else self.contains).add(what)


class Collection:
    """A collection that has documents: its number, and what its index entries need."""

    def __init__(
        self, number: int, database: str, path: bytes, name: str, built: Built, rules: Rules
    ) -> None:
        self.number = number
        self.database = database
        self.path = path
        self.name = name
        self.prefix = f"{database}/documents/".encode() + path_text(path) + b"/"
        self.scopes = Scopes(str(number))
        self.built = built
        self.rules = rules

    def document_name(self, document_id: bytes) -> bytes:
        return self.prefix + segment_text(document_id)


class Storage:
    def __init__(self, folder: Path, rules: Rules) -> None:
        self._file = folder / FILE
        self._log = folder / f"{FILE}-wal"
        self.rules = rules
        self.main = self._connect()
        self.main.execute("PRAGMA journal_mode = WAL")
        self.main.execute("PRAGMA wal_autocheckpoint = 0")
        self._make_tables()
        (self._page_size,) = self.main.execute("PRAGMA page_size").fetchone()
        # Open as long as the connection: closing it would drop the locks SQLite holds on the file.
        self._raw = os.open(self._file, os.O_RDWR)
        if self.main.execute("SELECT last FROM clock").fetchone() is None:
            self.main.execute("INSERT INTO clock VALUES (0)")
        self._collections: dict[tuple[str, bytes], Collection] = {}
        self._by_number: dict[int, Collection] = {}
        self._built: dict[tuple[str, str], Built] = {}
        for database, collection, kind, what in self.main.execute("SELECT * FROM built"):
            self.built(database, collection).add(kind, what)
        self._follow_rules()

    def _make_tables(self) -> None:
        (version,) = self.main.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            self.main.close()
            raise OSError(f"{self._file} is of another version of the emulator; remove it")
        self.main.executescript(_SCHEMA)
        self.main.execute(f"PRAGMA user_version = {_VERSION}")

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._file, isolation_level=None, cached_statements=512, check_same_thread=False
        )
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA temp_store = MEMORY")
        return connection

    def _follow_rules(self) -> None:
        """What was indexed under other rules is indexed anew."""
        declared = {composite_json(one) for each in self.rules.composites.values() for one in each}
        gone = [
            (database, collection, what)
            for (database, collection), built in self._built.items()
            for what in built.composites
            if what not in declared
        ]
        row = self.main.execute("SELECT fingerprint FROM rules").fetchone()
        if row is not None and row[0] == self.rules.fingerprint and not gone:
            return
        with self.writing():
            for database, collection, what in gone:
                del self._built[database, collection].composites[what]
                self.main.execute(
                    "DELETE FROM built WHERE database = ? AND collection = ? AND what = ?",
                    (database, collection, what),
                )
            self.main.execute("DELETE FROM rules")
            self.main.execute("INSERT INTO rules VALUES (?)", (self.rules.fingerprint,))
            if row is not None:
                self._index_again()

    def _index_again(self) -> None:
        self.main.execute("DELETE FROM entries")
        for number, collection, document_id, body in self.main.execute(
            "SELECT number, collection, id, body FROM documents"
        ):
            place = self.collection_number(collection, self.main)
            self._insert(self._entries(place, document_id, Document.FromString(body)), number)

    # ---- transactions

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All or nothing; what was remembered of collections is forgotten with a failure."""
        self.main.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.main.execute("COMMIT")
        except BaseException:
            self.main.execute("ROLLBACK")
            self._forget_collections()
            raise

    def last_time(self) -> int:
        row = self.main.execute("SELECT last FROM clock").fetchone()
        return int(row[0])

    def keep_time(self, micros: int) -> None:
        self.main.execute("UPDATE clock SET last = ?", (micros,))

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A second connection that goes on seeing what is stored now."""
        connection = self._connect()
        try:
            connection.execute("BEGIN")
            connection.execute("SELECT last FROM clock").fetchone()
            yield connection
        finally:
            connection.close()

    def erase(self) -> None:
        """Delete every document of every database."""
        with self.writing():
            for table in ("entries", "documents", "collections", "built"):
                self.main.execute(f"DELETE FROM {table}")  # noqa: S608 - names from above
        self._forget_collections()
        self._built.clear()

    def checkpoint(self) -> bool:
        """Fold the log into the file, wipe what is unused there, empty the log.

        False while a long read is under way. The log goes last: a process killed before that does
        it all again.
        """
        pages = logged_pages(self._log, self._page_size)
        if not pages:
            return True
        busy, _, _ = self.main.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        if busy:
            return False
        scrub(self._raw, pages, self._page_size)
        busy, _, _ = self.main.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def fold_if_long(self) -> None:
        """Keep the log short under steady load."""
        if self._log.stat().st_size > MAX_LOG_BYTES:
            self.checkpoint()

    def close(self) -> None:
        self.checkpoint()
        self.main.close()
        os.close(self._raw)

    # ---- collections

    def built(self, database: str, collection: str) -> Built:
        known = self._built.get((database, collection))
        if known is None:
            known = self._built[database, collection] = Built(database, collection)
        return known

    def collection(self, database: str, path: bytes) -> Collection | None:
        known = self._collections.get((database, path))
        if known is not None:
            return known
        row = self.main.execute(
            "SELECT number, name FROM collections WHERE database = ? AND path = ?", (database, path)
        ).fetchone()
        return self._remember(row[0], database, path, row[1]) if row else None

    def collection_number(self, number: int, reader: sqlite3.Connection) -> Collection:
        """As the reader sees it: a long read may outlive the collection."""
        known = self._by_number.get(number)
        if known is not None:
            return known
        database, path, name = reader.execute(
            "SELECT database, path, name FROM collections WHERE number = ?", (number,)
        ).fetchone()
        if reader is self.main:
            return self._remember(number, database, path, name)
        return Collection(number, database, path, name, self.built(database, name), self.rules)

    def _remember(self, number: int, database: str, path: bytes, name: str) -> Collection:
        if len(self._collections) >= _MAX_COLLECTIONS:
            self._forget_collections()
        made = Collection(number, database, path, name, self.built(database, name), self.rules)
        self._collections[database, path] = self._by_number[number] = made
        return made

    def _forget_collections(self) -> None:
        self._collections.clear()
        self._by_number.clear()

    def gone_collection(self, database: str, path: bytes, name: str) -> Collection:
        """A collection without documents, for readers of the past."""
        return Collection(0, database, path, name, self.built(database, name), self.rules)

    def _new_collection(self, database: str, path: bytes) -> Collection:
        last = split_key(path)[-1]
        name = segment_text(last).decode()
        number = self.main.execute(
            "INSERT INTO collections (database, path, name) VALUES (?, ?, ?)",
            (database, path, name),
        ).lastrowid
        assert number is not None
        return self._remember(number, database, path, name)

    # ---- documents

    def get(self, database: str, path: bytes, document_id: bytes) -> Stored | None:
        collection = self.collection(database, path)
        return self.get_in(collection, document_id) if collection else None

    def get_in(self, collection: Collection, document_id: bytes) -> Stored | None:
        row = self.main.execute(
            "SELECT number, body, created, updated FROM documents WHERE collection = ? AND id = ?",
            (collection.number, document_id),
        ).fetchone()
        return Stored._make(row) if row else None

    def put(
        self,
        database: str,
        path: bytes,
        document_id: bytes,
        document: Message,
        fields: bytes,
        stored: Stored | None,
        now: int,
    ) -> None:
        """Store the document and bring its entries up to date; only what differs is written."""
        collection = self.collection(database, path) or self._new_collection(database, path)
        created = stored.created if stored else now
        body = stored_body(fields, created, now)
        new = self._entries(collection, document_id, document)
        if stored is None:
            number = self.main.execute(
                "INSERT INTO documents (collection, id, created, updated, body)"
                " VALUES (?, ?, ?, ?, ?)",
                (collection.number, document_id, created, now, body),
            ).lastrowid
            self._insert(new, number)
            return
        old = self._entries(collection, document_id, stored.document())
        self.main.execute(
            "UPDATE documents SET updated = ?, body = ? WHERE number = ?",
            (now, body, stored.number),
        )
        self._remove(old - new)
        self._insert(new - old, stored.number)

    def delete(self, database: str, path: bytes, document_id: bytes, stored: Stored) -> None:
        collection = self.collection(database, path)
        assert collection is not None
        self._remove(self._entries(collection, document_id, stored.document()))
        self.main.execute("DELETE FROM documents WHERE number = ?", (stored.number,))
        if not self.main.execute(
            "SELECT 1 FROM documents WHERE collection = ? LIMIT 1", (collection.number,)
        ).fetchone():
            self.main.execute("DELETE FROM collections WHERE number = ?", (collection.number,))
            del self._collections[database, path]
            del self._by_number[collection.number]

    def _insert(self, entries: set[Entry], number: int | None) -> None:
        if entries:
            self.main.executemany(
                "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)",
                [(*entry, number) for entry in entries],
            )

    def _remove(self, entries: set[Entry]) -> None:
        if entries:
            self.main.executemany(
                "DELETE FROM entries WHERE scope = ? AND value = ? AND id = ?", entries
            )

    def _entries(self, collection: Collection, document_id: bytes, document: Message) -> set[Entry]:
        indexed = Indexed(document)
        number = collection.scopes.number
        keeps = collection.rules.keeps
        name = collection.name
        out = {
            (number(ASCENDING, path), value[:CUT], document_id)
            for path, value in indexed.values
            if keeps(name, path, False)
        }
        for path, elements in indexed.elements:
            if keeps(name, path, True):
                scope = number(CONTAINS, path)
                out.update((scope, element, document_id) for element in elements)
        built = collection.built
        if built.names:
            out.update(self._group_entries(collection, document_id, indexed))
        for what, composite in built.composites.items():
            out.update(composite_entries(collection, document_id, document, what, composite))
        return out

    @staticmethod
    def _group_entries(
        collection: Collection, document_id: bytes, indexed: Indexed
    ) -> Iterator[Entry]:
        built = collection.built
        number = built.scopes.number
        key = collection.path + document_id
        yield number(NAMES, ""), b"", key
        if built.ascending:
            for path, value in indexed.values:
                if path in built.ascending:
                    yield number(ASCENDING, path), value[:CUT], key
        if built.contains:
            for path, elements in indexed.elements:
                if path in built.contains:
                    scope = number(CONTAINS, path)
                    for element in elements:
                        yield scope, element, key

    # ---- indexes made on demand

    def ensure(self, database: str, collection: str, kind: str, what: str) -> Built:
        """Have the index: built from what is stored the first time, kept from then on."""
        built = self.built(database, collection)
        if built.has(kind, what):
            return built
        if kind in (ASCENDING, CONTAINS):
            self.ensure(database, collection, NAMES, "")
        with self.writing():
            self.main.execute(
                "INSERT INTO built VALUES (?, ?, ?, ?)", (database, collection, kind, what)
            )
            numbers = self.main.execute(
                "SELECT number, path FROM collections WHERE database = ? AND name = ?",
                (database, collection),
            ).fetchall()
            for number, path in numbers:
                self._build(built, number, path, kind, what)
        built.add(kind, what)
        return built

    def _build(self, built: Built, number: int, path: bytes, kind: str, what: str) -> None:
        if kind == COMPOSITE:
            composite = composite_from_json(what)
            place = self.collection_number(number, self.main)
            rows = self.main.execute(
                "SELECT number, id, body FROM documents WHERE collection = ?", (number,)
            )
            for document, document_id, body in rows.fetchall():
                message = Document.FromString(body)
                entries = set(composite_entries(place, document_id, message, what, composite))
                self._insert(entries, document)
        elif kind == NAMES:
            self.main.execute(
                "INSERT INTO entries SELECT ?, x'', CAST(? || id AS BLOB), number"
                " FROM documents WHERE collection = ?",
                (built.scopes.number(NAMES, ""), path, number),
            )
        elif not self.rules.keeps(built.collection, what, kind == CONTAINS):
            self._build_from_documents(built, number, path, kind, what)
        else:
            source = Scopes(str(number)).number(kind, what)
            self.main.execute(
                "INSERT INTO entries SELECT ?, value, CAST(? || id AS BLOB), document"
                " FROM entries WHERE scope = ?",
                (built.scopes.number(kind, what), path, source),
            )

    def _build_from_documents(
        self, built: Built, number: int, path: bytes, kind: str, what: str
    ) -> None:
        """The collection keeps no entries of this field to copy."""
        scope = built.scopes.number(kind, what)
        rows = self.main.execute(
            "SELECT number, id, body FROM documents WHERE collection = ?", (number,)
        )
        for document, document_id, body in rows.fetchall():
            indexed = Indexed(Document.FromString(body))
            key = path + document_id
            if kind == ASCENDING:
                values = {value[:CUT] for at, value in indexed.values if at == what}
            else:
                values = {one for at, each in indexed.elements if at == what for one in each}
            self._insert({(scope, value, key) for value in values}, document)


def composite_scope(collection: Collection, what: str, composite: Composite) -> int:
    scopes = collection.built.scopes if composite.group else collection.scopes
    return scopes.number(COMPOSITE, what)


def composite_entries(
    collection: Collection, document_id: bytes, document: Message, what: str, composite: Composite
) -> Iterator[Entry]:
    """Names run in the last field's direction, so in a descending index they are turned around."""
    key = collection.path + document_id if composite.group else document_id
    if composite.name_descending:
        key = descending(key + b"\x00")
    scope = composite_scope(collection, what, composite)
    for value in composite_values(document, composite):
        yield scope, value, key


def composite_json(composite: Composite) -> str:
    return json.dumps(
        [composite.collection, composite.group, composite.columns, composite.name_descending]
    )


def composite_from_json(text: str) -> Composite:
    collection, group, columns, name_descending = json.loads(text)
    made = tuple(Column(tuple(path), down, contains) for path, down, contains in columns)
    return Composite(collection, group, made, name_descending)

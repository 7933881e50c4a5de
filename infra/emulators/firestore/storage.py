"""Documents and their index entries in one SQLite file.

One connection writes; a commit is one SQLite transaction, so a killed process leaves whole commits
only. Deleted content is overwritten (`secure_delete`), and once the log is folded back into the
file nothing of it is left in the folder.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .index_rules import Rules
from .names import segment_text, split_key
from .scrub import logged_pages, scrub
from .stored_collection import Built, Collection, Stored

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
CREATE TABLE IF NOT EXISTS behind (
    first INTEGER, last INTEGER, collection INTEGER, id BLOB, old BLOB);
CREATE TABLE IF NOT EXISTS clock (last INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS rules (fingerprint TEXT NOT NULL);
"""
_VERSION = 2
_MAX_COLLECTIONS = 20_000
FILE = "firestore.sqlite3"
MAX_LOG_BYTES = 32 << 20


class Storage:
    def __init__(self, folder: Path, rules: Rules) -> None:
        self._file = folder / FILE
        self._log = folder / f"{FILE}-wal"
        self.rules = rules
        self._snapshots = 0
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
        (last,) = self.main.execute("SELECT max(number) FROM documents").fetchone()
        self._last_number: int = last or 0

    def _make_tables(self) -> None:
        (version,) = self.main.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            self.main.close()
            raise OSError(f"{self._file} is of another version of the emulator; remove it")
        self.main.executescript(_SCHEMA)
        self.main.execute(f"PRAGMA user_version = {_VERSION}")

    def _connect(self) -> sqlite3.Connection:
        # No waiting for locks: the only other connections are readers of this same thread.
        connection = sqlite3.connect(
            self._file, timeout=0, isolation_level=None, cached_statements=512
        )
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA temp_store = MEMORY")
        return connection

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
        self._snapshots += 1
        try:
            connection.execute("BEGIN")
            connection.execute("SELECT last FROM clock").fetchone()
            yield connection
        finally:
            connection.close()
            self._snapshots -= 1

    def erase(self) -> None:
        """Delete every document of every database."""
        with self.writing():
            for table in ("entries", "documents", "collections", "built", "behind"):
                self.main.execute(f"DELETE FROM {table}")  # noqa: S608 - names from above
        self._forget_collections()
        self._built.clear()

    def checkpoint(self) -> bool:
        """Fold the log into the file, wipe what is unused there, empty the log.

        False while a long read is under way. The log goes last: a process killed before that does
        it all again.
        """
        if self._snapshots:
            return False
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

    def all_built(self) -> list[tuple[tuple[str, str], Built]]:
        return list(self._built.items())

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

    def make_collection(self, database: str, path: bytes) -> Collection:
        last = split_key(path)[-1]
        name = segment_text(last).decode()
        number = self.main.execute(
            "INSERT INTO collections (database, path, name) VALUES (?, ?, ?)",
            (database, path, name),
        ).lastrowid
        assert number is not None
        return self._remember(number, database, path, name)

    def drop_if_empty(self, collection: Collection) -> None:
        """A collection is there as long as it has documents; its path goes with the last one."""
        if self.main.execute(
            "SELECT 1 FROM documents WHERE collection = ? LIMIT 1", (collection.number,)
        ).fetchone():
            return
        self.main.execute("DELETE FROM collections WHERE number = ?", (collection.number,))
        self._collections.pop((collection.database, collection.path), None)
        self._by_number.pop(collection.number, None)

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

    def next_number(self) -> int:
        """A number no document has had since the start."""
        self._last_number += 1
        return self._last_number

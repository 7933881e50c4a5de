"""The records of one index in SQLite: which slot holds which id, with which metadata.

Every write makes a new version in a new slot; nothing is changed in place. A version is *born*
when readers may see it and *dead* when a later write has replaced or deleted it. With a freshness
delay the two differ for a while: readers see born versions, writers meet those that are not dead.
After a crash the writers' truth is everybody's: dead versions go, the rest is born.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .metadata import Value, decoded

_SCHEMA = """
CREATE TABLE IF NOT EXISTS namespaces (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    records INTEGER NOT NULL DEFAULT 0,
    born INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS namespaces_by_name ON namespaces (name);
CREATE TABLE IF NOT EXISTS records (
    namespace INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    id TEXT NOT NULL,
    metadata TEXT,
    born INTEGER NOT NULL DEFAULT 0,
    dead INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (namespace, slot)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS records_by_id ON records (namespace, id);
CREATE TABLE IF NOT EXISTS sparse (
    namespace INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (namespace, slot)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO state VALUES ('lsn', 0), ('closed', 1);
"""

_BY_ID = (
    "SELECT slot, id, metadata FROM records INDEXED BY records_by_id"
    " WHERE namespace = ? AND id IN (SELECT value FROM json_each(?))"
)
"""Left to itself SQLite walks through the whole namespace."""

_PLAIN = re.compile(r"[^\"\\\x00-\x1f]+")
"""Field names that can stand in a JSON path of SQLite as they are."""

_FROM_SQL: dict[str, Callable[[Any], Value]] = {
    "true": bool,
    "false": bool,
    "text": str,
    "real": float,
    "integer": float,
    "array": json.loads,
}
"""How SQLite gives a value of each JSON type."""

_AFTER_ASCII = "\x80"
"""Ids and names are ASCII: a prefix followed by this sorts after all that have the prefix."""


@dataclass(frozen=True)
class NamespaceRow:
    id: int
    name: str
    records: int


@dataclass(frozen=True)
class Record:
    slot: int
    id: str
    metadata: str | None


@dataclass
class Change:
    """One durable write: what readers shall gain and lose when it is revealed, at `due`."""

    due: float
    lsn: int
    namespace: int | None = None
    born: list[Record] = field(default_factory=list)
    died: list[int] = field(default_factory=list)
    vanished: list[int] = field(default_factory=list)


class RecordStore:
    """The SQLite file of one index. `was_closed` is False when its last process was killed."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(_SCHEMA)
        self.was_closed = bool(self._state("closed"))
        self._set_state("closed", 0)

    def close(self) -> None:
        self._set_state("closed", 1)
        self.cut_log()
        self._db.close()

    def cut_log(self) -> None:
        """Move the log into the file and empty it."""
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def rewrite(self) -> None:
        """Write the file anew: secure_delete alone leaves copies that moved between pages."""
        self._db.execute("VACUUM")
        self.cut_log()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._db:  # commits, or rolls back when the body raises
            self._db.execute("BEGIN IMMEDIATE")
            yield

    @property
    def lsn(self) -> int:
        return self._state("lsn")

    def advance_lsn(self, lsn: int) -> None:
        self._set_state("lsn", lsn)

    def recover(self) -> None:
        """Make what writers had reached what readers see, and drop the rest."""
        with self.transaction():
            self._db.execute("DELETE FROM namespaces WHERE dead")
            self._db.execute(
                "DELETE FROM records WHERE dead OR namespace NOT IN (SELECT id FROM namespaces)"
            )
            self._db.execute(
                "DELETE FROM sparse WHERE NOT EXISTS (SELECT 1 FROM records WHERE"
                " records.namespace = sparse.namespace AND records.slot = sparse.slot)"
            )
            self._db.execute("UPDATE records SET born = 1 WHERE NOT born")
            self._db.execute(
                "UPDATE namespaces SET born = 1, records ="
                " (SELECT count(*) FROM records WHERE namespace = namespaces.id)"
            )

    def reveal(self, change: Change) -> None:
        """Let readers see the change, and erase what it replaced."""
        for namespace in change.vanished:
            self._db.execute("DELETE FROM records WHERE namespace = ?", (namespace,))
            self._db.execute("DELETE FROM sparse WHERE namespace = ?", (namespace,))
            self._db.execute("DELETE FROM namespaces WHERE id = ?", (namespace,))
        if change.namespace is None:
            return
        self._db.executemany(
            "UPDATE records SET born = 1 WHERE namespace = ? AND slot = ?",
            [(change.namespace, record.slot) for record in change.born],
        )
        for table in ("records", "sparse"):
            self._db.executemany(
                f"DELETE FROM {table} WHERE namespace = ? AND slot = ?",  # noqa: S608 - our names
                [(change.namespace, slot) for slot in change.died],
            )
        self._db.execute(
            "UPDATE namespaces SET born = 1, records = records + ? WHERE id = ?",
            (len(change.born) - len(change.died), change.namespace),
        )

    # --- namespaces

    def namespace_to_write(self, name: str) -> int | None:
        return self._one("SELECT id FROM namespaces WHERE name = ? AND NOT dead", name)

    def namespace_to_read(self, name: str) -> NamespaceRow | None:
        rows = self._db.execute(
            "SELECT id, name, records FROM namespaces WHERE name = ? AND born", (name,)
        )
        return next((NamespaceRow(*row) for row in rows), None)

    def add_namespace(self, name: str) -> int:
        cursor = self._db.execute("INSERT INTO namespaces (name) VALUES (?)", (name,))
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def retire_namespace(self, namespace: int) -> None:
        self._db.execute("UPDATE namespaces SET dead = 1 WHERE id = ?", (namespace,))

    def namespaces(self, prefix: str, after: str, limit: int) -> list[NamespaceRow]:
        rows = self._db.execute(
            "SELECT id, name, records FROM namespaces WHERE born AND name > ?"
            " AND name >= ? AND name < ? ORDER BY name LIMIT ?",
            (after, prefix, prefix + _AFTER_ASCII, limit),
        )
        return [NamespaceRow(*row) for row in rows]

    def namespace_ids(self) -> list[int]:
        return [row[0] for row in self._db.execute("SELECT id FROM namespaces")]

    def count_namespaces(self, prefix: str) -> int:
        count = self._one(
            "SELECT count(*) FROM namespaces WHERE born AND name >= ? AND name < ?",
            prefix,
            prefix + _AFTER_ASCII,
        )
        return count or 0

    # --- records

    def add(self, namespace: int, records: Iterable[Record]) -> None:
        self._db.executemany(
            "INSERT INTO records (namespace, slot, id, metadata) VALUES (?, ?, ?, ?)",
            [(namespace, record.slot, record.id, record.metadata) for record in records],
        )

    def add_sparse(self, namespace: int, vectors: Iterable[tuple[int, bytes]]) -> None:
        self._db.executemany(
            "INSERT INTO sparse (namespace, slot, vector) VALUES (?, ?, ?)",
            [(namespace, slot, vector) for slot, vector in vectors],
        )

    def sparse(self, namespace: int, slots: Sequence[int]) -> dict[int, bytes]:
        """The sparse vectors in these slots, of those that have one."""
        rows = self._db.execute(
            "SELECT slot, vector FROM sparse WHERE namespace = ?"
            " AND slot IN (SELECT value FROM json_each(?))",
            (namespace, json.dumps(slots)),
        )
        return dict(rows.fetchall())

    def all_sparse(self, namespace: int) -> Iterator[tuple[int, bytes]]:
        yield from self._db.execute(
            "SELECT slot, vector FROM sparse WHERE namespace = ?", (namespace,)
        )

    def sparse_bytes(self, namespace: int) -> int:
        return (
            self._one("SELECT sum(length(vector)) FROM sparse WHERE namespace = ?", namespace) or 0
        )

    def retire(self, namespace: int, slots: Iterable[int]) -> None:
        self._db.executemany(
            "UPDATE records SET dead = 1 WHERE namespace = ? AND slot = ?",
            [(namespace, slot) for slot in slots],
        )

    def to_write(self, namespace: int, ids: Sequence[str]) -> list[Record]:
        """The versions of these ids that a write replaces or deletes."""
        return self._records(f"{_BY_ID} AND NOT dead", (namespace, json.dumps(ids)))

    def to_read(self, namespace: int, ids: Sequence[str]) -> list[Record]:
        """The versions of these ids that a reader sees."""
        return self._records(f"{_BY_ID} AND born", (namespace, json.dumps(ids)))

    def at(self, namespace: int, slots: Sequence[int]) -> dict[int, Record]:
        records = self._records(
            "SELECT slot, id, metadata FROM records WHERE namespace = ?"
            " AND slot IN (SELECT value FROM json_each(?))",
            (namespace, json.dumps(slots)),
        )
        return {record.slot: record for record in records}

    def page(self, namespace: int, prefix: str, after: str, limit: int) -> list[str]:
        """Ids that a reader sees, in order, beginning after one."""
        rows = self._db.execute(
            "SELECT id FROM records WHERE namespace = ? AND born AND id > ? AND id >= ? AND id < ?"
            " ORDER BY id LIMIT ?",
            (namespace, after, prefix, prefix + _AFTER_ASCII, limit),
        )
        return [row[0] for row in rows]

    def slots(self, namespace: int) -> list[tuple[int, bool, bool]]:
        """Every slot in use, with whether its version is born and dead."""
        rows = self._db.execute(
            "SELECT slot, born, dead FROM records WHERE namespace = ?", (namespace,)
        )
        return rows.fetchall()

    def values(self, namespace: int, field_name: str) -> Iterator[tuple[int, Value]]:
        """Every slot whose metadata has the field, with its value."""
        if not _PLAIN.fullmatch(field_name):
            yield from self._values_by_parsing(namespace, field_name)
            return
        rows = self._db.execute(
            "SELECT slot, json_type(metadata, ?1), json_extract(metadata, ?1) FROM records"
            " WHERE namespace = ?2",
            (f'$."{field_name}"', namespace),
        )
        for slot, kind, value in rows:
            if kind is not None:
                yield slot, _FROM_SQL[kind](value)

    def _values_by_parsing(self, namespace: int, field_name: str) -> Iterator[tuple[int, Value]]:
        """The same for names that SQLite's paths cannot spell; slower."""
        rows = self._db.execute(
            "SELECT slot, metadata FROM records WHERE namespace = ? AND metadata IS NOT NULL",
            (namespace,),
        )
        for slot, text in rows:
            metadata = decoded(text)
            if field_name in metadata:
                yield slot, metadata[field_name]

    def _records(self, sql: str, values: tuple[object, ...]) -> list[Record]:
        return [Record(*row) for row in self._db.execute(sql, values)]

    def _one(self, sql: str, *values: object) -> int | None:
        row = self._db.execute(sql, values).fetchone()
        return None if row is None or row[0] is None else int(row[0])

    def _state(self, name: str) -> int:
        return self._one("SELECT value FROM state WHERE name = ?", name) or 0

    def _set_state(self, name: str, value: int) -> None:
        self._db.execute("UPDATE state SET value = ? WHERE name = ?", (value, name))

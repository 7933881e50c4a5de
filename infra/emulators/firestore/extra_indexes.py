"""Indexes that are made when first asked for, and kept from then on.

The single fields of a collection are always indexed (as far as the rules say); collection groups
and declared composite indexes cost writes only once somebody queries them.
"""

from collections.abc import Iterable

from .index_entries import ASCENDING, CONTAINS, CUT, Entry, Indexed, Scopes
from .protobuf import Document
from .storage import Storage
from .stored_collection import (
    COMPOSITE,
    NAMES,
    Built,
    composite_from_json,
    composite_json,
)


def follow_rules(storage: Storage) -> None:
    """What was indexed under other rules is indexed anew."""
    declared = {composite_json(one) for each in storage.rules.composites.values() for one in each}
    gone = [
        (database, collection, what)
        for (database, collection), built in storage.all_built()
        for what in built.composites
        if what not in declared
    ]
    row = storage.main.execute("SELECT fingerprint FROM rules").fetchone()
    if row is not None and row[0] == storage.rules.fingerprint and not gone:
        return
    with storage.writing():
        for database, collection, what in gone:
            del storage.built(database, collection).composites[what]
            storage.main.execute(
                "DELETE FROM built WHERE database = ? AND collection = ? AND what = ?",
                (database, collection, what),
            )
        storage.main.execute("DELETE FROM rules")
        storage.main.execute("INSERT INTO rules VALUES (?)", (storage.rules.fingerprint,))
        if row is not None:
            _index_again(storage)


def _index_again(storage: Storage) -> None:
    storage.main.execute("DELETE FROM entries")
    for number, collection, document_id, body in storage.main.execute(
        "SELECT number, collection, id, body FROM documents"
    ):
        place = storage.collection_number(collection, storage.main)
        _insert(storage, place.entries(document_id, Document.FromString(body)), number)


def _insert(storage: Storage, entries: Iterable[Entry], number: int) -> None:
    storage.main.executemany(
        "INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)",
        [(*entry, number) for entry in entries],
    )


def ensure(storage: Storage, database: str, collection: str, kind: str, what: str) -> Built:
    """Have the index: built from what is stored the first time, kept from then on."""
    built = storage.built(database, collection)
    if built.has(kind, what):
        return built
    if kind in (ASCENDING, CONTAINS):
        ensure(storage, database, collection, NAMES, "")
    with storage.writing():
        storage.main.execute(
            "INSERT INTO built VALUES (?, ?, ?, ?)", (database, collection, kind, what)
        )
        numbers = storage.main.execute(
            "SELECT number, path FROM collections WHERE database = ? AND name = ?",
            (database, collection),
        ).fetchall()
        for number, path in numbers:
            _build(storage, built, number, path, kind, what)
    built.add(kind, what)
    return built


def _build(storage: Storage, built: Built, number: int, path: bytes, kind: str, what: str) -> None:
    if kind == COMPOSITE:
        composite = composite_from_json(what)
        place = storage.collection_number(number, storage.main)
        rows = storage.main.execute(
            "SELECT number, id, body FROM documents WHERE collection = ?", (number,)
        )
        for document, document_id, body in rows.fetchall():
            message = Document.FromString(body)
            entries = set(place.composite_entries(document_id, message, what, composite))
            _insert(storage, entries, document)
    elif kind == NAMES:
        storage.main.execute(
            "INSERT INTO entries SELECT ?, x'', CAST(? || id AS BLOB), number"
            " FROM documents WHERE collection = ?",
            (built.scopes.number(NAMES, ""), path, number),
        )
    elif not storage.rules.keeps(built.collection, what, kind == CONTAINS):
        _build_from_documents(storage, built, number, path, kind, what)
    else:
        source = Scopes(str(number)).number(kind, what)
        storage.main.execute(
            "INSERT INTO entries SELECT ?, value, CAST(? || id AS BLOB), document"
            " FROM entries WHERE scope = ?",
            (built.scopes.number(kind, what), path, source),
        )


def _build_from_documents(
    storage: Storage, built: Built, number: int, path: bytes, kind: str, what: str
) -> None:
    """The collection keeps no entries of this field to copy."""
    scope = built.scopes.number(kind, what)
    rows = storage.main.execute(
        "SELECT number, id, body FROM documents WHERE collection = ?", (number,)
    )
    for document, document_id, body in rows.fetchall():
        indexed = Indexed(Document.FromString(body))
        key = path + document_id
        if kind == ASCENDING:
            values = {value[:CUT] for at, value in indexed.values if at == what}
        else:
            values = {one for at, each in indexed.elements if at == what for one in each}
        _insert(storage, {(scope, value, key) for value in values}, document)

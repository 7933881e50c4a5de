"""Scans over the stored tables: rows of an index range in order, counted.

A row says which document it stands for and whether the document passes the other conditions that
indexes can answer; those are looked up point by point, without reading the document.
"""

import sqlite3
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

Check = tuple[int, bytes]
"""An entry (scope, value) the same document must have."""

CHUNK = 64


class Span(NamedTuple):
    """Entries from (value, id) up to but without (value, id)."""

    low: bytes
    low_id: bytes
    high: bytes
    high_id: bytes


class Row(NamedTuple):
    value: bytes
    id: bytes
    document: int
    passes: int


class Counters:
    """What was done for clients since the start; benches and tests read it. The service bills one
    read for a query that finds nothing, and for one that only counts: `empty_queries`. Index
    entries follow their documents a moment later."""

    def __init__(self) -> None:
        self.rpcs: dict[str, int] = {}
        self.reset()

    def reset(self) -> None:
        self.rpcs.clear()
        self.documents_read = 0
        self.empty_queries = 0
        self.index_entries_written = 0
        self.documents_written = 0
        self.documents_deleted = 0
        self.rows_scanned = 0

    def as_dict(self) -> dict[str, object]:
        return dict(vars(self))


@lru_cache(maxsize=256)
def _entries_sql(checks: int, reverse: bool) -> str:
    way = "DESC" if reverse else "ASC"
    return (
        f"SELECT e.value, e.id, e.document, {_conditions(checks)} FROM entries e"  # noqa: S608
        " WHERE e.scope = ? AND (e.value, e.id) >= (?, ?) AND (e.value, e.id) < (?, ?)"
        f" ORDER BY e.value {way}, e.id {way}"
    )


@lru_cache(maxsize=256)
def _documents_sql(checks: int, reverse: bool) -> str:
    way = "DESC" if reverse else "ASC"
    return (
        f"SELECT x'', e.id, e.number, {_conditions(checks)} FROM documents e"  # noqa: S608
        f" WHERE e.collection = ? AND e.id >= ? AND e.id < ? ORDER BY e.id {way}"
    )


def _conditions(checks: int) -> str:
    one = "EXISTS (SELECT 1 FROM entries f WHERE f.scope = ? AND f.value = ? AND f.id = e.id)"
    return " AND ".join([one] * checks) or "1"


def scan_entries(
    connection: sqlite3.Connection,
    scope: int,
    spans: list[Span],
    checks: list[Check],
    counters: Counters,
    *,
    reverse: bool,
) -> Iterator[Row]:
    sql = _entries_sql(len(checks), reverse)
    asked = [part for check in checks for part in check]
    for span in reversed(spans) if reverse else spans:
        yield from _rows(connection.execute(sql, (*asked, scope, *span)), counters)


def scan_documents(
    connection: sqlite3.Connection,
    collection: int,
    low: bytes,
    high: bytes,
    checks: list[Check],
    counters: Counters,
    *,
    reverse: bool,
) -> Iterator[Row]:
    sql = _documents_sql(len(checks), reverse)
    asked = [part for check in checks for part in check]
    yield from _rows(connection.execute(sql, (*asked, collection, low, high)), counters)


def _rows(cursor: sqlite3.Cursor, counters: Counters) -> Iterator[Row]:
    try:
        for row in cursor:
            counters.rows_scanned += 1
            yield Row._make(row)
    finally:
        cursor.close()


def count_entries(
    connection: sqlite3.Connection, scope: int, spans: list[Span], most: int, counters: Counters
) -> int:
    """How many rows the spans hold, or `most` if there are more."""
    total = 0
    for span in spans:
        total += connection.execute(
            "SELECT count(*) FROM (SELECT 1 FROM entries WHERE scope = ?"
            " AND (value, id) >= (?, ?) AND (value, id) < (?, ?) LIMIT ?)",
            (scope, *span, most - total),
        ).fetchone()[0]
        if total >= most:
            break
    counters.rows_scanned += total
    return total

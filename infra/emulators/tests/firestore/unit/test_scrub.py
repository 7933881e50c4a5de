"""Wiping what SQLite leaves in the unused space of its pages."""

import os
import random
import sqlite3
from pathlib import Path

import pytest

from infra.emulators.firestore.scrub import logged_pages, scrub, unused

WORD = b"Geheimnis"


@pytest.fixture
def database(tmp_path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(tmp_path / "db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("CREATE TABLE words (word BLOB PRIMARY KEY, more BLOB) WITHOUT ROWID")
    connection.execute("CREATE TABLE texts (number INTEGER PRIMARY KEY, text BLOB)")
    return connection


def _churn(connection: sqlite3.Connection, seed: int) -> dict[bytes, bytes]:
    """Insert and delete at random, so that pages split and merge; what should be left."""
    rng = random.Random(seed)
    left: dict[bytes, bytes] = {}
    for number in range(3_000):
        word = rng.choice([WORD, b"Gemeingut"]) + b"%d" % rng.randrange(10**6)
        more = word * rng.choice([1, 3, 200])
        connection.execute("INSERT OR REPLACE INTO words VALUES (?, ?)", (word, more))
        connection.execute("INSERT INTO texts VALUES (?, ?)", (number, word))
        left[word] = more
        if rng.random() < 0.3:
            gone = rng.choice(list(left))
            connection.execute("DELETE FROM words WHERE word = ?", (gone,))
            connection.execute("DELETE FROM texts WHERE text = ?", (gone,))
            del left[gone]
    connection.execute("DELETE FROM words WHERE word GLOB ?", (WORD.decode() + "*",))
    connection.execute("DELETE FROM texts WHERE CAST(text AS TEXT) GLOB ?", (WORD.decode() + "*",))
    for word in [word for word in left if word.startswith(WORD)]:
        connection.execute("DELETE FROM words WHERE word = ?", (word,))
        del left[word]
    return left


@pytest.mark.parametrize("seed", range(4))
def test_nothing_deleted_is_left_and_nothing_kept_is_lost(
    database: sqlite3.Connection, tmp_path: Path, seed: int
) -> None:
    left = _churn(database, seed)
    (size,) = database.execute("PRAGMA page_size").fetchone()
    pages = logged_pages(tmp_path / "db-wal", size)
    database.execute("PRAGMA wal_checkpoint(FULL)")
    file = os.open(tmp_path / "db", os.O_RDWR)
    scrub(file, pages, size)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    assert WORD not in (tmp_path / "db").read_bytes()
    assert (tmp_path / "db-wal").read_bytes() == b""
    # The open connection and a new one both read what was kept.
    with sqlite3.connect(tmp_path / "db") as fresh:
        for connection in (database, fresh):
            assert dict(connection.execute("SELECT word, more FROM words")) == left
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    fresh.close()
    database.close()
    os.close(file)


def test_a_page_that_is_no_tree_is_left_alone() -> None:
    assert unused(b"\x00\x00\x00\x07" + b"x" * 4092) == []


def test_no_log_has_no_pages(tmp_path: Path) -> None:
    assert logged_pages(tmp_path / "nothing", 4096) == set()

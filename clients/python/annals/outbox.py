"""What a bot wants stored, on disk until Annals has it: in order, at least once, bounded.

Every entry has an id of its own (a message's id, a note's `request_id`), so that sending one twice
stores it once. One thread sends; whoever else has the same file open only adds to it.
"""

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

log = logging.getLogger("annals")

MOST_ENTRIES = 10_000
"""Some days of a busy group; what is older goes first, and is counted."""
BATCH = 200
"""Messages a request: Annals takes 500 or 4 MiB."""
BATCH_CHARACTERS = 500_000
"""At most 2 MB as UTF-8."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0
MOST_TRIES_OF_FEEDBACK = 5
"""Over some eight seconds, each answered with an error: a recall may be waiting behind it."""
HELD_S = 3600.0
"""What only its own group's rights stand in the way of is asked about again after this, and at
every start."""

MESSAGE, NOTE, RELAY, FEEDBACK = "message", "note", "relay", "feedback"


@dataclass(frozen=True)
class Entry:
    place: int
    kind: str
    body: dict[str, Any]


@dataclass(frozen=True)
class Delivery:
    """What became of a batch, in Annals' words: `refused` are entries it will never take, `held`
    those of a group that the key may not touch now. Neither stands in the way of other groups."""

    refused: Sequence[tuple[Entry, str]] = ()
    held: Sequence[tuple[Entry, str]] = ()


class NotNow(Exception):
    """Annals did not answer, or not as it should: the same batch again, later. `was_answered` if
    it was there and failed."""

    def __init__(self, why: str, *, was_answered: bool = False) -> None:
        super().__init__(why)
        self.was_answered = was_answered


Deliver = Callable[[Sequence[Entry]], Delivery]


class Outbox:
    """`deliver` sends one batch of one kind, and raises NotNow to get it again."""

    def __init__(
        self,
        path: Path | str,
        deliver: Deliver,
        *,
        most_entries: int = MOST_ENTRIES,
        first_pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        self._path = Path(path)
        self._deliver = deliver
        self._most = most_entries
        self._first_pause = first_pause_s
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._changed = threading.Condition()
        self._dropped: dict[str, int] = {}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._add_lock = threading.Lock()
        self._adding = self._open()
        self._adding.execute(
            "create table if not exists entries"
            " (place integer primary key autoincrement, kind text not null, body text not null)"
        )
        self._adding.execute("create table if not exists held (place integer primary key, until)")
        self._adding.execute("delete from held")
        self._path.chmod(0o600)
        self._thread = threading.Thread(target=self._run, name="annals-outbox", daemon=True)
        self._thread.start()

    def add(self, kind: str, body: dict[str, Any]) -> None:
        """On disk when this returns, else counted as dropped. Past the bound the oldest go."""
        try:
            gone = self._written(kind, body)
        except (TypeError, ValueError, RecursionError, sqlite3.Error) as error:
            log.warning("annals: a %s could not be written: %s", kind, error)
            self._drop("not written", 1)
            return
        if gone:
            self._drop("no room", gone)
        self._wake.set()

    def _written(self, kind: str, body: dict[str, Any]) -> int:
        """How many had to go for it. Half a character (a lone surrogate) has no bytes: a question
        mark stands for it."""
        text = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace").decode()
        with self._add_lock:
            self._adding.execute("insert into entries (kind, body) values (?, ?)", (kind, text))
            return self._adding.execute(
                "delete from entries where place <="
                " (select place from entries order by place desc limit 1 offset ?)",
                (self._most,),
            ).rowcount

    @property
    def dropped(self) -> dict[str, int]:
        """How many entries were given up, by reason."""
        with self._changed:
            return dict(self._dropped)

    def __len__(self) -> int:
        with self._add_lock:
            (count,) = self._adding.execute("select count(*) from entries").fetchone()
        return int(count)

    def flush(self, timeout_s: float) -> bool:
        """Waits until everything is sent; False if it is not within that time."""
        self._wake.set()
        until = time.monotonic() + timeout_s
        with self._changed:
            return self._changed.wait_for(lambda: not len(self), max(0.0, until - time.monotonic()))

    def close(self) -> None:
        """What is left stays on disk for the next start."""
        self._closing.set()
        self._wake.set()
        self._thread.join(timeout=5)
        with self._add_lock:
            self._adding.close()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._path, timeout=10, isolation_level=None, check_same_thread=False
        )
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = normal")
        return connection

    def _run(self) -> None:
        with closing(self._open()) as entries, closing(self._only_sender()) as turn:
            pause = self._first_pause
            failed = 0
            while not self._closing.is_set():
                try:
                    turn.execute("begin exclusive")
                except sqlite3.OperationalError:  # another process sends what is in this file
                    self._closing.wait(self._first_pause)
                    continue
                try:
                    while not self._closing.is_set() and (batch := _batch(entries)):
                        self._send(entries, batch, failed)
                        pause, failed = self._first_pause, 0
                    turn.execute("rollback")
                    self._wake.wait(1.0)
                    self._wake.clear()
                except Exception as why:  # noqa: BLE001  who else would send what waits here?
                    turn.rollback()
                    failed += isinstance(why, NotNow) and why.was_answered
                    log.warning("annals: kept for later, again in %.1f s: %s", pause, why)
                    self._closing.wait(pause)
                    pause = min(2 * pause, LONGEST_PAUSE_S)

    def _only_sender(self) -> sqlite3.Connection:
        """Its exclusive transaction is the turn to send; the system gives it back after a kill."""
        beside = self._path.with_name(self._path.name + ".sender")
        return sqlite3.connect(beside, timeout=0, isolation_level=None, check_same_thread=False)

    def _send(self, entries: sqlite3.Connection, batch: Sequence[Entry], failed: int) -> None:
        """Feedback that Annals fails on again and again is given up: it must not hold up what was
        said after it. Messages and notes never are."""
        try:
            delivery = self._deliver(batch)
        except NotNow as why:
            is_last = why.was_answered and failed + 1 >= MOST_TRIES_OF_FEEDBACK
            if batch[0].kind != FEEDBACK or not is_last:
                raise
            delivery = Delivery([(batch[0], str(why))])
        for entry, reason in delivery.refused:
            log.warning("annals: refused for good, dropped a %s: %s", entry.kind, reason)
        if delivery.refused:
            self._drop("refused", len(delivery.refused))
        for entry, reason in delivery.held:
            log.warning("annals: held for %.0f s, a %s: %s", HELD_S, entry.kind, reason)
        _settle(entries, batch, {entry.place for entry, _ in delivery.held})
        with self._changed:
            self._changed.notify_all()

    def _drop(self, reason: str, count: int) -> None:
        with self._changed:
            self._dropped[reason] = self._dropped.get(reason, 0) + count
        log.warning("annals: %d dropped (%s)", count, reason)


def _batch(entries: sqlite3.Connection) -> list[Entry]:
    """The oldest entries of one kind that are not held: messages together, everything else one by
    one."""
    batch: list[Entry] = []
    characters = 0
    rows = entries.execute(
        "select place, kind, body from entries where place not in"
        " (select place from held where until > ?) order by place limit ?",
        (time.time(), BATCH),
    )
    for place, kind, body in rows:
        characters += len(body)
        same = not batch or (batch[0].kind == kind == MESSAGE and characters <= BATCH_CHARACTERS)
        if not same:
            break
        batch.append(Entry(place, kind, json.loads(body)))
    return batch


def _settle(entries: sqlite3.Connection, batch: Sequence[Entry], held: set[int]) -> None:
    """Of the batch only what is held stays."""
    now = time.time()
    with entries:
        entries.execute("begin immediate")
        entries.execute("delete from held where until <= ?", (now,))
        entries.executemany(
            "insert or replace into held values (?, ?)", [(one, now + HELD_S) for one in held]
        )
        entries.executemany(
            "delete from entries where place = ?",
            [(one.place,) for one in batch if one.place not in held],
        )

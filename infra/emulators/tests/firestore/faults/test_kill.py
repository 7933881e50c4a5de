"""The Firestore emulator killed under write load: what it acknowledged is there, batches are whole.

Each life of the emulator first answers for the one before it, then is written to by several
threads, each batch setting some documents and a counter under one tag, until it is killed while
commits are on their way.
"""

import os
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from google.api_core.exceptions import GoogleAPICallError
from google.cloud import firestore

from infra.emulators.testing import Emulators

KILLS = int(os.environ.get("KILLS", "8"))
"""`make faults` kills it more often."""
WRITERS = 3
SIZES = (3, 20)
"""Documents of a batch: few are indexed within their commit, many a moment after it."""

COMMITS_BEFORE_KILL = 6
PATIENCE_SECONDS = 30.0


@dataclass
class Life:
    """One life of the emulator: tags of batches by what became of them."""

    number: int
    sent: dict[str, float] = field(default_factory=dict)
    acknowledged: set[str] = field(default_factory=set)
    killed_at: float = 0.0
    ended: list[threading.Event] = field(default_factory=list)

    @property
    def in_flight(self) -> set[str]:
        """Sent before the kill, and never acknowledged."""
        return {
            tag
            for tag, sent in self.sent.items()
            if tag not in self.acknowledged and sent < self.killed_at
        }


def _client(monkeypatch: pytest.MonkeyPatch, emulator: Emulators) -> firestore.Client:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", emulator.told["FIRESTORE_EMULATOR_HOST"])
    return firestore.Client(project="killed")


def _size(tag: str) -> int:
    return SIZES[int(tag.rpartition("-")[2]) % len(SIZES)]


def _write(client: firestore.Client, life: Life, writer: int, ended: threading.Event) -> None:
    """Batches, one after the other, until the server is gone."""
    try:
        for number in range(1_000_000):
            tag = f"{life.number}-{writer}-{number}"
            batch = client.batch()
            for place in range(_size(tag)):
                document = client.document(f"lives/{life.number}/batches/{tag}-{place}")
                batch.set(document, {"tag": tag, "place": place, "text": tag * 40})
            total = client.document(f"totals/{life.number}-{writer}")
            batch.set(total, {"batches": firestore.Increment(1), "last": tag}, merge=True)
            life.sent[tag] = time.monotonic()
            batch.commit(retry=None, timeout=PATIENCE_SECONDS)
            life.acknowledged.add(tag)
    except GoogleAPICallError:
        pass
    finally:
        ended.set()


def _live_and_be_killed(client: firestore.Client, life: Life, emulator: Emulators) -> None:
    for writer in range(WRITERS):
        life.ended.append(threading.Event())
        arguments = (client, life, writer, life.ended[-1])
        threading.Thread(target=_write, args=arguments, daemon=True).start()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while len(life.acknowledged) < COMMITS_BEFORE_KILL + life.number % 5 or not (
        len(life.sent) > len(life.acknowledged)
    ):
        assert time.monotonic() < deadline, "the writers make no progress"
        time.sleep(0.0005)
    life.killed_at = time.monotonic()
    emulator.kill()
    for ended in life.ended:
        assert ended.wait(PATIENCE_SECONDS), "a writer hangs on a dead server"


def _check(client: firestore.Client, life: Life) -> int:
    """Every batch is whole or absent, every acknowledged one there; returns the others found."""
    found: dict[str, set[int]] = {}
    for document in client.collection(f"lives/{life.number}/batches").stream():
        assert document.get("text") == document.get("tag") * 40
        found.setdefault(document.get("tag"), set()).add(document.get("place"))
    assert life.acknowledged <= set(found), "an acknowledged batch is lost"
    assert set(found) <= set(life.sent)
    for tag, places in found.items():
        assert places == set(range(_size(tag))), "half a batch was kept"
    # The counters were written in the same commits, so they tell the same number.
    counted = 0
    for total in client.collection("totals").stream():
        if total.id.startswith(f"{life.number}-"):
            counted += total.get("batches")
            assert total.get("last") in found
    assert counted == len(found)
    by_index = client.collection_group("batches").where(
        filter=firestore.FieldFilter("tag", "in", sorted(found)[:10])
    )
    assert len(list(by_index.stream())) == sum(map(_size, sorted(found)[:10]))
    in_order = client.collection(f"lives/{life.number}/batches").order_by("place").stream()
    assert sum(1 for _ in in_order) == sum(map(len, found.values()))
    return len(set(found) - life.acknowledged)


def test_killed_again_and_again_it_keeps_what_it_acknowledged_and_no_half_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    emulator = Emulators(["firestore"], tmp_path)
    lives: list[Life] = []
    landed = 0
    try:
        for number in range(KILLS):
            emulator.start()
            client = _client(monkeypatch, emulator)
            if lives:
                landed += _check(client, lives[-1])
            lives.append(Life(number))
            _live_and_be_killed(client, lives[-1], emulator)
            client.close()  # type: ignore[no-untyped-call]
        emulator.start()
        client = _client(monkeypatch, emulator)
        landed += _check(client, lives[-1])
        for life in lives[::7]:
            _check(client, life)
        client.close()  # type: ignore[no-untyped-call]
    finally:
        emulator.kill()
    hits = sum(bool(life.in_flight) for life in lives)
    assert hits >= 0.4 * KILLS, f"only {hits} of {KILLS} kills hit a commit on its way"
    assert sum(len(life.acknowledged) for life in lives) >= KILLS * COMMITS_BEFORE_KILL
    print(f"{hits} of {KILLS} kills hit commits on their way; {landed} of those had landed")

"""What is deleted is gone: after a checkpoint no file of the data folder holds a byte of it."""

import json
import random
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.cloud import firestore

from infra.emulators.testing import Emulators, emulators

SECRET = "Geheimnis"
PUBLIC = "Gemeingut"
GROUPS = {"kept-1": PUBLIC, "gone-1": SECRET, "kept-2": PUBLIC, "gone-2": SECRET}


@pytest.fixture
def emulator(tmp_path: Path) -> Iterator[Emulators]:
    with emulators(["firestore"], tmp_path) as running:
        yield running


@pytest.fixture
def db(emulator: Emulators, monkeypatch: pytest.MonkeyPatch) -> firestore.Client:
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", emulator.told["FIRESTORE_EMULATOR_HOST"])
    return firestore.Client(project="erased")


def _words(rng: random.Random, word: str) -> str:
    return " ".join(f"{word}{rng.randrange(10**6)}" for _ in range(rng.choice([1, 5, 40, 600])))


def _message(rng: random.Random, word: str) -> dict[str, Any]:
    """The word in every place a document has: text, bytes, elements, members and their names."""
    return {
        "content": _words(rng, word),
        "raw": _words(rng, word).encode(),
        "terms": [f"{word}{rng.randrange(5000)}" for _ in range(rng.choice([0, 3, 30]))],
        "by": {f"{word}{rng.randrange(100)}": {"said": word}},
        "at": rng.random(),
    }


def _fill(db: firestore.Client, rng: random.Random, count: int) -> list[str]:
    """Messages of all groups interleaved, so that they share pages of the file."""
    paths = []
    batch = db.batch()
    for number in range(count):
        group = rng.choice(list(GROUPS))
        word = GROUPS[group]
        path = f"groups/{group}-{word}/messages/{word}{rng.randrange(10**9)}"
        batch.set(db.document(path), _message(rng, word))
        paths.append(path)
        if number % 40 == 39:
            batch.commit()
            batch = db.batch()
    batch.commit()
    return paths


def _checkpoint(emulator: Emulators) -> None:
    address = emulator.told["admin"]["firestore"] + "/checkpoint"
    with urllib.request.urlopen(urllib.request.Request(address, method="POST")) as answer:
        assert json.load(answer) == {"done": True}


def _files_with(folder: Path, word: str) -> dict[str, int]:
    found = {}
    for file in folder.rglob("*"):
        if file.is_file() and (count := file.read_bytes().count(word.encode())):
            found[file.name] = count
    return found


def test_after_a_recursive_delete_and_a_checkpoint_no_file_holds_the_text(
    emulator: Emulators, db: firestore.Client
) -> None:
    rng = random.Random(7)
    paths = _fill(db, rng, 1200)
    for path in rng.sample(paths, 150):
        word = SECRET if SECRET in path else PUBLIC
        db.document(path).update({"content": _words(rng, word), f"by.{word}": _words(rng, word)})
    # Indexes of the collection group are kept from here on: they hold copies of the values.
    assert len(list(db.collection_group("messages").order_by("content").limit(5).stream())) == 5
    assert _files_with(emulator.data, SECRET)

    for group, word in GROUPS.items():
        if word == SECRET:
            db.recursive_delete(db.document(f"groups/{group}-{word}"))
    _checkpoint(emulator)

    assert _files_with(emulator.data, SECRET) == {}
    kept = [path for path in set(paths) if PUBLIC in path]
    assert len(list(db.collection_group("messages").stream())) == len(kept)
    assert _files_with(emulator.data, PUBLIC)


def test_an_overwritten_value_and_a_removed_field_leave_nothing(
    emulator: Emulators, db: firestore.Client
) -> None:
    rng = random.Random(8)
    for number in range(200):
        db.document(f"notes/{number}").set(_message(rng, SECRET))
    for number in range(200):
        if number % 2:
            db.document(f"notes/{number}").set(_message(rng, PUBLIC))
        else:
            fields = ["content", "raw", "terms", "by"]
            db.document(f"notes/{number}").update(dict.fromkeys(fields, firestore.DELETE_FIELD))
    _checkpoint(emulator)

    assert _files_with(emulator.data, SECRET) == {}


def test_a_clean_stop_is_a_checkpoint(emulator: Emulators, db: firestore.Client) -> None:
    db.document("notes/one").set({"content": SECRET * 2000})
    db.document("notes/one").delete()
    emulator.stop()

    assert _files_with(emulator.data, SECRET) == {}


def test_what_a_killed_process_deleted_goes_with_the_next_checkpoint(
    emulator: Emulators, db: firestore.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(9)
    _fill(db, rng, 200)
    for group, word in GROUPS.items():
        if word == SECRET:
            db.recursive_delete(db.document(f"groups/{group}-{word}"))
    emulator.kill()
    emulator.start()
    _checkpoint(emulator)

    assert _files_with(emulator.data, SECRET) == {}


def test_an_idle_emulator_folds_its_log_by_itself(
    emulator: Emulators, db: firestore.Client
) -> None:
    db.document("notes/one").set({"content": SECRET * 2000})
    db.document("notes/one").delete()
    deadline = time.monotonic() + 30
    while _files_with(emulator.data, SECRET):
        assert time.monotonic() < deadline, "the log was not folded"
        time.sleep(0.1)

"""The Pinecone emulator killed under load: what it acknowledged is there, and nothing disagrees."""

import json
import os
import random
import sqlite3
import threading
import time
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from infra.emulators.pinecone.sparse import unpacked
from infra.emulators.testing import Emulators, emulators

KILLS = min(20, int(os.environ.get("KILLS", "8")))
"""`make faults` has twenty."""
DIMENSION = 16
KEY = {"Api-Key": "a-key-for-tests"}
PATIENCE_SECONDS = 60.0

Versions = dict[str, int]
"""Id to version; the version of a record decides its vector."""


def vector(record_id: str, version: int) -> list[float]:
    seed = [zlib.crc32(record_id.encode()), version]
    values: list[float] = (
        np.random.default_rng(seed).standard_normal(DIMENSION).astype("f4").tolist()
    )
    return values


def sparse(record_id: str, version: int) -> dict[str, list[Any]]:
    """A sparse vector that is another one for every version, too."""
    return {"indices": [version, 2**31 + zlib.crc32(record_id.encode()) // 2], "values": [1.5, 0.5]}


class Writer(threading.Thread):
    """Writes to its own ids until the server dies; knows what was acknowledged and what was not."""

    def __init__(self, name: str, namespace: str, state: Versions) -> None:
        super().__init__(daemon=True)
        self.writer = name
        self.namespace = namespace
        self.sure = dict(state)
        self.maybe = dict(state)
        self.acknowledged = 0
        self.failure: str | None = None
        self._version = max(state.values(), default=0)

    def begin(self, base: str, seed: int) -> None:
        self._client = httpx.Client(base_url=f"{base}/svc/killed", headers=KEY, timeout=30)
        self._random = random.Random(seed)
        self.start()

    def run(self) -> None:
        with self._client:
            while True:
                path, body, after = self._next()
                self.maybe = after
                try:
                    answer = self._client.post(path, json={"namespace": self.namespace, **body})
                except httpx.TransportError:
                    return
                if answer.status_code != 200:
                    self.failure = f"{path}: {answer.status_code} {answer.text}"
                    return
                self.sure = after
                self.acknowledged += 1

    def _next(self) -> tuple[str, dict[str, Any], Versions]:
        """A request and what holds after it."""
        self._version += 1
        known = sorted(self.sure)
        choice = self._random.random()
        if choice < 0.5 or not known:
            ids = [f"{self.writer}-{self._random.randrange(150)}" for _ in range(25)]
            changed = dict.fromkeys(ids, self._version)
            vectors = [
                {
                    "id": each,
                    "values": vector(each, self._version),
                    "sparseValues": sparse(each, self._version),
                    "metadata": self._metadata(),
                }
                for each in changed
            ]
            return "/vectors/upsert", {"vectors": vectors}, self.sure | changed
        if choice < 0.7:
            one = self._random.choice(known)
            body = {
                "id": one,
                "values": vector(one, self._version),
                "sparseValues": sparse(one, self._version),
                "setMetadata": self._metadata(),
            }
            return "/vectors/update", body, self.sure | {one: self._version}
        if choice < 0.9:
            gone = self._random.sample(known, min(len(known), 20))
            left = {each: v for each, v in self.sure.items() if each not in gone}
            return "/vectors/delete", {"ids": gone}, left
        bound = self._random.choice(sorted(self.sure.values()))
        left = {each: version for each, version in self.sure.items() if version >= bound}
        condition = {"writer": self.writer, "version": {"$lt": bound}}
        return "/vectors/delete", {"filter": condition}, left

    def _metadata(self) -> dict[str, Any]:
        return {"writer": self.writer, "version": self._version}


def _stored(client: httpx.Client, namespace: str, writer: str) -> Versions:
    """What a reader finds of one writer; every vector must be that of its metadata's version."""
    versions: Versions = {}
    token = ""
    while True:
        params = {"namespace": namespace, "prefix": f"{writer}-", "paginationToken": token}
        page = client.get("/vectors/list", params=params).raise_for_status().json()
        ids = [each["id"] for each in page["vectors"]]
        if ids:
            fetched = client.get("/vectors/fetch", params={"namespace": namespace, "ids": ids})
            for each, found in fetched.raise_for_status().json()["vectors"].items():
                version = int(found["metadata"]["version"])
                assert np.array_equal(
                    np.array(found["values"], "f4"), np.array(vector(each, version), "f4")
                ), f"{each} has the vector of another version than {version}"
                assert found["sparseValues"] == sparse(each, version)
                versions[each] = version
        if "pagination" not in page:
            return versions
        token = page["pagination"]["next"]


def _check_files(folder: Path) -> None:
    """Each row of a matrix is a record's vector or zeros, and each record has its row."""
    (index,) = (folder / "pinecone").glob("index-*")
    with closing(sqlite3.connect(f"file:{index}/ledger.db?mode=ro", uri=True)) as ledger:
        rows = ledger.execute("SELECT namespace, slot, id, metadata, born, dead FROM records")
        records = {(namespace, slot): rest for namespace, slot, *rest in rows}
        of_slot = {
            (namespace, slot): unpacked(packed).shown()
            for namespace, slot, packed in ledger.execute(
                "SELECT namespace, slot, vector FROM sparse"
            )
        }
    assert all((born, dead) == (1, 0) for _, _, born, dead in records.values())
    for path in index.glob("*.f32"):
        matrix = np.fromfile(path, dtype="f4").reshape(-1, DIMENSION)
        for slot, row in enumerate(matrix):
            record = records.pop((int(path.stem), slot), None)
            if record is None:
                assert not row.any(), f"{path.name} has bytes of no record in slot {slot}"
            else:
                version = int(json.loads(record[1])["version"])
                assert row.tolist() == vector(record[0], version)
                assert of_slot.pop((int(path.stem), slot)) == sparse(record[0], version)
    assert not records, "the ledger names rows that no matrix has"
    assert not of_slot, "there are sparse vectors of no record"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with one empty hybrid index."""
    with emulators(["pinecone"], tmp_path) as running:
        dense = {"type": "dense_vector", "dimension": DIMENSION, "metric": "dotproduct"}
        fields = {"_values": dense, "_sparse_values": {"type": "sparse_vector"}}
        body = {"name": "killed", "schema": {"fields": fields}}
        control = running.told["PINECONE_CONTROLLER_HOST"]
        httpx.post(f"{control}/indexes", json=body, headers=KEY).raise_for_status()
    return tmp_path


def test_acknowledged_writes_survive_kills_and_nothing_disagrees(folder: Path) -> None:
    writers = [
        Writer("alone", "one", {}),
        Writer("left", "shared", {}),
        Writer("right", "shared", {}),
    ]
    when = random.Random(20)
    total = 0
    for attempt in range(KILLS):
        # Every other time the last writes are not yet visible when the kill comes.
        freshness = "40" if attempt % 2 else "0"
        emulator = Emulators(["pinecone"], folder, "--freshness-ms", freshness).start()
        try:
            writers = _after_the_kill(emulator, writers)
            base = emulator.told["PINECONE_CONTROLLER_HOST"]
            for number, writer in enumerate(writers):
                writer.begin(base, seed=10 * attempt + number)
            _until_acknowledged(writers, when.randrange(10, 90))
        finally:
            emulator.kill()
        for writer in writers:
            writer.join(PATIENCE_SECONDS)
            assert writer.failure is None
        total += sum(writer.acknowledged for writer in writers)
    with emulators(["pinecone"], folder) as running:
        _after_the_kill(running, writers)
    assert total > 10 * KILLS


def _until_acknowledged(writers: list[Writer], count: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while sum(writer.acknowledged for writer in writers) < count:
        assert all(writer.failure is None for writer in writers), [w.failure for w in writers]
        assert time.monotonic() < deadline, "the emulator acknowledged too little"
        time.sleep(0.0005)


def _after_the_kill(emulator: Emulators, writers: list[Writer]) -> list[Writer]:
    """All that was acknowledged holds, and the last request wholly or not at all."""
    _check_files(emulator.data)
    base = emulator.told["PINECONE_CONTROLLER_HOST"]
    again = []
    with httpx.Client(base_url=f"{base}/svc/killed", headers=KEY) as client:
        for writer in writers:
            found = _stored(client, writer.namespace, writer.writer)
            assert found in (writer.sure, writer.maybe), writer.writer
            again.append(Writer(writer.writer, writer.namespace, found))
    return again

"""How fast the Pinecone emulator answers, by its own clock: `python -m bench.emulators_pinecone`.

Vectors are seeded, random and loaded in bulk, so that the time is the server's and not the
loader's. `measure` is the part that other benches call.
"""

import json
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from pinecone import Index, Pinecone

from infra.emulators.testing import Emulators

DIMENSION = 512
KINDS = ("message", "topic", "summary", "memory", "event", "profile", "entity")
QUERIES = 60
_BATCH = 5_000
VOCABULARY = 200_000
WORDS = 40
"""Of a row, its neighbours' included."""
ASKED = 12


def measure(
    scale: Sequence[int] = (10_000, 100_000), words_scale: Sequence[int] = (10_000, 100_000)
) -> dict[str, Any]:
    """Start-up seconds, memory, and the server's query times for one namespace of each size."""
    with tempfile.TemporaryDirectory(prefix="annals-bench-") as folder:
        emulator = Emulators(["pinecone"], Path(folder))
        started = time.perf_counter()
        emulator.start()
        try:
            measured: dict[str, Any] = {"start_seconds": round(time.perf_counter() - started, 2)}
            measured["idle_rss_mb"] = _rss_mb(emulator)
            client = Pinecone(api_key="bench", host=emulator.told["PINECONE_CONTROLLER_HOST"])
            field = {"type": "dense_vector", "dimension": DIMENSION, "metric": "cosine"}
            client.indexes.create(name="bench", schema={"fields": {"_values": field}})
            sparse = {"fields": {"_sparse_values": {"type": "sparse_vector"}}}
            client.indexes.create(name="words", schema=sparse)
            admin = emulator.told["admin"]["pinecone"]
            with client.index(name="bench") as index:
                for count in scale:
                    measured[str(count)] = _one_size(index, admin, count)
                    measured[str(count)]["rss_mb"] = _rss_mb(emulator)
            with client.index(name="words") as index:
                for count in words_scale:
                    measured[f"words_{count}"] = _words_of_one_size(index, admin, count)
                    measured[f"words_{count}"]["rss_mb"] = _rss_mb(emulator)
        finally:
            emulator.stop()
    return measured


def _one_size(index: Index, admin: str, count: int) -> dict[str, Any]:
    namespace = f"n{count}"
    random = np.random.default_rng(count)
    started = time.perf_counter()
    for start in range(0, count, _BATCH):
        _load(admin, namespace, start, random)
    loaded = time.perf_counter() - started
    asked = random.standard_normal((QUERIES, DIMENSION), dtype=np.float32)
    first = _times(admin, index, namespace, asked[:1], None)
    return {
        "load_seconds": round(loaded, 1),
        "first_query_ms": first["median"],
        "query_ms": _times(admin, index, namespace, asked, None),
        "first_filtered_ms": _times(admin, index, namespace, asked[:1], "topic")["median"],
        "filtered_query_ms": _times(admin, index, namespace, asked, "topic"),
    }


def _load(admin: str, namespace: str, start: int, random: np.random.Generator) -> None:
    ids = [f"{KINDS[n % len(KINDS)]}#{n}" for n in range(start, start + _BATCH)]
    metadata = [
        {"kind": KINDS[n % len(KINDS)], "id": str(n), "version": 1, "time": 1_700_000_000 + n}
        for n in range(start, start + _BATCH)
    ]
    numbers = random.standard_normal((_BATCH, DIMENSION), dtype=np.float32)
    body = json.dumps({"ids": ids, "metadata": metadata}).encode() + b"\n" + numbers.tobytes()
    url = f"{admin}/load?index=bench&namespace={namespace}"
    urllib.request.urlopen(urllib.request.Request(url, data=body)).close()


def _words_of_one_size(index: Index, admin: str, count: int) -> dict[str, Any]:
    """Rows of 40 words that follow Zipf's law, asked for by twelve words of the same kind: every
    third question has one of the hundred most frequent."""
    namespace = f"n{count}"
    random = np.random.default_rng(count)
    shares = 1 / np.arange(10, VOCABULARY + 10)
    bounds = np.cumsum(shares / shares.sum())
    started = time.perf_counter()
    for start in range(0, count, _BATCH):
        drawn = np.searchsorted(bounds, random.random((_BATCH, WORDS)))
        rows = [[(int(word), 1.0) for word in np.unique(row)] for row in drawn]
        ids = [str(n) for n in range(start, start + _BATCH)]
        metadata = [{"id": one, "version": 1, "time": 1_700_000_000 + int(one)} for one in ids]
        load_sparse(admin, "words", namespace, ids, rows, metadata)
    loaded = time.perf_counter() - started
    asked = np.searchsorted(bounds, random.random((QUERIES, ASKED)))
    common = random.integers(0, 100, QUERIES)
    asked[::3, 0] = common[::3]
    first = _word_times(admin, index, namespace, asked[:1], None)
    bound = 1_700_000_000 + count // 2
    return {
        "load_seconds": round(loaded, 1),
        "first_query_ms": first["median"],
        "query_ms": _word_times(admin, index, namespace, asked, None),
        "first_filtered_ms": _word_times(admin, index, namespace, asked[:1], bound)["median"],
        "filtered_query_ms": _word_times(admin, index, namespace, asked, bound),
    }


def load_sparse(
    admin: str,
    index: str,
    namespace: str,
    ids: Sequence[str],
    rows: Sequence[Sequence[tuple[int, float]]],
    metadata: Sequence[dict[str, Any]],
) -> None:
    """Sparse rows past the limits of the API."""
    ordered = [sorted(row) for row in rows]
    line = {"ids": ids, "metadata": metadata, "counts": [len(row) for row in ordered]}
    indices = np.array([word for row in ordered for word, _ in row], dtype="<u4")
    values = np.array([value for row in ordered for _, value in row], dtype="<f4")
    body = json.dumps(line).encode() + b"\n" + indices.tobytes() + values.tobytes()
    url = f"{admin}/load?index={index}&namespace={namespace}"
    urllib.request.urlopen(urllib.request.Request(url, data=body)).close()


def _word_times(
    admin: str, index: Index, namespace: str, asked: np.ndarray[Any, Any], until: int | None
) -> dict[str, Any]:
    urllib.request.urlopen(urllib.request.Request(f"{admin}/stats", method="DELETE")).close()
    for words in asked:
        distinct = sorted({int(word) for word in words})
        index.query(
            top_k=60,
            sparse_vector={"indices": distinct, "values": [2.5] * len(distinct)},
            namespace=namespace,
            include_metadata=True,
            filter=None if until is None else {"time": {"$lte": until}},
        )
    with urllib.request.urlopen(f"{admin}/stats") as answer:
        times: dict[str, Any] = json.load(answer)["query_ms"]
    return times


def _times(
    admin: str, index: Index, namespace: str, asked: np.ndarray[Any, Any], kind: str | None
) -> dict[str, Any]:
    """The server's own times for these queries, in ms: count, median, p95."""
    urllib.request.urlopen(urllib.request.Request(f"{admin}/stats", method="DELETE")).close()
    for vector in asked:
        index.query(
            top_k=10,
            vector=vector.tolist(),
            namespace=namespace,
            include_metadata=True,
            filter=None if kind is None else {"kind": kind},
        )
    with urllib.request.urlopen(f"{admin}/stats") as answer:
        times: dict[str, Any] = json.load(answer)["query_ms"]
    return times


def _rss_mb(emulator: Emulators) -> float:
    assert emulator.process is not None
    return round(psutil.Process(emulator.process.pid).memory_info().rss / 1e6, 1)


if __name__ == "__main__":
    sizes = [int(word) for word in sys.argv[1:]] or [10_000, 100_000]
    print(json.dumps(measure([one for one in sizes if one <= 100_000], sizes), indent=2))

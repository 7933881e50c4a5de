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


def measure(scale: Sequence[int] = (10_000, 100_000)) -> dict[str, Any]:
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
            admin = emulator.told["admin"]["pinecone"]
            with client.index(name="bench") as index:
                for count in scale:
                    measured[str(count)] = _one_size(index, admin, count)
                    measured[str(count)]["rss_mb"] = _rss_mb(emulator)
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
    print(json.dumps(measure(sizes), indent=2))

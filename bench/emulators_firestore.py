"""The Firestore emulator beside Google's own, through the same SDK.

Run it by `python -m bench.emulators_firestore`.

Both servers run at once and their samples alternate, so that noise hits both; what counts is the
ratio of medians after warm-up. `measure` is the part that other benches call.
"""

import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import psutil
from google.cloud import firestore

from infra.emulators.testing import Emulators

GOOGLE_CLASS = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
LIMIT = 1.2
"""The largest ratio of medians, ours to Google's, that is good enough."""

START_SECONDS = 60.0
_LOAD_BATCH = 500
_KINDS = 10
_SHARES = {"batch_of_100": 0.3, "query_range": 0.05, "query_equal": 0.03}
"""How many of the samples an operation gets: Google's emulator looks at every document of a
collection for each query, which takes seconds at 100,000."""

Operation = Callable[[firestore.Client, int], object]


def measure(documents: int = 100_000, samples: int = 300, warm_up: int = 600) -> dict[str, Any]:
    """Median milliseconds of each operation on both, and their ratio; start and memory of ours.

    Without Google's emulator on this machine the numbers of ours stand alone.
    """
    with tempfile.TemporaryDirectory(prefix="annals-bench-") as folder:
        ours = Emulators(["firestore"], Path(folder))
        started = time.perf_counter()
        ours.start()
        start_seconds = time.perf_counter() - started
        try:
            process = psutil.Process(ours.told["pids"]["firestore"])
            idle = process.memory_info().rss
            with google_emulator() as google:
                hosts = {"ours": str(ours.told["FIRESTORE_EMULATOR_HOST"])}
                if google:
                    hosts["google"] = google
                clients = {name: _client(host) for name, host in hosts.items()}
                loading = {name: _load(client, documents) for name, client in clients.items()}
                operations = _operations(documents)
                measured: dict[str, Any] = {
                    name: _beside(operation, clients, samples, warm_up)
                    for name, operation in operations.items()
                }
        finally:
            rss = process.memory_info().rss
            ours.stop()
    return {
        "start_seconds": round(start_seconds, 2),
        "idle_rss_mb": idle >> 20,
        "rss_mb": rss >> 20,
        "documents": documents,
        "load_seconds": loading,
        "operations": measured,
    }


def _client(host: str) -> firestore.Client:
    os.environ["FIRESTORE_EMULATOR_HOST"] = host
    return firestore.Client(project="bench")


def _load(client: firestore.Client, documents: int) -> float:
    started = time.perf_counter()
    for start in range(0, documents, _LOAD_BATCH):
        batch = client.batch()
        for number in range(start, min(start + _LOAD_BATCH, documents)):
            batch.set(client.document(f"messages/m{number:07}"), _message(number))
        batch.commit()
    return round(time.perf_counter() - started, 1)


def _message(number: int) -> dict[str, Any]:
    return {
        "number": number,
        "kind": f"kind{number % _KINDS}",
        "content": f"message number {number}, some words long",
        "sender": {"id": f"u{number % 97}", "name": "somebody"},
    }


def _operations(documents: int) -> dict[str, Operation]:
    def get(client: firestore.Client, turn: int) -> object:
        return client.document(f"messages/m{turn * 7919 % documents:07}").get()

    def set_one(client: firestore.Client, turn: int) -> object:
        return client.document(f"notes/n{turn}").set(_message(turn))

    def batch_of_100(client: firestore.Client, turn: int) -> object:
        batch = client.batch()
        for place in range(100):
            batch.set(client.document(f"batches/b{turn}-{place}"), _message(turn + place))
        return batch.commit()

    def query_range(client: firestore.Client, turn: int) -> object:
        low = turn * 7919 % documents
        return list(_messages(client, "number", ">=", low).order_by("number").limit(20).stream())

    def query_equal(client: firestore.Client, turn: int) -> object:
        query = _messages(client, "kind", "==", f"kind{turn % _KINDS}")
        newest = query.order_by("number", direction=firestore.Query.DESCENDING)
        return list(newest.limit(20).stream())

    def transaction(client: firestore.Client, turn: int) -> object:
        counter = client.document(f"counters/c{turn % 50}")

        @firestore.transactional
        def increment(transaction: firestore.Transaction) -> None:
            read = counter.get(transaction=transaction)
            count = (read.to_dict() or {}).get("count", 0)
            transaction.set(counter, {"count": count + 1})

        return increment(client.transaction())

    return {
        "get": get,
        "set": set_one,
        "batch_of_100": batch_of_100,
        "query_20_of_all": query_range,
        "query_20_of_a_tenth_newest_first": query_equal,
        "transaction": transaction,
    }


def _messages(client: firestore.Client, path: str, op: str, value: Any) -> firestore.Query:
    found = client.collection("messages").where(filter=firestore.FieldFilter(path, op, value))
    assert isinstance(found, firestore.Query)
    return found


def _beside(
    operation: Operation, clients: dict[str, firestore.Client], samples: int, warm_up: int
) -> dict[str, float]:
    """Alternate between the servers; who goes first alternates too."""
    share = _SHARES.get(operation.__name__, 1.0)
    rounds = (max(9, int(samples * share)), max(3, int(warm_up * share)))
    times: dict[str, list[float]] = {name: [] for name in clients}
    for turn in range(sum(rounds)):
        order = list(clients) if turn % 2 else list(reversed(clients))
        for name in order:
            started = time.perf_counter()
            operation(clients[name], turn)
            if turn >= rounds[1]:
                times[name].append(time.perf_counter() - started)
    out = {f"{name}_ms": round(statistics.median(taken) * 1000, 2) for name, taken in times.items()}
    if "google" in times:
        ratio = statistics.median(times["ours"]) / statistics.median(times["google"])
        out["ratio"] = round(ratio, 2)
    return out


@contextmanager
def google_emulator() -> Iterator[str | None]:
    """Google's own emulator, if the Cloud SDK has it here; its host and port."""
    jar = _google_jar()
    if jar is None:
        yield None
        return
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="annals-referee-") as folder:
        process = subprocess.Popen(
            ["java", "-cp", jar, GOOGLE_CLASS, "start", "--host=127.0.0.1", f"--port={port}"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
                grpc.channel_ready_future(channel).result(timeout=START_SECONDS)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def _google_jar() -> str | None:
    gcloud = shutil.which("gcloud")
    if gcloud is None or shutil.which("java") is None:
        return None
    asked = [gcloud, "info", "--format=value(installation.sdk_root)"]
    root = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    jars = sorted(Path(root).glob("platform/cloud-firestore-emulator/*.jar"))
    return str(jars[0]) if jars else None


def main() -> int:
    measured = measure()
    print(json.dumps(measured, indent=2))
    ratios = [one.get("ratio", 0.0) for one in measured["operations"].values()]
    return int(max(ratios) > LIMIT)


if __name__ == "__main__":
    sys.exit(main())

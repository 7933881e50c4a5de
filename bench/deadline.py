"""Whether a bot's reply ever waits longer for its memory than it said: contexts of an Annals that
is down, slow or answers nonsense, through both clients, at the default deadline.

A busy machine wakes everybody late. So every context is followed by a plain wait of the same
length in the same process: what that is late by is the machine's, what a context is late by beyond
it is the client's."""

import argparse
import asyncio
import logging
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from bench.results import keep

sys.path.insert(0, str(Path(__file__).parent.parent / "clients" / "python"))

from annals import Annals, AsyncAnnals, Context
from annals.addresses import CONTEXT_DEADLINE_S

ALLOWED_S = 0.05
"""Late by more than this is told."""
WAYS = ("down", "slow", "halfway", "garbage")
SLOW_S = 5.0


def serve(way: str) -> None:
    """Prints its port, then answers every connection in one way, for as long as it lives."""
    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    while True:
        to, _ = listening.accept()
        threading.Thread(target=_answer, args=(to, way), daemon=True).start()


def _answer(to: socket.socket, way: str) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    with to:
        try:
            to.recv(65536)
            if way == "slow":
                time.sleep(SLOW_S)
            if way == "halfway":
                to.sendall(head + b"Content-Length: 100000\r\n\r\n{")
                while True:
                    time.sleep(0.02)
                    to.sendall(b" ")
            to.sendall(head + b"Connection: close\r\n\r\n" + b'{"items": [' * 50_000)
        except OSError:
            return  # who asked is gone


@dataclass
class Row:
    """Seconds by which contexts, and the plain waits beside them, came after the deadline."""

    name: str
    contexts: list[Context] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    wait_late: list[float] = field(default_factory=list)
    processor_s: float = 0.0
    raised: int = 0

    def told(self) -> str:
        empty = sum(not one for one in self.contexts)
        beyond = sum(late > ALLOWED_S for late in self.late)
        plain = sum(late > ALLOWED_S for late in self.wait_late)
        return (
            f"{self.name:<16}{empty:>5} of {len(self.late):<4}{self.raised:>7}"
            f"{1000 * max(self.late):>11.0f}{beyond:>6}"
            f"{1000 * max(self.wait_late):>11.0f}{plain:>6}"
            f"{1000 * self.processor_s / len(self.late):>11.1f}"
        )


HEAD = (
    f"{'':<35}{'a context':>17}{'a plain wait':>17}{'processor':>11}\n"
    f"{'':<16}{'empty':>12}{'raised':>7}{'latest ms':>11}{'late':>6}{'latest ms':>11}{'late':>6}"
    f"{'ms each':>11}"
)


def ask_sync(row: Row, url: str, queue: Path, count: int) -> None:
    with Annals(url, queue=queue) as memory:
        for _ in range(count):
            started, busy = time.monotonic(), time.process_time()
            try:
                row.contexts.append(memory.context("demo:1", "When do we ship?"))
            except Exception:  # noqa: BLE001  this is what must not be, and is counted
                row.raised += 1
            row.late.append(time.monotonic() - started - CONTEXT_DEADLINE_S)
            row.processor_s += time.process_time() - busy
            started = time.monotonic()
            threading.Event().wait(CONTEXT_DEADLINE_S)
            row.wait_late.append(time.monotonic() - started - CONTEXT_DEADLINE_S)


async def ask_async(row: Row, url: str, queue: Path, count: int) -> None:
    async with AsyncAnnals(url, queue=queue) as memory:
        for _ in range(count):
            started, busy = time.monotonic(), time.process_time()
            try:
                row.contexts.append(await memory.context("demo:1", "When do we ship?"))
            except Exception:  # noqa: BLE001  this is what must not be, and is counted
                row.raised += 1
            row.late.append(time.monotonic() - started - CONTEXT_DEADLINE_S)
            row.processor_s += time.process_time() - busy
            started = time.monotonic()
            await asyncio.sleep(CONTEXT_DEADLINE_S)
            row.wait_late.append(time.monotonic() - started - CONTEXT_DEADLINE_S)


def measured(way: str, count: int, folder: Path) -> list[Row]:
    serving = subprocess.Popen(
        [sys.executable, "-m", "bench.deadline", "--serve", way], stdout=subprocess.PIPE, text=True
    )
    assert serving.stdout is not None
    url = f"http://127.0.0.1:{int(serving.stdout.readline())}"
    if way == "down":
        serving.kill()
    rows = [Row(f"{way}, sync"), Row(f"{way}, async")]
    try:
        ask_sync(rows[0], url, folder / f"{way}.db", count)
        asyncio.run(ask_async(rows[1], url, folder / f"{way}-async.db", count))
    finally:
        serving.kill()
        serving.wait()
        serving.stdout.close()
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="contexts of each way and client")
    parser.add_argument("--serve", choices=WAYS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
    logging.getLogger("annals").disabled = True
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for way in WAYS for row in measured(way, options.count, Path(folder))]
    lines = [
        f"contexts within {CONTEXT_DEADLINE_S:g} s; late: by more than {1000 * ALLOWED_S:.0f} ms",
        HEAD,
        *(row.told() for row in rows),
    ]
    print(keep("deadline", "python -m bench.deadline", "\n".join(lines)))
    whole = all(len(row.contexts) == options.count and not any(row.contexts) for row in rows)
    return 0 if whole else 1


if __name__ == "__main__":
    raise SystemExit(main())

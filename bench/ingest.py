"""How long `/messages` and `/end` take, beside an echo through the same door.

`python -m bench.ingest [--seconds 10]`: 50 requests a second of each kind over the local cloud, all
of it on this machine; messages once more while their topics wait, for what the route itself costs;
then messages a second with 16 senders, single and in lists of 20, and a count that none is lost.
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from bench.results import keep
from tests.local_cloud import LocalCloud

RATE = 50
SENDERS = 16


class Caller:
    def __init__(self, cloud: LocalCloud, client: httpx.AsyncClient) -> None:
        self._base = cloud.told["base"]
        self._headers = {"Authorization": f"Bearer {cloud.told['key']}"}
        self._client = client

    async def echo(self, _: int) -> None:
        answer = await self._client.get(f"{self._base}/ingest_message/health/live")
        answer.raise_for_status()

    async def message(self, number: int) -> None:
        await self._post("/ingest_message/messages", _message(number, f"bench:{number % 20}"))

    async def end(self, number: int) -> None:
        note = {
            "group_id": f"bench:{number % 20}",
            "user_id": "u1",
            "request_id": f"r{number}",
            "end_seq": 1,
            "action_summary": f"answered question {number}",
        }
        await self._post("/ingest_message/end", note)

    async def send(self, messages: Any) -> None:
        await self._post("/ingest_message/messages", messages)

    async def _post(self, path: str, body: Any) -> None:
        answer = await self._client.post(self._base + path, json=body, headers=self._headers)
        answer.raise_for_status()


def _message(number: int, group_id: str) -> dict[str, Any]:
    return {
        "group_id": group_id,
        "message_id": f"m{number}",
        "user_id": f"u{number % 7}",
        "user_name": f"User {number % 7}",
        "content": f"message {number}: shall we move the release to Friday? 周五发布可以吗？",
        "role": "user",
        "create_time": datetime.now(UTC).isoformat(),
    }


async def paced(call: Callable[[int], Awaitable[None]], seconds: float, start: int) -> list[float]:
    """Milliseconds of calls sent at a fixed rate, whether or not the earlier ones are back."""
    took: list[float] = []

    async def one(number: int) -> None:
        began = time.perf_counter()
        await call(number)
        took.append((time.perf_counter() - began) * 1000)

    tasks = []
    began = time.perf_counter()
    for number in range(int(seconds * RATE)):
        await asyncio.sleep(max(0.0, began + number / RATE - time.perf_counter()))
        tasks.append(asyncio.create_task(one(start + number)))
    await asyncio.gather(*tasks)
    return took


async def flood(caller: Caller, total: int, listed: int, group: str) -> float:
    """Messages a second with all senders busy."""
    work: asyncio.Queue[list[dict[str, Any]]] = asyncio.Queue()
    for start in range(0, total, listed):
        work.put_nowait([_message(start + one, f"{group}:{start % 16}") for one in range(listed)])

    async def sender() -> None:
        while not work.empty():
            messages = work.get_nowait()
            await caller.send(messages if listed > 1 else messages[0])

    began = time.perf_counter()
    await asyncio.gather(*(sender() for _ in range(SENDERS)))
    return total / (time.perf_counter() - began)


async def count(cloud: LocalCloud, group: str) -> int:
    """What is stored, asked of Firestore itself."""

    from shared.stores.firestore import collection, connect

    host = cloud.told["endpoints"]["FIRESTORE_EMULATOR_HOST"]
    firestore = connect("annals-local", emulator=host)
    counted = [
        await firestore.count(collection(f"groups/{group}:{number}/messages"))
        for number in range(16)
    ]
    await firestore.close()
    return sum(counted)


def _line(name: str, took: list[float], echo: list[float]) -> str:
    def at(values: list[float], share: float) -> float:
        return sorted(values)[int(len(values) * share) - 1]

    p50, p95 = statistics.median(took), at(took, 0.95)
    ratios = f"{p50 / statistics.median(echo):5.1f} x {p95 / at(echo, 0.95):9.1f} x"
    return f"{name:<12}{p50:9.1f} ms{p95:9.1f} ms   {ratios}"


async def measure(cloud: LocalCloud, seconds: float, total: int) -> str:
    limits = httpx.Limits(max_connections=64)
    async with httpx.AsyncClient(timeout=60, trust_env=False, limits=limits) as client:
        caller = Caller(cloud, client)
        for warm_up in (caller.echo, caller.message, caller.end):
            await paced(warm_up, 1, 900_000)
        took = []
        for start, call in enumerate((caller.echo, caller.message, caller.end)):
            # What the last phase caused is done first: each is measured by itself.
            await asyncio.to_thread(cloud.wait_until_idle)
            took.append(await paced(call, seconds, start * 100_000))
        echo, messages, notes = took
        await asyncio.to_thread(cloud.wait_until_idle)
        with cloud.paused("attribute"):
            alone = await paced(caller.message, seconds, 300_000)
        await asyncio.to_thread(cloud.wait_until_idle)
        single = await flood(caller, total, 1, "single")
        listed = await flood(caller, total * 5, 20, "listed")
        stored = await count(cloud, "single"), await count(cloud, "listed")
    return "\n".join(
        [
            f"{RATE} requests/s for {seconds:g} s each, over one local port",
            "",
            f"{'':<12}{'p50':>12}{'p95':>12}   p50/echo    p95/echo",
            _line("echo", echo, echo),
            _line("/messages", messages, echo),
            _line("/end", notes, echo),
            _line("/messages*", alone, echo),
            "* while their topics wait",
            "",
            f"{SENDERS} senders, single       {single:8.0f} messages/s",
            f"{SENDERS} senders, lists of 20  {listed:8.0f} messages/s",
            f"stored {stored[0]} of {total} and {stored[1]} of {total * 5}",
        ]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--total", type=int, default=1000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="annals-bench-") as folder:
        cloud = LocalCloud(Path(folder) / "data").start()
        try:
            text = asyncio.run(measure(cloud, args.seconds, args.total))
        finally:
            cloud.close()
    print(keep("ingest", "python -m bench.ingest", text))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

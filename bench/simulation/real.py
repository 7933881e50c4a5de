"""A real run of the local cloud at a size that fits one machine, and the simulation of the same."""

import asyncio
import json
import random
import statistics
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import simpy

from bench.simulation.day import share
from bench.simulation.system import Group, Room, System, Work
from shared.config import load
from shared.contracts.queues import queues
from shared.domain.jobs.slots import Slots
from shared.wiring import Services
from tests.local_cloud import LocalCloud

GROUPS, SECONDS, EACH_S = 12, 150.0, 5.0
"""So many groups say something every so many seconds on average, for so long."""
SLOT_S = 6.0
LINES = (
    "does anybody have the key of the bicycle shed",
    "the train at eight is late again",
    "who brings the cake on sunday",
    "i can look at the printer after lunch",
    "please water the plants while i am away",
)


@dataclass(frozen=True)
class Compared:
    about: str
    numbers: dict[str, tuple[float, float]]


def real_and_simulated(folder: Path) -> Compared:
    waits, took = _real(folder)
    simulation = _simulated(took)
    about = (
        f"{GROUPS} groups, a message every {EACH_S:g} s each, {SECONDS:g} s, slots of "
        f"{SLOT_S:g} s: {len(waits)} runs, {statistics.mean(took):.2f} s each"
    )
    return Compared(
        about,
        {
            "oldest line, mean": (statistics.mean(waits), statistics.mean(simulation)),
            "oldest line, median": (share(waits, 0.5), share(simulation, 0.5)),
            "oldest line, p90": (share(waits, 0.9), share(simulation, 0.9)),
        },
    )


def _real(folder: Path) -> tuple[list[float], list[float]]:
    """How long the oldest line of each run waited, and how long the runs took."""
    cloud = LocalCloud(folder / "data", ANNALS_SLOT_ASKED_SECONDS=str(SLOT_S)).start()
    try:
        asyncio.run(_talk(cloud.told))
        waits = asyncio.run(_waits(cloud.told))
    finally:
        cloud.stop()
    took = []
    for line in (folder / "local.log").read_text("utf-8", "replace").splitlines():
        if "/tasks/attribute" in line and '"took_ms"' in line:
            try:
                took.append(json.loads(line[line.index("{") :])["took_ms"] / 1000)
            except ValueError:
                continue
    return sorted(waits), took


async def _talk(told: dict[str, Any]) -> None:
    dice, headers = random.Random(7), {"Authorization": f"Bearer {told['key']}"}
    url = f"{told['base']}/ingest_message/messages"
    async with httpx.AsyncClient(timeout=60, trust_env=False, headers=headers) as client:
        # The first message of a process pays for its imports.
        await client.post(url, json=_message("bench:warm", 0, dice))
        await asyncio.sleep(20)

        async def speaks(number: int) -> None:
            until, count = time.monotonic() + SECONDS, 0
            own = random.Random(number)
            while True:
                await asyncio.sleep(own.expovariate(1 / EACH_S))
                if time.monotonic() >= until:
                    return
                count += 1
                answer = await client.post(url, json=_message(f"bench:{number}", count, own))
                assert answer.status_code == 202, answer.text

        await asyncio.gather(*map(speaks, range(GROUPS)))
        await asyncio.sleep(4 * SLOT_S)


def _message(group_id: str, number: int, dice: random.Random) -> dict[str, Any]:
    return {
        "group_id": group_id,
        "message_id": f"m{number}",
        "user_id": f"u{dice.randrange(3)}",
        "content": dice.choice(LINES),
        "create_time": datetime.now(UTC).isoformat(),
    }


async def _waits(told: dict[str, Any]) -> list[float]:
    """Lines that one commit gave their topics have one time: of each the oldest counts."""
    endpoints = told["endpoints"]
    settings, _ = load(
        {
            "GOOGLE_CLOUD_PROJECT": "annals-local",
            "FIRESTORE_EMULATOR_HOST": endpoints["FIRESTORE_EMULATOR_HOST"],
        }
    )
    made, waits = Services(settings), []
    try:
        for number in range(GROUPS):
            runs: dict[datetime, list[datetime]] = {}
            for one in await made.messages.since(f"bench:{number}", None, 1000):
                if one.topic_id and one.updated_at and one.received_at:
                    runs.setdefault(one.updated_at, []).append(one.received_at)
            waits += [(at - min(came)).total_seconds() for at, came in runs.items()]
    finally:
        await made.close()
    return waits


def _simulated(took: list[float]) -> list[float]:
    """The same groups for an hour, with the service times that the run had."""
    row, mean = queues()["attribute"], statistics.mean(took)
    table = _queue_row()
    env = simpy.Environment()
    dice = random.Random(3)
    groups = [Group(1 / EACH_S, dice.random()) for _ in range(GROUPS)]
    slot = timedelta(seconds=SLOT_S)
    system = System(
        env,
        groups,
        Work(0.3 * mean, 0.7 * mean, statistics.pstdev(took) / mean),
        Room(
            rate=table["rate_per_second"],
            concurrency=table["concurrency"],
            instances=1,
            at_once=table["concurrency"],
            cold_start_s=0,
            attempts=row.max_attempts,
            min_backoff_s=row.min_backoff_s,
            max_backoff_s=row.max_backoff_s,
            doublings=row.max_doublings,
        ),
        Slots(slot, slot, slot),
        asked=0.0,
        busy_at=lambda _: 1.0,
        outages=[],
        effects={},
    )
    env.run(until=3600)
    return sorted(wait for _, wait in system.waits)


def _queue_row() -> dict[str, Any]:
    import tomllib

    from shared.contracts.queues import TABLE

    row: dict[str, Any] = tomllib.loads(TABLE.read_text("utf-8"))["queues"]["attribute"]
    return row

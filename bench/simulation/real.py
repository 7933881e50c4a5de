"""A real run of the local cloud at a size that fits one machine, and the simulation of the same.

Three stretches of talk, each of groups of its own: a queue with room, one that sends less than is
asked of it, and one that stands still for a while. How long runs take on this machine, at that
moment, beside whatever else it does, is what the simulation is told; when they begin, what they
find and how long lines wait for them is what it must reproduce.
"""

import asyncio
import json
import random
import statistics
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import simpy

from bench.simulation.day import share
from bench.simulation.system import Group, Outage, Room, System, Work
from shared.contracts.queues import TABLE, queues
from shared.domain.jobs.attribution_tasks import Slots
from tests.local_cloud import QUEUES, LocalCloud, tasks_client

GROUPS, EACH_S = 16, 5.0
"""So many groups say something every so many seconds on average."""
ASKED_S, SLOT_S = 2.0, 6.0
SEEDS = 30
"""Simulated so often, with other dice: of the real run there is one."""
FORGOTTEN = 1e-9
"""Of the pace, when the talk is over."""
LINES = (
    "does anybody have the key of the bicycle shed",
    "the train at eight is late again",
    "who brings the cake on sunday",
    "i can look at the printer after lunch",
    "please water the plants while i am away",
)


@dataclass(frozen=True)
class Stretch:
    """`rate`: tasks a second of the queue, if not as the table has it. `still`: from when to when
    it sends nothing."""

    name: str
    about: str
    seconds: float = 60.0
    rate: float | None = None
    still: tuple[float, float] | None = None


STRETCHES = (
    Stretch("calm", "a queue with room"),
    Stretch("still", "a queue that stands still for 30 s", still=(20.0, 50.0)),
    Stretch("slow", "a queue of 0.8 tasks a second", rate=0.8),
)


@dataclass(frozen=True)
class Measured:
    """Of the real runs: how long the oldest line of each had waited, how long they took, and those
    that found nothing."""

    waits: list[float]
    took: list[float]
    nothing: list[float]


@dataclass(frozen=True)
class Compared:
    about: str
    numbers: dict[str, tuple[float, float]]


def real_and_simulated(folder: Path) -> list[Compared]:
    _talked(folder)
    log = folder / "local.log"
    return [_compared(one, _measured(log, one)) for one in STRETCHES]


def _compared(stretch: Stretch, real: Measured) -> Compared:
    waits = _simulated(stretch, real)
    numbers = {
        "oldest line, mean": (statistics.mean(real.waits), statistics.mean(waits)),
        "oldest line, median": (share(real.waits, 0.5), share(waits, 0.5)),
        "oldest line, p90": (share(real.waits, 0.9), share(waits, 0.9)),
    }
    about = (
        f"{stretch.about}: {len(real.waits)} runs of {statistics.mean(real.took):.2f} s "
        f"(simulated {len(waits) / SEEDS:.0f}), {len(real.nothing)} that found nothing"
    )
    return Compared(about, numbers)


# ---- the real one


def _talked(folder: Path) -> None:
    slots = {
        "ANNALS_SLOT_ASKED_SECONDS": ASKED_S,
        "ANNALS_SLOT_ORDINARY_SECONDS": SLOT_S,
        "ANNALS_SLOT_LATE_SECONDS": SLOT_S,
    }
    cloud = LocalCloud(folder / "data", **{name: str(one) for name, one in slots.items()}).start()
    try:
        _say(cloud.told, "warm", 8.0)  # the first of everything pays for its imports
        cloud.wait_until_idle()
        for stretch in STRETCHES:
            _set_rate(cloud, stretch.rate or _row()["rate_per_second"])
            _say(cloud.told, stretch.name, stretch.seconds, cloud, stretch.still)
            _until_empty(cloud)
    finally:
        cloud.stop()


def _set_rate(cloud: LocalCloud, rate: float) -> None:
    with tasks_client(cloud.told["endpoints"]["CLOUD_TASKS_ENDPOINT"]) as client:
        client.update_queue(
            request={
                "queue": {
                    "name": f"{QUEUES}/attribute",
                    "rate_limits": {"max_dispatches_per_second": rate},
                },
                "update_mask": {"paths": ["rate_limits.max_dispatches_per_second"]},
            }
        )


def _until_empty(cloud: LocalCloud) -> None:
    """The slots of what was said last are over, and their tasks ran."""
    time.sleep(SLOT_S + 4)
    until = time.monotonic() + 300
    with tasks_client(cloud.told["endpoints"]["CLOUD_TASKS_ENDPOINT"]) as client:
        while list(client.list_tasks(parent=f"{QUEUES}/attribute")):
            assert time.monotonic() < until, "the queue does not get empty"
            time.sleep(1)


def _say(
    told: dict[str, Any],
    name: str,
    seconds: float,
    cloud: LocalCloud | None = None,
    still: tuple[float, float] | None = None,
) -> None:
    async def all_of_it() -> None:
        headers = {"Authorization": f"Bearer {told['key']}"}
        async with httpx.AsyncClient(timeout=60, trust_env=False, headers=headers) as client:
            speakers = [_speaks(client, told, f"bench:{name}-{n}", seconds) for n in range(GROUPS)]
            pause = [asyncio.to_thread(_stand_still, cloud, *still)] if cloud and still else []
            await asyncio.gather(*speakers, *pause)

    asyncio.run(all_of_it())


def _stand_still(cloud: LocalCloud, begins: float, ends: float) -> None:
    time.sleep(begins)
    with cloud.paused("attribute"):
        time.sleep(ends - begins)


async def _speaks(
    client: httpx.AsyncClient, told: dict[str, Any], group_id: str, seconds: float
) -> None:
    dice, until, count = random.Random(group_id), time.monotonic() + seconds, 0
    while True:
        await asyncio.sleep(dice.expovariate(1 / EACH_S))
        if time.monotonic() >= until:
            return
        count += 1
        message = {
            "group_id": group_id,
            "message_id": f"m{count}",
            "user_id": f"u{dice.randrange(3)}",
            "content": dice.choice(LINES),
            "create_time": datetime.now(UTC).isoformat(),
        }
        answer = await client.post(f"{told['base']}/ingest_message/messages", json=message)
        assert answer.status_code == 202, answer.text


def _measured(log: Path, stretch: Stretch) -> Measured:
    """Every request logs how long it took, and every run that placed something how long the oldest
    of that had waited."""
    entries = list(_entries(log))
    ran = {
        one["request_id"]: one["waited_s"]
        for one in entries
        if one.get("message") == "attributed"
        and str(one.get("group_id")).startswith(f"bench:{stretch.name}-")
    }
    first, last = _span(entries, ran)
    took, nothing = [], []
    for one in entries:
        if one.get("route") == "/tasks/attribute" and one.get("message") == "request":
            if one["request_id"] in ran:
                took.append(one["took_ms"] / 1000)
            elif first <= one["time"] <= last:
                nothing.append(one["took_ms"] / 1000)
    return Measured(sorted(ran.values()), took, nothing)


def _span(entries: list[dict[str, Any]], ran: dict[str, float]) -> tuple[str, str]:
    times = [one["time"] for one in entries if one.get("request_id") in ran]
    return min(times), max(times)


def _entries(log: Path) -> Iterator[dict[str, Any]]:
    for line in log.read_text("utf-8", "replace").splitlines():
        if "{" in line and "request_id" in line:
            try:
                yield json.loads(line[line.index("{") :])
            except ValueError:
                continue


# ---- the simulation


def _simulated(stretch: Stretch, real: Measured) -> list[float]:
    return sorted(wait for seed in range(SEEDS) for wait in _one_of(stretch, real, seed))


def _one_of(stretch: Stretch, real: Measured, seed: int) -> list[float]:
    row, table, mean = queues()["attribute"], _row(), statistics.mean(real.took)
    env, dice = simpy.Environment(), random.Random(seed)
    system = System(
        env,
        [Group(1 / EACH_S, dice.random()) for _ in range(GROUPS)],
        # What the processor does to them is in what they took.
        Work(
            0.0,
            mean,
            statistics.pstdev(real.took) / mean,
            statistics.mean(real.nothing) if real.nothing else 0.05,
        ),
        Room(
            rate=stretch.rate or table["rate_per_second"],
            concurrency=table["concurrency"],
            instances=1,
            at_once=table["concurrency"],
            cold_start_s=0,
            attempts=row.max_attempts,
            min_backoff_s=row.min_backoff_s,
            max_backoff_s=row.max_backoff_s,
            doublings=row.max_doublings,
        ),
        Slots(*(timedelta(seconds=one) for one in (ASKED_S, SLOT_S, SLOT_S))),
        asked=0.0,
        busy_at=lambda now: 1.0 if now < stretch.seconds else FORGOTTEN,
        outages=[Outage("queue", *stretch.still)] if stretch.still else [],
        effects={},
        seed=seed,
    )
    env.run(until=stretch.seconds + 300)
    return [wait for _, wait in system.waits]


def _row() -> dict[str, Any]:
    row: dict[str, Any] = tomllib.loads(TABLE.read_text("utf-8"))["queues"]["attribute"]
    return row

"""What follows from `capacity.toml`: how many, how fast, how large. Pure but for reading it."""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from shared.config import Settings
from shared.domain.ids import SHARDS

TABLE = Path(__file__).parent / "capacity.toml"
SERVICES = ("firestore", "tasks", "pinecone", "embeddings", "chat")
SPREAD = {"attribute": "ANNALS_ATTRIBUTE_QUEUES", "summarize": "ANNALS_SUMMARIZE_QUEUES"}
"""Queues that may be several, and the settings that tell the functions over how many."""
DAY_S = 86_400
CHANGES_A_MESSAGE = 2
"""Of the index of what waits: the message comes in, and goes out with its topic."""


@cache
def capacity() -> Mapping[str, Any]:
    return tomllib.loads(TABLE.read_text("utf-8"))


@dataclass(frozen=True)
class Need:
    """One kind of work at the peak: how many begin a second, how long each takes."""

    rate: float
    cpu_s: float
    waits_s: float

    @property
    def seconds(self) -> float:
        return self.cpu_s + self.waits_s

    @property
    def at_once(self) -> float:
        return self.rate * self.seconds


@dataclass(frozen=True)
class Talk:
    """How the groups of a size speak at the peak: messages a second of a sparse and a busy one."""

    sparse_groups: float
    busy_groups: float
    sparse: float
    busy: float

    @property
    def messages(self) -> float:
        return self.sparse_groups * self.sparse + self.busy_groups * self.busy


def talk(size: Mapping[str, Any], table: Mapping[str, Any], peak: float | None = None) -> Talk:
    load = table["load"]
    times = load["peak"] if peak is None else peak
    sparse = size["groups"] * load["sparse_groups"]
    busy = size["groups"] - sparse
    rest = size["messages_a_day"] - sparse * load["sparse_a_day"]
    return Talk(sparse, busy, times * load["sparse_a_day"] / DAY_S, times * rest / busy / DAY_S)


def runs_a_second(said: Talk, asked: float, ordinary_s: float, asked_s: float) -> float:
    """Runs of attribution: one a group and slot in which something was said, and one more, sooner,
    where the bot was asked."""

    def of(rate: float) -> float:
        slots = (1 - math.exp(-rate * ordinary_s)) / ordinary_s
        return slots + (1 - math.exp(-rate * asked * asked_s)) / asked_s

    return said.sparse_groups * of(said.sparse) + said.busy_groups * of(said.busy)


def needs(name: str, table: Mapping[str, Any] | None = None) -> dict[str, Need]:
    """Of each kind of work of a size, at its peak."""
    table = table or capacity()
    size, load, times = table["sizes"][name], table["load"], table["dependencies"]
    said = talk(size, table)
    settings = Settings()
    found = {}
    for kind, row in table["work"].items():
        if "a_message" in row:
            rate = row["a_message"] * said.messages
        elif "a_night" in row:
            rate = row["a_night"] * size["groups"] / load["night_s"]
        else:
            slots = settings.slot_ordinary_seconds, settings.slot_asked_seconds
            rate = runs_a_second(said, load["asked"], *slots)
        waits = sum(row.get(one, 0) * times[f"{one}_s"] for one in SERVICES)
        found[kind] = Need(rate, row["cpu_s"], waits)
    return found


def derived(name: str, table: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The numbers to deploy a size with: of queues by their names, and of deployments."""
    table = table or capacity()
    rules, work, found = table["rules"], table["work"], needs(name, table)
    queues: dict[str, Any] = {}
    together: dict[str, list[Need]] = {}
    for kind, row in work.items():
        together.setdefault(row["deployment"], []).append(found[kind])
        if "queue" in row:
            queues |= _queues(row["queue"], found[kind], rules)
    return {
        "queues": queues,
        "deployments": {one: _deployment(own, rules) for one, own in together.items()},
        "settings": {
            setting: str(sum(row["row"] == name for row in queues.values()))
            for name, setting in SPREAD.items()
        },
    }


def _queues(queue: str, need: Need, rules: Mapping[str, Any]) -> dict[str, Any]:
    """One, or as many as share what one may not send alone."""
    rate = max(1.0, need.rate * rules["headroom"])
    at_once = max(2.0, need.at_once * rules["headroom"])
    count = math.ceil(rate / rules["queue_rate"])
    row = {
        "row": queue,
        "rate_per_second": math.ceil(rate / count),
        "concurrency": math.ceil(at_once / count),
    }
    return {shard_name(queue, number): row for number in range(count)}


def shard_name(queue: str, number: int) -> str:
    """The first has the queue's own name."""
    return queue if number == 0 else f"{queue}-{number + 1}"


def _deployment(own: list[Need], rules: Mapping[str, Any]) -> dict[str, int]:
    """As many requests at once as fill the processor so far, and instances for the peak."""
    at_once = sum(one.at_once for one in own)
    processors = sum(one.rate * one.cpu_s for one in own)
    each = rules["processor"] * at_once / processors
    concurrency = max(rules["least_at_once"], min(rules["most_at_once"], math.floor(each)))
    instances = math.ceil(at_once * rules["headroom"] / concurrency)
    return {
        "concurrency": concurrency,
        "max_instances": max(rules["least_instances"], instances),
    }


def complaints(table: Mapping[str, Any] | None = None) -> list[str]:
    """What a size would need that there is not: parts of the indexes over all groups."""
    table = table or capacity()
    found = []
    for name, size in table["sizes"].items():
        changes = CHANGES_A_MESSAGE * talk(size, table).messages
        if changes > SHARDS * table["rules"]["index_rate"]:
            found.append(f"{name}: {changes:.0f} changes a second of the index of what waits")
        for queue, row in derived(name, table)["queues"].items():
            if queue != row["row"] and row["row"] not in SPREAD:
                found.append(f"{name}: {row['row']} is more than one queue sends")
    return found

"""A day of a size of the capacity table, with an outage of ten minutes of each service."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import simpy

from bench.simulation.system import DAY_S, Effect, Group, Outage, Room, System, Work
from infra.capacity import capacity, derived, needs, talk
from shared.config import Settings
from shared.contracts.queues import queues
from shared.domain.jobs.attribution_tasks import Slots

PEAK_AT = 20 * 3600
_WIDTH = 1.6 * 3600
_NIGHT = 0.4
"""Of the mean: with a peak of four times the mean, this wide, the day's mean is one."""
OUTAGE_S = 600.0
RECOVERY_S = 900.0
LIMIT_S = 60.0
OUTAGES = {
    # The hardest for the queue at the peak, the others over the day.
    "pinecone": 9 * 3600,
    "tasks": 12 * 3600,
    "firestore": 15 * 3600,
    "chat": 17.5 * 3600,
    "embeddings": 20 * 3600,
}


def busy_at(now: float) -> float:
    """Times the mean: four at the peak of the evening."""
    away = (now % DAY_S) - PEAK_AT
    return _NIGHT + (4 - _NIGHT) * math.exp(-(away**2) / (2 * _WIDTH**2))


def effects(table: Mapping[str, Any]) -> dict[str, Effect]:
    """What the product does: without documents or vectors a run fails and is tried again; without
    the chat model or the index it goes on when its patience is over."""
    row, budget_s = table["work"]["attribute"], queues()["attribute"].model_budget_s
    return {
        "firestore": Effect(fails_after_s=5.0),
        "embeddings": Effect(fails_after_s=budget_s / 3, share=min(1.0, row["embeddings"])),
        "chat": Effect(longer_s=budget_s * 2 / 3, share=min(1.0, row["chat"])),
        "pinecone": Effect(longer_s=3.0, share=min(1.0, row["pinecone"])),
    }


def slots() -> Slots:
    own = Settings()
    lengths = own.slot_asked_seconds, own.slot_ordinary_seconds, own.slot_late_seconds
    return Slots(*(timedelta(seconds=one) for one in lengths))


@dataclass(frozen=True)
class Day:
    """What came of it. `part`: of how many equal parts of the size one was simulated."""

    size: str
    part: int
    hours: float
    system: System
    outages: list[Outage]

    def minutes(self) -> list[tuple[float, float, bool]]:
        """Each minute: when, the age of the oldest waiting line, whether an outage, or the quarter
        of an hour after it, excuses it."""
        return [
            (at, age, any(one.begins <= at < one.ends + RECOVERY_S for one in self.outages))
            for at, age in self.system.oldest_by_minute
        ]

    def waits(self) -> list[float]:
        """Of the oldest line of each run, but in outages and the quarter of an hour after."""
        return sorted(
            wait
            for at, wait in self.system.waits
            if not any(one.begins <= at < one.ends + RECOVERY_S for one in self.outages)
        )

    def back_after(self, outage: Outage) -> float | None:
        """Seconds from its end until of the minutes that are left before the next outage no more
        than one in a hundred is late; None if that never came, or there is too little time to show
        it."""
        others = [one.begins for one in self.outages if one.begins > outage.begins]
        until = min(others, default=math.inf)
        later = [(at, age) for at, age in self.system.oldest_by_minute if outage.ends <= at < until]
        if not later or later[-1][0] < outage.ends + RECOVERY_S:
            return None
        late = [age > LIMIT_S for _, age in later]
        for place, (at, _) in enumerate(later):
            if not late[place] and sum(late[place:]) <= (len(late) - place) / 100:
                return at - outage.ends
        return None


def share(values: list[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))] if values else 0.0


def simulated(
    size: str, *, hours: float = 24, table: Mapping[str, Any] | None = None, seed: int = 1
) -> Day:
    """Of several queues of attribution one, with its share of the groups and the instances; of less
    than a day the hours around the peak, with the outages in them."""
    table = table or capacity()
    numbers, row = derived(size, table), queues()["attribute"]
    parts = int(numbers["settings"]["ANNALS_ATTRIBUTE_QUEUES"])
    queue, room = numbers["queues"]["attribute"], numbers["deployments"]["ingest_message-tasks"]
    said, need = talk(table["sizes"][size], table, peak=1), needs(size, table)["attribute"]
    groups = [Group(said.sparse) for _ in range(round(said.sparse_groups / parts))]
    groups += [Group(said.busy) for _ in range(round(said.busy_groups / parts))]
    dice = random.Random(seed)
    for one in groups:
        one.phase = dice.random()
    begins = 0.0 if hours >= 24 else PEAK_AT - hours * 3600 / 2
    names = list(OUTAGES)
    at = (
        OUTAGES
        if hours >= 24
        else {one: begins + (n + 0.05) * hours * 3600 / len(names) for n, one in enumerate(names)}
    )
    outages = [Outage(one, when, when + OUTAGE_S) for one, when in at.items()]
    env = simpy.Environment(initial_time=begins)
    system = System(
        env,
        groups,
        Work(need.cpu_s, need.waits_s),
        Room(
            rate=queue["rate_per_second"],
            concurrency=queue["concurrency"],
            instances=max(1, room["max_instances"] // parts),
            at_once=room["concurrency"],
            cold_start_s=table["dependencies"]["cold_start_s"],
            attempts=row.max_attempts,
            min_backoff_s=row.min_backoff_s,
            max_backoff_s=row.max_backoff_s,
            doublings=row.max_doublings,
        ),
        slots(),
        asked=table["load"]["asked"],
        busy_at=busy_at,
        outages=outages,
        effects=effects(table),
        seed=seed,
    )
    env.run(until=begins + hours * 3600)
    return Day(size, parts, hours, system, outages)

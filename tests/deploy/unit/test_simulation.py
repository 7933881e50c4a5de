"""The simulation of attribution beside what can be worked out by hand."""

import random
import statistics
from datetime import timedelta
from typing import Any

import pytest
import simpy

from bench.simulation.day import share
from bench.simulation.system import Group, Outage, Room, System, Work
from infra.capacity import Talk, runs_a_second
from shared.domain.jobs.attribution_tasks import GRACE, Slots

ROOMY = Room(
    rate=500,
    concurrency=1000,
    instances=1,
    at_once=1000,
    cold_start_s=0,
    attempts=8,
    min_backoff_s=1,
    max_backoff_s=60,
    doublings=5,
)
TAKES_S = 0.2


def simulated(groups: int, rate: float, *, asked: float = 0.0, **changes: Any) -> System:
    """An hour of groups that each say so many messages a second, in slots of 20 and 2 seconds, of
    45 where the run before came late."""
    dice, env = random.Random(5), simpy.Environment()
    system = System(
        env,
        [Group(rate, dice.random()) for _ in range(groups)],
        Work(0.0, TAKES_S, 0.1),
        changes.pop("room", ROOMY),
        Slots(*(timedelta(seconds=one) for one in (2, 20, 45))),
        asked=asked,
        busy_at=lambda _: 1.0,
        outages=changes.pop("outages", []),
        effects={},
    )
    env.run(until=3600)
    return system


def test_a_lonely_line_waits_for_the_end_of_its_slot() -> None:
    """Said at any moment of twenty seconds, once in a long while."""
    waits = [wait for _, wait in simulated(300, 1 / 1000).waits]

    least = GRACE.total_seconds() + TAKES_S
    assert min(waits) > least - 0.1
    assert max(waits) < least + 20.2
    assert statistics.mean(waits) == pytest.approx(least + 10, rel=0.05)


@pytest.mark.parametrize("rate", [1 / 1000, 1 / 60, 1 / 5])
@pytest.mark.parametrize("asked", [0.0, 0.05])
def test_there_are_as_many_runs_as_the_table_counts(rate: float, asked: float) -> None:
    """Fewer by those that found their lines taken by a run of the other length."""
    system = simulated(100, rate, asked=asked)

    counted = 3600 * runs_a_second(Talk(0, 100, 0, rate), asked, 20, 2)
    assert 0.85 * counted <= system.runs <= 1.05 * counted


def test_a_line_that_comes_while_its_slot_has_a_task_waits_for_that_task() -> None:
    """Of a group that never stops talking each run takes what was said since the last one began."""
    waits = sorted(wait for _, wait in simulated(50, 2.0).waits)

    assert share(waits, 0.5) == pytest.approx(20 + TAKES_S, rel=0.05)


def test_what_a_queue_that_stands_still_keeps_waits_so_much_longer() -> None:
    outage = Outage("queue", 1000, 1300)
    waits = [(at, wait) for at, wait in simulated(200, 1 / 100, outages=[outage]).waits]

    assert not [at for at, _ in waits if 1001 < at < 1300]
    assert max(wait for at, wait in waits if at < 1000) < 24
    assert 290 < max(wait for at, wait in waits if at > 1300) < 325
    assert max(wait for at, wait in waits if at > 1400) < 49, "one late slot, then as before"
    assert max(wait for at, wait in waits if at > 2000) < 24


def test_a_queue_that_sends_less_than_is_asked_of_it_falls_behind() -> None:
    slow = Room(**{**vars(ROOMY), "rate": 1.0})
    waits = [wait for _, wait in simulated(200, 1 / 20, room=slow).waits]

    assert waits[-1] > 60

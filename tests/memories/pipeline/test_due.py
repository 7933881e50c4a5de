"""The fan-out of the night: every group that is due once, however many, however small the pages."""

import asyncio
import contextlib
import os
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from functions.evolve_group import handle_due
from shared.domain.group import DuePage, new_group
from shared.domain.jobs.job import Job
from shared.errors import Transient
from shared.jobs.worker import Outcome
from shared.stores.groups import put_group
from shared.wiring import Services
from tests.memories.reading import Reading
from tests.services import Clock, replaced

MANY = int(os.environ.get("DUE_GROUPS", "1200"))
"""`make faults` takes 12,000."""


class Night:
    """The queue of the night: counts each job's task."""

    def __init__(self) -> None:
        self.sent: Counter[str] = Counter()

    async def job(self, job: Job) -> bool:
        self.sent[job.group_id] += 1
        return True


async def put_due(made: Services, clock: Clock, count: int) -> set[str]:
    """Groups whose names say nothing of when they are due; some at the very same moment."""
    names = [f"test:{(number * 7919) % count:06}" for number in range(count)]
    for start in range(0, count, 400):
        writes = []
        for number, name in enumerate(names[start : start + 400], start):
            due = clock() - timedelta(seconds=number // 3)
            fresh = new_group(name, clock())
            writes.append(put_group(replace(fresh, evolve_due=True, evolve_due_at=due)))
        await made.database.commit(writes)
    return set(names)


async def test_silence_of_a_group_that_talks_is_looked_at_with_its_news(
    made: Services, clock: Clock
) -> None:
    """A group whose few new messages still wait is not asked about its old memories before."""
    long_ago, later = clock() - timedelta(days=1), clock() + timedelta(days=3)
    talking = replace(
        new_group("test:talking", clock()), review_at=long_ago, evolve_due=True, evolve_due_at=later
    )
    silent = replace(new_group("test:silent", clock()), review_at=long_ago)
    await made.database.commit([put_group(talking), put_group(silent)])
    night = Night()
    deps = replaced(made, dispatch=night)

    await handle_due.send_due(deps)
    assert set(night.sent) == {"test:silent"}
    clock.at = later
    await handle_due.send_due(deps)
    assert "test:talking" in night.sent


async def test_every_group_that_is_due_gets_one_job_a_night(
    made: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handle_due, "PAGE", 50)
    monkeypatch.setattr(handle_due, "PAGES", 3)
    names = await put_due(made, clock, MANY)
    night = Night()
    deps = replaced(made, dispatch=night)
    page: DuePage | None = None
    calls = 0
    while True:
        found = await handle_due.send_due(deps, page)
        calls += 1
        if calls % 4 == 0:
            await handle_due.send_due(deps, page)  # the queue delivers a page twice
        page = found.next_page
        clock.turn(seconds=30)
        if page is None:
            break

    assert set(night.sent) == names
    total, _ = await made.jobs.listed(state=None, group_id=None, limit=1, offset=0)
    assert total == len(names), "one job a group, whoever asked how often"
    assert calls >= MANY // 150


async def test_calls_by_hand_while_the_model_is_away_open_one_job(
    reading: Reading, clock: Clock
) -> None:
    def now() -> datetime:
        clock.turn(milliseconds=1)
        return clock()

    made = replaced(reading.made, now=now)
    await reading.say(("Ann", "the talk is on Tuesday"))
    reading.fault("rate_limit")

    async def call(days: int | None = None) -> str:
        job = await handle_due.wanted_by_hand(reading.group_id, days, made)
        with contextlib.suppress(Transient):
            await reading.run(job)
        return job.job_id

    at_once = await asyncio.gather(*(call() for _ in range(6)))
    later = await call()
    of_a_window = await asyncio.gather(*(call(3) for _ in range(3)))
    total, _ = await made.jobs.listed(state=None, group_id=reading.group_id, limit=10, offset=0)

    assert len({*at_once, later}) == 1
    assert len(set(of_a_window)) == 1
    assert total == 2


async def test_an_evolution_by_hand_that_is_done_is_followed_by_another(reading: Reading) -> None:
    jobs = []
    for _ in range(3):
        await reading.say(("Ann", "the talk is on Tuesday"))
        job = await handle_due.wanted_by_hand(reading.group_id, None, reading.made)
        ran = await reading.run(job)
        assert ran.outcome is Outcome.DONE
        jobs.append(job.job_id)

    assert len(set(jobs)) == 3

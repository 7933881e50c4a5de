"""Upkeep and the daily fan-out on real stores, with a clock."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from functions.evolve_group import handle_due, handle_maintain, handle_memory
from shared.contracts.jobs import evolve_job
from shared.contracts.memories import NewMemory
from shared.domain.jobs.job import Job, JobState
from shared.domain.memories.memory import MemoryStatus
from shared.errors import Transient
from shared.stores.groups import put_group
from shared.stores.vectors import VectorPlan, vector_id
from shared.wiring import Services
from tests.memories.evolving import Evolving, by_hand, upkeep
from tests.services import Clock, replaced


@pytest.fixture
def evolving(made: Services, clock: Clock, told: dict[str, Any]) -> Callable[[str], Evolving]:
    return lambda name: Evolving(made, clock, told, f"test:{name}-{clock().timestamp()}")


async def add(group: Evolving, statement: str, strength: float) -> str:
    asked = NewMemory(statement=statement, strength=strength)
    return (await handle_memory.add(group.group_id, asked, by_hand(group))).memory_id


async def test_upkeep_archives_the_weak_and_those_beyond_the_cap_and_says_so(
    made: Services, evolving: Callable[[str], Evolving]
) -> None:
    group = evolving("archive")
    ids = [await add(group, f"says {number}", number / 10) for number in range(8)]
    group.clock.turn(days=1)

    done = await handle_maintain.maintain(upkeep(made, max_active_memories=3))

    assert done.archived == 5
    assert {one.memory_id for one in await group.memories()} == set(ids[5:])
    assert {one.memory_id for one in await group.memories("archived")} == set(ids[:5])
    assert await group.indexed() == set(ids[5:])
    changes = await made.memories.changes(group.group_id, group.clock(), 50)
    assert {(one.action, one.memory_id) for one in changes} == {("archive", one) for one in ids[:5]}
    again = await handle_maintain.maintain(upkeep(made, max_active_memories=3))
    assert again.groups == 0


async def test_a_candidate_that_nobody_else_bore_out_goes_after_three_weeks(
    made: Services, evolving: Callable[[str], Evolving]
) -> None:
    group = evolving("vain")
    await group.say([("Ann", "Remember: we all love jazz here")])
    await group.evolve()
    group.clock.turn(days=20)
    await handle_maintain.maintain(upkeep(made))
    assert len(await group.memories("candidate")) == 1
    group.clock.turn(days=1, hours=1)

    await handle_maintain.maintain(upkeep(made))

    assert await group.memories("candidate") == []
    (aside,) = await group.memories("archived")
    assert aside.ended_at is None
    before = group.clock() - timedelta(days=5)
    assert await made.memories.active_at(group.group_id, before, 9) == []


async def test_messages_beyond_their_retention_are_purged_and_their_vectors_too(
    made: Services, evolving: Callable[[str], Evolving]
) -> None:
    group = evolving("purge")
    old = await group.say([("Ann", f"old {number}") for number in range(250)])
    group.clock.turn(days=31)
    (new,) = await group.say([("Bob", "new")])

    done = await handle_maintain.maintain(upkeep(made, retention_days=30))

    assert done.purged == 250
    left = await made.messages.get_many(
        group.group_id, [one.message_id for one in (old[0], old[-1], new)]
    )
    assert set(left) == {new.message_id}


async def test_a_vector_that_never_reached_the_index_is_put_there(
    made: Services, evolving: Callable[[str], Evolving]
) -> None:
    group = evolving("mend")
    ids = {await add(group, f"says {number}", 0.5) for number in range(3)}
    lost = [vector_id("memory", one) for one in sorted(ids)[:2]]
    await made.vectors.apply(group.group_id, VectorPlan(deletes=lost))
    group.clock.turn(days=1)

    done = await handle_maintain.maintain(upkeep(made))

    assert done.indexed == 2
    assert await group.indexed() == ids


async def test_neither_a_tombstone_nor_a_failing_group_stands_in_the_way(
    made: Services, evolving: Callable[[str], Evolving]
) -> None:
    dead, failing, well = evolving("1-dead"), evolving("2-failing"), evolving("3-well")
    for group in (dead, failing, well):
        await add(group, "says little", 0.1)
    found = await made.groups.get(dead.group_id)
    await made.memories.apply([put_group(replace(found, deleted_at=dead.clock()))])
    dead.clock.turn(days=1)

    class FailsForOne:
        async def apply(self, group_id: str, plan: VectorPlan) -> None:
            if group_id == failing.group_id:
                raise Transient("no answer")
            await made.vectors.apply(group_id, plan)

        def __getattr__(self, name: str) -> Any:
            return getattr(made.vectors, name)

    vectors: Any = FailsForOne()
    done = await handle_maintain.maintain(replace(upkeep(made), vectors=vectors))

    assert (done.groups, done.failed) == (3, 1)
    assert [one.status for one in await well.memories(None)] == [MemoryStatus.ARCHIVED]
    again = await handle_maintain.maintain(upkeep(made))
    assert again.groups == 1


class Sent:
    """Notes the jobs that are sent."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    async def job(self, job: Job) -> bool:
        self.jobs.append(job)
        return True


def fan_out(made: Services, sent: Any) -> Services:
    return replaced(made, dispatch=sent)


async def test_groups_with_news_and_silent_ones_are_due_once_a_day(
    made: Services, clock: Clock, evolving: Callable[[str], Evolving]
) -> None:
    noisy, silent, quiet, dead = (evolving(one) for one in ("noisy", "silent", "quiet", "dead"))
    for group in (silent, dead):
        await add(group, "says something", 0.5)
    clock.turn(days=22)
    await add(quiet, "says something", 0.5)
    found = await made.groups.get(dead.group_id)
    await made.memories.apply([put_group(replace(found, deleted_at=clock()))])
    await made.groups.change(noisy.group_id, lambda one: replace(one, evolve_due=True), clock())
    sent = Sent()

    first = await handle_due.send_due(fan_out(made, sent))
    await handle_due.send_due(fan_out(made, sent))

    assert first.total == 2
    assert {one.group_id for one in sent.jobs} == {noisy.group_id, silent.group_id}
    assert len({one.job_id for one in sent.jobs}) == 2
    assert {one.path for one in sent.jobs} == {"/tasks/evolve"}


async def test_a_job_of_the_day_that_is_done_is_not_sent_again(
    made: Services, clock: Clock, evolving: Callable[[str], Evolving]
) -> None:
    group = evolving("done")
    await made.groups.change(group.group_id, lambda one: replace(one, evolve_due=True), clock())
    job = evolve_job(group.group_id, f"daily {clock().date().isoformat()}", clock())
    await made.jobs.ensure(replace(job, state=JobState.DONE))
    sent = Sent()

    await handle_due.send_due(fan_out(made, sent))
    clock.turn(days=1)
    await handle_due.send_due(fan_out(made, sent))

    assert len(sent.jobs) == 1


async def test_a_fan_out_goes_on_until_every_group_had_its_job_once(
    made: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handle_due, "PAGE", 3)
    monkeypatch.setattr(handle_due, "PAGES", 2)
    for number in range(20):
        due_at = clock() - timedelta(minutes=number % 4)
        await made.groups.change(
            f"test:news-{number}",
            lambda one: replace(one, evolve_due=True, evolve_due_at=due_at),  # noqa: B023
            clock(),
        )
        await made.groups.change(
            f"test:silent-{number}", lambda one: replace(one, review_at=clock()), clock()
        )
    sent = Sent()
    page, calls, total = None, 0, 0
    while calls == 0 or page is not None:
        done = await handle_due.send_due(fan_out(made, sent), page)
        page, calls, total = done.next_page, calls + 1, total + done.total

    assert calls > 5
    assert total == len(sent.jobs) == len({one.group_id for one in sent.jobs}) == 40


async def test_news_that_wait_for_more_are_not_due(made: Services, clock: Clock) -> None:
    for number, hours in enumerate((-1, 0, 1)):
        due_at = clock() + timedelta(hours=hours)
        await made.groups.change(
            f"test:waits-{number}",
            lambda one: replace(one, evolve_due=True, evolve_due_at=due_at),  # noqa: B023
            clock(),
        )
    sent = Sent()

    await handle_due.send_due(fan_out(made, sent))

    assert {one.group_id for one in sent.jobs} == {"test:waits-0", "test:waits-1"}

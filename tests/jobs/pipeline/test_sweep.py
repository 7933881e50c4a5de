"""The sweep: sends what is lost, never what only waits, and no group hides another."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from functions.ingest_message import handle_messages, handle_sweep
from shared.contracts.jobs import evolve_job
from shared.domain.jobs.attribution_tasks import Slots, _prefix
from shared.domain.messages.stored_message import StoredMessage
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import Worker
from shared.stores.firestore import delete, update
from shared.stores.jobs import job_path
from shared.stores.message_records import new_message
from shared.wiring import Services
from tests.services import Clock, replaced
from tests.topics.attributing import Attributing, ingesting

GRACE = timedelta(seconds=60)
SLOTS = Slots(timedelta(seconds=2), timedelta(seconds=20), timedelta(seconds=90))


class PausedQueue:
    """Takes tasks and runs none; a name is taken for ever, and `waiting` until it is run."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []
        self.waiting: set[tuple[str, str]] = set()

    async def send(
        self,
        queue: str,
        task_id: str,
        path: str,
        body: dict[str, Any],
        *,
        at: datetime | None = None,
    ) -> None:
        if (queue, task_id) not in self.sent:
            self.sent.append((queue, task_id))
            self.waiting.add((queue, task_id))

    async def is_waiting(self, queue: str, task_id: str) -> bool:
        return (queue, task_id) in self.waiting

    def run_all(self) -> None:
        self.waiting.clear()


@pytest.fixture
def queue() -> PausedQueue:
    return PausedQueue()


@pytest.fixture
def deps(made: Services, queue: PausedQueue) -> Services:
    dispatch = Dispatch(queue, made.now, SLOTS)
    worker = Worker(made.jobs, made.leases, made.groups, dispatch, made.now)
    return replaced(made, dispatch=dispatch, worker=worker)


async def say(made: Services, group_id: str, numbers: Sequence[int]) -> None:
    await made.database.commit(
        [
            new_message(
                StoredMessage(
                    group_id=group_id,
                    message_id=f"m{number}",
                    user_id="u",
                    content="hello",
                    create_time=made.now(),
                )
            )
            for number in numbers
        ]
    )


async def minutes(
    count: int, deps: Services, clock: Clock, every: int = 1
) -> handle_sweep.SweepReport:
    for _ in range(0, count, every):
        clock.turn(minutes=every)
        report = await handle_sweep.sweep(deps, GRACE)
    return report


@pytest.mark.parametrize("is_asked", [True, False])
@pytest.mark.parametrize("waited", [timedelta(0), timedelta(minutes=10)])
async def test_after_an_hour_in_a_paused_queue_no_task_is_doubled(
    made: Services,
    clock: Clock,
    queue: PausedQueue,
    deps: Services,
    is_asked: bool,
    waited: timedelta,
) -> None:
    await say(made, "test:paused", [1])
    clock.at = datetime.now(UTC)  # the database has a clock of its own, and the machine is busy
    await deps.dispatch.attribution("test:paused", is_asked=is_asked, last_wait=waited)
    job = await made.jobs.ensure(evolve_job("test:paused", "by hand", clock()))
    await deps.dispatch.job(job)
    sent = list(queue.sent)
    report = await minutes(60, deps, clock, every=3)

    assert queue.sent == sent
    assert (report.groups_woken, report.jobs_sent_again) == (0, 0)


async def test_work_whose_task_is_gone_is_woken_with_growing_pauses_and_named_as_stuck(
    made: Services, clock: Clock, queue: PausedQueue, deps: Services
) -> None:
    await say(made, "test:lost", [1])
    first = await minutes(2, deps, clock)
    assert len(queue.sent) == 1
    assert first.stuck == ()
    for _ in range(60):
        queue.run_all()  # it runs, and fails
        report = await minutes(1, deps, clock)

    assert 6 <= len(queue.sent) <= 9
    assert report.stuck == ("test:lost",)


async def test_a_lost_job_is_sent_again_once_its_task_is_gone(
    made: Services, clock: Clock, queue: PausedQueue, deps: Services
) -> None:
    job = await made.jobs.ensure(evolve_job("test:gone", "by hand", clock()))
    await deps.dispatch.job(job)
    await minutes(5, deps, clock)
    assert len(queue.sent) == 1
    queue.run_all()
    await minutes(3, deps, clock)

    assert len(queue.sent) == 2


async def test_a_group_with_very_many_waiting_messages_hides_no_other(
    made: Services, clock: Clock, queue: PausedQueue, deps: Services
) -> None:
    for start in range(0, 500, 250):
        await say(made, "test:flooded", range(start, start + 250))
    await say(made, "test:quiet", [1])
    report = await minutes(2, deps, clock)

    assert report.groups_woken == 2
    assert len(queue.sent) == 2


async def test_a_group_woken_again_and_again_in_vain_is_set_aside_and_comes_back(
    made: Services, clock: Clock, queue: PausedQueue, deps: Services, group: Attributing
) -> None:
    await group.say(group.message(1, "Ann", "hello there", at=clock()))
    for _ in range(20):
        queue.run_all()  # its tasks run, and fail
        await minutes(1, deps, clock)
    (stuck,) = [one for one in await made.groups.stuck(10) if one.group_id == group.group_id]
    sent = len(queue.sent)
    ingest = replace(ingesting(made), dispatch=deps.dispatch)
    more = group.message(2, "Bob", "is anybody there?", at=clock())
    await handle_messages.ingest(group.group_id, [more], ingest)

    assert stuck.stuck_since is not None
    assert len(queue.sent) == sent, "what it says sends no more tasks"
    assert (await group.attribute()).attributed == 2
    assert group.group_id not in [one.group_id for one in await made.groups.stuck(10)]
    more = group.message(3, "Ann", "so you are back", at=clock())
    await handle_messages.ingest(group.group_id, [more], ingest)
    assert len(queue.sent) == sent + 1


async def minutes_until_woken(
    made: Services, clock: Clock, queue: PausedQueue, deps: Services, name: str
) -> list[int]:
    """In each of ten rounds another group loses its task: how many minutes later the sweep wakes
    it. Whatever task there is runs at once, and fails."""
    found = []
    for number in range(10):
        group_id = f"test:{name}{number}"
        clock.at = datetime.now(UTC) + timedelta(minutes=2 * number)
        await say(made, group_id, [1])
        for waited in range(1, 5):
            queue.run_all()
            before = len(queue.sent)
            await minutes(1, deps, clock)
            if any(task.startswith(_prefix(group_id)) for _, task in queue.sent[before:]):
                found.append(waited)
                break
    return found


async def test_one_group_with_five_hundred_messages_that_always_fail_slows_no_other(
    made: Services, clock: Clock, queue: PausedQueue, deps: Services
) -> None:
    alone = await minutes_until_woken(made, clock, queue, deps, "before")
    clock.at = datetime.now(UTC)
    for start in range(0, 500, 250):
        await say(made, "test:poisoned", range(start, start + 250))
    beside_it = await minutes_until_woken(made, clock, queue, deps, "beside")
    poisoned = [task for _, task in queue.sent if task.startswith(_prefix("test:poisoned"))]

    assert len(alone) == 10
    assert beside_it == alone
    assert 1 <= len(poisoned) <= 8


async def test_a_job_that_cannot_be_read_holds_up_no_other(
    deps: Services, made: Services, clock: Clock
) -> None:
    """One of a later release, say, which was rolled back."""
    clock.at = datetime.now(UTC)
    unread = await made.jobs.ensure(evolve_job("test:unread", "later", clock()))
    later = {"payload": {"of_a_later_release": 1}}
    await made.database.commit([update(job_path(unread.job_id), later)])
    other = await made.jobs.ensure(evolve_job("test:read", "now", clock()))
    clock.turn(minutes=5)
    try:
        await handle_sweep.sweep(deps, GRACE)
        sent = await made.jobs.get(other.job_id)
    finally:
        await made.database.commit([delete(job_path(unread.job_id))])

    assert sent is not None
    assert sent.generation == 1

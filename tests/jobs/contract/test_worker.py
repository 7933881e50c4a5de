"""Jobs run by workers: one at a time, nothing lost, nothing twice."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from shared.domain.group import Group
from shared.domain.jobs.job import Job, JobState
from shared.domain.jobs.kinds import EvolveGroup, NoteReport
from shared.errors import EpochMoved, InvalidInput, LostLease, Transient
from shared.jobs.worker import JobInHand, Outcome, Worker
from shared.stores.firestore import Database, put
from shared.stores.groups import Groups, Plan, group_path
from shared.stores.jobs import Jobs
from shared.stores.leases import Leases
from tests.jobs.contract.conftest import SentTasks, now

GROUP = "lark:oc_1"


def a_job(job_id: str = "j1", **changes: Any) -> Job:
    job = Job(
        job_id=job_id,
        kind="evolve",
        queue="evolve",
        group_id=GROUP,
        lease=f"{GROUP}:evolve",
        payload=EvolveGroup(None),
        max_attempts=3,
        created_at=now(),
        due_at=now(),
    )
    return replace(job, **changes)


@pytest.fixture(autouse=True)
async def _group(groups: Groups) -> Group:
    return await groups.change(GROUP, lambda group: group, now())


async def nothing(work: JobInHand) -> NoteReport:
    return NoteReport(work.job.job_id, is_absolute=True)


async def test_a_job_that_succeeds_is_done_with_its_result(worker: Worker, jobs: Jobs) -> None:
    await jobs.ensure(a_job())

    ran = await worker.run("j1", nothing)

    assert (ran.outcome, ran.report) == (Outcome.DONE, NoteReport("j1", is_absolute=True))
    done = await jobs.get("j1")
    assert done is not None
    assert (done.state, done.attempts) == (JobState.DONE, 1)


async def test_a_done_job_is_not_done_again(worker: Worker, jobs: Jobs) -> None:
    await jobs.ensure(a_job())
    await worker.run("j1", nothing)

    async def must_not_run(work: JobInHand) -> NoteReport:
        raise AssertionError

    ran = await worker.run("j1", must_not_run)
    assert (ran.outcome, ran.report) == (Outcome.NOTHING, NoteReport("j1", is_absolute=True))


async def test_the_same_cause_makes_one_job(jobs: Jobs) -> None:
    made = await asyncio.gather(*(jobs.ensure(a_job(payload=EvolveGroup(n))) for n in range(5)))

    assert len({job.payload for job in made}) == 1


async def test_a_job_that_keeps_failing_ends_failed_and_can_be_retried(
    worker: Worker, jobs: Jobs
) -> None:
    await jobs.ensure(a_job())

    async def fail(work: JobInHand) -> NoteReport:
        raise Transient("the model is asleep")

    for _ in range(2):
        with pytest.raises(Transient):
            await worker.run("j1", fail)
    assert (await worker.run("j1", fail)).outcome is Outcome.FAILED
    failed = await jobs.get("j1")
    assert failed is not None
    assert failed.error == "unavailable: the model is asleep"


async def test_an_error_that_cannot_heal_fails_at_once(worker: Worker, jobs: Jobs) -> None:
    await jobs.ensure(a_job())

    async def fail(work: JobInHand) -> NoteReport:
        raise InvalidInput("no such topic")

    assert (await worker.run("j1", fail)).outcome is Outcome.FAILED


async def test_who_finds_the_lease_taken_waits_and_is_sent_on_release(
    worker: Worker, jobs: Jobs, sent: SentTasks
) -> None:
    for n in range(3):
        await jobs.ensure(a_job(f"j{n}"))
    entered, leave = asyncio.Event(), asyncio.Event()

    async def slow(work: JobInHand) -> NoteReport:
        entered.set()
        await leave.wait()
        return await nothing(work)

    first = asyncio.create_task(worker.run("j0", slow))
    await entered.wait()
    for waiting in ("j1", "j2"):
        assert (await worker.run(waiting, nothing)).outcome is Outcome.WAITING
    leave.set()
    await first

    assert [body["job_id"] for _, _, body in sent.sent] == ["j1"]
    await worker.run("j1", nothing)
    assert [body["job_id"] for _, _, body in sent.sent] == ["j1", "j2"]
    await worker.run("j2", nothing)
    assert [body["job_id"] for _, _, body in sent.sent] == ["j1", "j2"]


async def test_a_plan_and_its_job_are_one_commit(
    worker: Worker, jobs: Jobs, database: Database
) -> None:
    await jobs.ensure(a_job())
    path = f"{group_path(GROUP)}/memories/x"
    made = NoteReport("e1", is_absolute=False)

    async def crash_after_commit(work: JobInHand) -> NoteReport:
        assert not work.is_committed
        await work.commit(Plan(GROUP, 0, [put(path, {"n": 1})], report=made))
        raise Transient("killed")

    async def finish(work: JobInHand) -> NoteReport:
        assert work.is_committed
        return work.report(NoteReport)

    with pytest.raises(Transient):
        await worker.run("j1", crash_after_commit)
    assert await database.get(path) is not None

    assert (await worker.run("j1", finish)).report == made


async def test_a_plan_that_forgetting_overtook_is_made_again(
    worker: Worker, jobs: Jobs, groups: Groups, database: Database
) -> None:
    await jobs.ensure(a_job())
    epochs: list[int] = []
    path = f"{group_path(GROUP)}/memories/x"

    async def plan(work: JobInHand) -> NoteReport:
        group = await groups.get(GROUP)
        epochs.append(group.epoch)
        if len(epochs) == 1:
            await groups.change(GROUP, lambda found: replace(found, epoch=found.epoch + 1), now())
        await work.commit(Plan(GROUP, group.epoch, [put(path, {"epoch": group.epoch})]))
        return await nothing(work)

    await worker.run("j1", plan)

    assert epochs == [0, 1]
    stored = await database.get(path)
    assert stored is not None
    assert stored.data["epoch"] == 1


async def test_a_worker_that_lost_its_lease_commits_nothing(
    jobs: Jobs, leases: Leases, groups: Groups, database: Database
) -> None:
    job = await jobs.ensure(a_job())
    held = await leases.take(job.lease, "first")
    assert held is not None
    assert await leases.release(held) is False
    assert await leases.take(job.lease, "second") is not None
    path = f"{group_path(GROUP)}/memories/x"

    with pytest.raises(LostLease):
        await groups.commit(Plan(GROUP, 0, [put(path, {})]), held, job)
    assert await database.get(path) is None


async def test_a_deleted_group_refuses_late_commits(
    jobs: Jobs, leases: Leases, groups: Groups, database: Database
) -> None:
    job = await jobs.ensure(a_job())
    held = await leases.take(job.lease, "late")
    assert held is not None
    await groups.change(GROUP, lambda group: replace(group, deleted_at=now()), now())

    with pytest.raises(EpochMoved):
        await groups.commit(Plan(GROUP, 0, [put(f"{group_path(GROUP)}/memories/x", {})]), held, job)

"""A group whose id the platform changed keeps all it knows, and what is forgotten there is gone."""

from dataclasses import replace

import pytest

from functions.historian_job import handle_forget, handle_move
from functions.ingest_message import handle_messages
from shared.contracts.jobs import forget_group_job, move_job
from shared.domain.jobs.job import JobState
from shared.domain.jobs.kinds import MoveReport
from shared.domain.messages.message import GroupEvent
from shared.domain.transfer.imported_records import moved_id
from tests.forgetting.pipeline.test_forgotten_message import MARKER, used_by_all
from tests.forgetting.whole_group import WholeGroup


async def migrated(whole: WholeGroup, new: str, times: int = 1) -> None:
    event = GroupEvent(group_id=new, happening="migrated", previous_group_id=whole.group_id)
    for _ in range(times):
        await handle_messages.note_event(event, whole.ingest)


async def moved(whole: WholeGroup, new: str) -> MoveReport:
    """By its job, and the next, until none is left; then the old group's forgetting."""
    deps = whole.forgetting()
    job_id: str | None = move_job(new, whole.group_id, whole.clock()).job_id
    total = 0
    while job_id:
        ran = await whole.made.worker.run(job_id, lambda work: handle_move.run(work, deps))
        assert isinstance(ran.report, MoveReport), ran
        total, job_id = total + ran.report.moved, ran.report.next_job
    left = await whole.made.groups.find(whole.group_id)
    assert left is not None
    await whole.run(forget_group_job(left, whole.clock()).job_id)
    return MoveReport(total, None)


async def done_with_all(whole: WholeGroup) -> None:
    """Nothing waits under the old id: in a running system its jobs have come to their end."""
    _, waiting = await whole.made.jobs.listed(
        state="pending", group_id=whole.group_id, limit=50, offset=0
    )
    for one in waiting:
        await whole.made.jobs.move(one.job_id, lambda job: replace(job, state=JobState.DONE))


async def test_all_of_it_comes_along_and_can_be_forgotten_there(
    whole: WholeGroup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handle_move, "PAGE", 7)
    monkeypatch.setattr(handle_move, "PAGES", 2)
    secret = await used_by_all(whole)
    old, new = whole.group_id, f"{whole.group_id}-super"
    await whole.made.groups.change(
        old,
        lambda one: replace(one, settings={"max_return": 3}, opted_out=("u-dan",)),
        whole.clock(),
    )
    await migrated(whole, new, times=2)
    at_once = await whole.made.groups.get(new)
    there = replace(whole, group_id=new, _said=0)
    (again,) = (
        await there.say(
            ("Ann", "the ids of messages begin anew"),
        )
    )[:1]
    opted_out = await there.say(("Dan", f"my shelf is {MARKER} too"))
    await done_with_all(whole)
    report = await moved(whole, new)

    assert at_once.settings == {"max_return": 3}
    assert at_once.opted_out == ("u-dan",)
    assert report.moved > 20
    gone = await whole.made.groups.find(old)
    assert gone is not None
    assert gone.is_deleted
    found = await whole.made.messages.get_many(new, [again, moved_id(old, again), *opted_out])
    assert found[again].message.content == "the ids of messages begin anew"
    assert "new card" in found[moved_id(old, again)].message.content
    assert MARKER not in found[opted_out[0]].message.content
    places = (await whole.where(MARKER))[MARKER]
    assert places
    assert not [one for one in places if f"/{old}/" in one]
    assert {"messages", "summaries", "memories", "events", "profiles", "entities"} <= {
        part for path in places for part in path.split("/")
    }
    answer = await there.context("What is Ann's shelf?")
    assert MARKER in answer.text

    job = await handle_forget.forget_message(new, moved_id(old, secret), there.forgetting())
    await there.forgotten(job)
    assert (await whole.where(MARKER))[MARKER] == []
    assert MARKER not in (await there.context("What is Ann's shelf?")).text


async def test_work_that_waits_under_the_old_id_is_done_first(whole: WholeGroup) -> None:
    await whole.say(("Ann", "we meet at the harbour"))
    new = f"{whole.group_id}-super"
    await migrated(whole, new)
    group = await whole.made.groups.get(whole.group_id)
    await whole.made.jobs.ensure(forget_group_job(group, whole.clock()))
    deps = whole.forgetting()
    job = move_job(new, whole.group_id, whole.clock())
    with pytest.raises(Exception, match="not done yet"):
        await whole.made.worker.run(job.job_id, lambda work: handle_move.run(work, deps))

    kept = await whole.made.jobs.get(job.job_id)
    assert kept is not None
    assert kept.state is JobState.PENDING
    assert (await whole.made.groups.get(whole.group_id)).deleted_at is None


async def test_a_group_that_nobody_knows_is_not_moved(whole: WholeGroup) -> None:
    new = f"{whole.group_id}-super"
    await migrated(whole, new)

    assert await whole.made.groups.find(new) is None

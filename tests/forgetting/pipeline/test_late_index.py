"""The vector index follows a moment later: a forgetting is done when nobody finds its vectors any
more, and not when their deletion was asked for."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from functions.historian_job import handle_forget
from shared.domain.ids import namespace
from shared.domain.jobs.job import Job, JobState
from shared.wiring import Services
from tests.forgetting.whole_group import WholeGroup, vector_ids
from tests.services import Clock, all_emulators, in_process

LATE_MS = "900"


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    data: Path = tmp_path_factory.mktemp("late")
    with all_emulators(data, "--freshness-ms", LATE_MS) as running:
        yield {**running.told, "data": str(data)}


@pytest.fixture
async def whole(late: dict[str, Any], clock: Clock) -> AsyncIterator[WholeGroup]:
    async with in_process(late, clock) as made:
        yield WholeGroup(made, clock, late, f"test:{uuid4().hex[:12]}")


async def shown(made: Services, group_id: str) -> list[set[str]]:
    """What the index of meaning and that of words tell whoever reads."""
    found = []
    for store in (made.vectors, made.word_index):
        index = await store._index()
        ids = {one async for one in vector_ids(index, namespace(group_id))}
        found.append({one.removeprefix("message#") for one in ids})
    return found


async def done(whole: WholeGroup, job: Job) -> None:
    for _ in range(whole.patience):
        await whole.run_all()
        found = await whole.made.jobs.get(job.job_id)
        assert found is not None
        if found.state is JobState.DONE:
            return
    raise AssertionError(found)


async def lived(whole: WholeGroup) -> None:
    """Some lines whose vectors can be found by now."""
    said = await whole.say(
        ("Ann", "the zebrawood desk is mine"), ("Bob", "which desk?"), ("Ann", "the old one")
    )
    await whole.attribute()
    wanted = set(said)

    for _ in range(100):
        meaning, words = await shown(whole.made, whole.group_id)
        if wanted <= meaning and wanted <= words:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"the index never followed: {meaning}, {words}")


async def test_a_message_is_forgotten_when_no_index_shows_it(whole: WholeGroup) -> None:
    await lived(whole)
    job = await handle_forget.forget_message(whole.group_id, "m00001", whole.forgetting())
    await done(whole, job)

    for found in await shown(whole.made, whole.group_id):
        assert "m00001" not in found
        assert "m00002" in found


async def test_a_member_is_forgotten_when_no_index_shows_them(whole: WholeGroup) -> None:
    await lived(whole)
    job = await handle_forget.forget_member(whole.group_id, "u-ann", whole.forgetting())
    await done(whole, job)

    for found in await shown(whole.made, whole.group_id):
        assert {"m00001", "m00003"}.isdisjoint(found)
        assert "m00002" in found


async def test_a_group_is_forgotten_when_no_index_shows_anything(whole: WholeGroup) -> None:
    await lived(whole)
    job = await handle_forget.forget_group(whole.group_id, whole.forgetting())
    await done(whole, job)

    assert await shown(whole.made, whole.group_id) == [set(), set()]

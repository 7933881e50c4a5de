"""What `/end` takes and what it leaves."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from functions.ingest_message.routes_messages import end_turn
from shared.config import load
from shared.domain.group import Group, new_group
from shared.domain.jobs.job import Job
from shared.domain.knowledge.event import Event, Note, is_about
from shared.errors import InvalidInput
from shared.wiring import Services
from tests.services import replaced

NOW = datetime(2026, 11, 16, tzinfo=UTC)
NOTE = Note("test:g", "u", "r", 1, "", "", force=False, message_ids=())


class KeepingJobs:
    """Keeps the jobs it is given, each once, as the store does."""

    def __init__(self) -> None:
        self.kept: dict[str, Job] = {}

    async def ensure(self, job: Job) -> Job:
        return self.kept.setdefault(job.job_id, job)


class OneGroup:
    def __init__(self, group: Group | None) -> None:
        self._group = group

    async def find(self, group_id: str) -> Group | None:
        return self._group


class NoDispatch:
    async def job(self, job: Job) -> bool:
        return True


def deps(jobs: KeepingJobs, group: Group | None = None, **environment: str) -> Services:
    kept: Any = jobs
    dispatch: Any = NoDispatch()
    groups: Any = OneGroup(group)
    settings, _ = load(environment)
    made = Services(settings, lambda: NOW)
    return replaced(made, groups=groups, jobs=kept, dispatch=dispatch)


async def test_force_without_a_note_is_refused_with_the_reason() -> None:
    with pytest.raises(InvalidInput, match="no note to keep"):
        await end_turn(replace(NOTE, force=True), deps(KeepingJobs()))


async def test_a_turn_without_a_note_leaves_no_job() -> None:
    jobs = KeepingJobs()
    assert await end_turn(NOTE, deps(jobs)) is None
    assert jobs.kept == {}


async def test_with_the_historian_off_a_note_leaves_no_job() -> None:
    jobs = KeepingJobs()
    note = replace(NOTE, new_info="x")
    assert await end_turn(note, deps(jobs, MEMORY_ENABLE_COGNITIVE="false")) is None
    off = replace(new_group(NOTE.group_id, NOW), settings={"enable_cognitive": False})
    assert await end_turn(note, deps(jobs, off)) is None
    assert jobs.kept == {}


async def test_the_same_note_is_one_job() -> None:
    jobs = KeepingJobs()
    note = replace(NOTE, new_info="x")
    first = await end_turn(note, deps(jobs))
    assert await end_turn(note, deps(jobs)) == first
    assert list(jobs.kept) == [first]


def test_an_event_is_found_by_its_people_and_its_words() -> None:
    event = Event(
        "r:1", "test:g", "Ida moved to Bergen", "r", 1, NOW, "", "UTC", "", "group", "u-ida",
        "u-ida", (), ("u-ida", "u-jon"), has_new_info=True,
    )  # fmt: skip
    assert is_about(event, "u-jon", None)
    assert not is_about(event, "u-eva", None)
    assert is_about(event, None, "bergen ida")
    assert not is_about(event, "u-ida", "Oslo")

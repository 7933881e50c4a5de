"""A model's kept answer may quote what was forgotten since: it goes, and is never used."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from functions.evolve_group import handle_memory
from functions.historian_job import handle_forget
from shared.contracts.memories import NewMemory
from shared.domain.jobs.job import Job, JobState, retried
from shared.errors import InvalidInput
from shared.jobs.worker import Outcome
from shared.wiring import Services
from tests.memories.evolving import Evolving, by_hand
from tests.services import Clock

SAID = [
    ("Ann", "We meet in the crypt every Friday"),
    ("Bob", "Yes, we meet in the crypt every Friday"),
]


@pytest.fixture
def group(made: Services, clock: Clock, told: dict[str, Any]) -> Evolving:
    return Evolving(made, clock, told, f"test:kept-{clock().timestamp()}")


class Fails:
    """Similarity that ends a run for good, or its process, once the answer is kept."""

    def __init__(self, real: Any, error: BaseException) -> None:
        self._real, self._error = real, error

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def with_vectors(self, *_: Any) -> Any:
        raise self._error


class Killed(BaseException):
    """The process ends here."""


async def forget(group: Evolving, message_id: str) -> Job:
    made = group.made
    deps = made
    job = await handle_forget.forget_message(group.group_id, message_id, deps)
    ran = await made.worker.run(job.job_id, lambda work: handle_forget.run(work, deps))
    assert ran.outcome is Outcome.DONE
    return job


async def failed(group: Evolving) -> Job:
    """An evolution that failed for good after the model had answered."""
    whole = group.deps
    broken: Any = Fails(whole.similarity, InvalidInput("broken"))
    group.deps = replace(whole, similarity=broken)
    job = await group.start("fails")
    ran = await group.run(job)
    assert ran.outcome is Outcome.FAILED
    group.deps = whole
    return await kept(group, job)


async def kept(group: Evolving, job: Job) -> Job:
    found = await group.made.jobs.get(job.job_id)
    assert found is not None
    return found


async def message(group: Evolving) -> str:
    said = await group.say(SAID)
    return said[0].message_id


async def memory(group: Evolving) -> Callable[[], Any]:
    added = await handle_memory.add(group.group_id, NewMemory(statement="x"), by_hand(group))
    return lambda: handle_memory.forget(added, by_hand(group))


async def test_a_failed_jobs_answer_goes_with_the_message_that_it_quotes(group: Evolving) -> None:
    message_id = await message(group)
    job = await failed(group)
    assert job.reply is not None
    assert "crypt" in job.reply.answer

    await forget(group, message_id)

    assert (await kept(group, job)).reply is None


async def test_a_failed_jobs_answer_goes_with_a_memory_that_is_forgotten(group: Evolving) -> None:
    await message(group)
    job = await failed(group)
    forget_memory = await memory(group)

    await forget_memory()

    assert (await kept(group, job)).reply is None


async def test_another_groups_answers_stay(group: Evolving) -> None:
    await message(group)
    job = await failed(group)
    other = Evolving(group.made, group.clock, group.told, f"{group.group_id}-other")
    message_id = await message(other)

    await forget(other, message_id)

    reply = (await kept(group, job)).reply
    assert reply is not None
    assert "crypt" in reply.answer


async def test_a_retry_of_such_a_job_asks_the_model_again(group: Evolving) -> None:
    message_id = await message(group)
    job = await failed(group)
    before = group.model_calls()
    await forget(group, message_id)

    await group.made.jobs.move(job.job_id, lambda found: retried(found, group.clock()))
    ran = await group.run(job)

    assert ran.outcome is Outcome.DONE
    assert group.model_calls() - before == 1
    sources = {one for memory in await group.memories(None) for one in memory.sources}
    assert message_id not in sources


async def test_an_answer_from_before_the_forgetting_is_not_used_even_if_it_is_still_there(
    group: Evolving,
) -> None:
    """Kept in the moment between the forgetting and the blanking, by a worker that then died."""
    message_id = await message(group)
    whole = group.deps
    dying: Any = Fails(whole.similarity, Killed())
    group.deps = replace(whole, similarity=dying)
    job = await group.start("dies")
    with pytest.raises(Killed):
        await group.run(job)
    group.deps = whole
    answer, before = (await kept(group, job)).reply, group.model_calls()
    await forget(group, message_id)
    await group.made.jobs.move(job.job_id, lambda found: replace(found, reply=answer))

    ran = await group.run(job)

    assert ran.outcome is Outcome.DONE
    assert group.model_calls() - before == 1
    assert (await kept(group, job)).state is JobState.DONE
    sources = {one for memory in await group.memories(None) for one in memory.sources}
    assert message_id not in sources

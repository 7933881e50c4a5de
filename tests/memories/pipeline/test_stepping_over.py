"""No page of news can wedge a group: long messages are cut, and what fails for good is skipped."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from shared.clients.model import Model
from shared.domain.jobs.job import JobState, retried
from shared.domain.jobs.kinds import EvolveGroup
from shared.domain.memories.reading import CURSOR, MAX_MESSAGES, MAX_TOKENS
from shared.errors import BadReply, Transient
from shared.jobs.worker import Ran
from shared.wiring import Services
from tests.memories.evolving import Evolving, reported
from tests.services import Clock

POISON = "the model cannot answer this"
LONG_MESSAGES = int(os.environ.get("LONG_MESSAGES", "30"))


class Balks:
    """The model as it is, but for one text."""

    def __init__(self, real: Model) -> None:
        self._real = real
        self.is_healed = False
        self.asked: list[int] = []

    async def ask(self, prompt_id: str, reply: Any, data: Mapping[str, Any], **named: Any) -> Any:
        shown = json.dumps(data, ensure_ascii=False)
        self.asked.append(len(shown))
        if POISON in shown and not self.is_healed:
            raise BadReply("context_length_exceeded")
        return await self._real.ask(prompt_id, reply, data, **named)


@pytest.fixture
def group(made: Services, clock: Clock, told: dict[str, Any]) -> Evolving:
    return Evolving(made, clock, told, f"test:skips-{clock().timestamp()}")


async def ended(run: Callable[[], Any], tries: int) -> Ran:
    """As the queue would: again until it ends."""
    for _ in range(tries):
        try:
            ran: Ran = await run()
        except Transient:
            continue
        return ran
    raise AssertionError("it goes on for ever")


async def test_a_page_that_fails_for_good_is_stepped_over_and_can_be_tried_again(
    group: Evolving,
) -> None:
    model = Balks(group.made.model)
    group.deps = replace(group.deps, model=model)  # type: ignore[arg-type]
    chess = [("Ann", "We play chess every Friday"), ("Bob", "Yes, we play chess every Friday")]
    await group.say([*chess, ("Cid", POISON)])
    job = await group.start()

    ran = await ended(lambda: group.run(job), job.max_attempts)

    assert "skipped 3 messages" in reported(ran).message
    found = await group.made.groups.get(group.group_id)
    assert CURSOR in found.cursors
    assert not found.evolve_due
    _, failed = await group.made.jobs.listed(
        state=JobState.FAILED.value, group_id=group.group_id, limit=10, offset=0
    )
    [skipped] = failed
    assert isinstance(skipped.payload, EvolveGroup)
    assert skipped.error == "bad_reply: context_length_exceeded"

    group.clock.turn(days=1)
    await group.say([("Ann", "We go hiking every Sunday"), ("Bob", "We go hiking every Sunday")])
    await group.evolve()
    assert any("hiking" in one for one in await group.statements())
    cursor = (await group.made.groups.get(group.group_id)).cursors[CURSOR]

    model.is_healed = True
    await group.made.jobs.move(skipped.job_id, lambda one: retried(one, group.clock()))
    again = await group.made.jobs.get(skipped.job_id)
    assert again is not None
    reported(await group.run(again))
    assert any("chess" in one for one in await group.statements())
    assert (await group.made.groups.get(group.group_id)).cursors[CURSOR] == cursor


async def test_a_model_that_is_away_skips_nothing(group: Evolving) -> None:
    class Away:
        async def ask(self, *_: Any, **__: Any) -> Any:
            raise Transient("the model did not answer")

    group.deps = replace(group.deps, model=Away())  # type: ignore[arg-type]
    await group.say([("Ann", "We play chess every Friday")])
    job = await group.start()

    await ended(lambda: group.run(job), job.max_attempts)

    assert CURSOR not in (await group.made.groups.get(group.group_id)).cursors


async def test_messages_of_64_kib_are_cut_and_paged_and_evolution_goes_on(group: Evolving) -> None:
    model = Balks(group.made.model)
    group.deps = replace(group.deps, model=model)  # type: ignore[arg-type]
    long = ("lorem ipsum dolor sit amet " * 2_500)[: 64 * 1024]
    for _ in range(LONG_MESSAGES // 10):
        await group.say([("Ann", long)] * 10)
    await group.say([("Ann", "We play chess every Friday"), ("Bob", "We play chess every Friday")])

    await group.evolve()

    assert len(model.asked) > 1
    assert max(model.asked) < 8 * MAX_TOKENS
    assert len(model.asked) < MAX_MESSAGES
    assert any("chess" in one for one in await group.statements())
    assert not (await group.made.groups.get(group.group_id)).evolve_due

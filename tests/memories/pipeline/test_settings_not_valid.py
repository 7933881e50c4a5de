"""A group's stored setting that is not valid any more keeps none of its pipelines from working."""

from dataclasses import replace
from typing import Any

from functions.evolve_group import handle_evolve, handle_maintain, handle_memory
from shared.contracts.memories import NewMemory
from shared.jobs.worker import Outcome
from shared.wiring import Services
from tests.memories.evolving import Evolving
from tests.services import Clock


async def test_its_evolution_its_upkeep_and_changes_by_hand_go_by_the_deployments(
    made: Services, clock: Clock, told: dict[str, Any]
) -> None:
    group = Evolving(made, clock, told, f"test:settings-{clock().timestamp()}")
    stored = {"max_active_memories": -1, "no_longer_there": True, "core_threshold": 0.9}
    found = await made.groups.change(
        group.group_id, lambda one: replace(one, settings=stored), clock()
    )
    await group.say([("Ann", "We play chess every Friday"), ("Bob", "We play chess every Friday")])
    group.deps = handle_evolve.deps_for(found, made)

    ran = await group.run(await group.start())
    by_hand = handle_memory.deps_for(found, made)
    await handle_memory.add(group.group_id, NewMemory(statement="Tea is at four"), by_hand)
    clock.turn(days=1)
    done = await handle_maintain.maintain(handle_maintain.deps_for(made))

    assert ran.outcome is Outcome.DONE
    own = group.deps.settings
    assert by_hand.settings.core_threshold == own.core_threshold == 0.9
    assert own.max_active_memories == made.settings.max_active_memories
    assert (done.groups, done.failed) == (1, 0)

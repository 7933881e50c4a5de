"""What held at a moment, however long the history before and after it."""

from datetime import timedelta
from typing import Any

import pytest

from functions.evolve_group import handle_memory
from shared.contracts.memories import NewMemory, NewVersion
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.search import memories as search_module
from shared.search.memories import MemorySearch
from shared.stores.memories import new_memory
from shared.wiring import Services
from tests.memories.evolving import Evolving, by_hand
from tests.services import Clock


@pytest.fixture
def group(made: Services, clock: Clock, told: dict[str, Any]) -> Evolving:
    return Evolving(made, clock, told, f"test:as-of-{clock().timestamp()}")


async def ended(group: Evolving, number: int) -> None:
    """Versions of other memories, each made and ended within a minute, one after the other."""
    writes = []
    for place in range(number):
        made = group.clock()
        group.clock.turn(minutes=1)
        one = Memory(
            f"e{made.timestamp()}",
            group.group_id,
            f"passing {place}",
            1,
            made,
            group.clock(),
            MemoryStatus.DEPRECATED,
            ended_at=group.clock(),
            root_id=f"e{made.timestamp()}",
        )
        writes.append(new_memory(one))
    for start in range(0, number, 200):
        await group.made.memories.apply(writes[start : start + 200])


async def test_what_held_is_found_behind_more_versions_than_are_compared(
    group: Evolving,
) -> None:
    made = group.made
    asked = NewMemory(statement="The group meets in the old library", kind="habit")
    lasting = await handle_memory.add(group.group_id, asked, by_hand(group))
    group.clock.turn(minutes=1)
    await ended(group, search_module.MAX_COMPARED + 1)
    then = group.clock()
    group.clock.turn(minutes=1)
    await ended(group, search_module.MAX_COMPARED + 1)
    await handle_memory.change(
        lasting, NewVersion(statement="The group meets in the new library"), by_hand(group)
    )
    search = MemorySearch(made.memories, made.vectors, made.embedder)

    hits = await search.find(
        group.group_id, "Where does the group meet?", limit=5, threshold=0, as_of=then
    )

    assert [hit.memory.statement for hit in hits] == ["The group meets in the old library"]


async def test_each_moment_has_what_held_then_and_nothing_else(group: Evolving) -> None:
    made, deps, moments = group.made, by_hand(group), {}

    async def held() -> list[str]:
        return [
            one.statement
            for one in await made.memories.active_at(group.group_id, group.clock(), 50)
        ]

    async def pass_time() -> None:
        moments[group.clock() + timedelta(minutes=1)] = {
            one.statement for one in await group.memories()
        }
        group.clock.turn(hours=1)

    assert await held() == []
    first = await handle_memory.add(group.group_id, NewMemory(statement="We sing"), deps)
    await pass_time()
    await handle_memory.add(group.group_id, NewMemory(statement="We dance"), deps)
    await pass_time()
    await handle_memory.change(first, NewVersion(statement="We sing on Mondays"), deps)
    await pass_time()
    await handle_memory.remove(first, deps)
    await pass_time()
    await handle_memory.restore(first, deps)
    await pass_time()

    assert len(moments) == 5
    for moment, statements in moments.items():
        found = await made.memories.active_at(group.group_id, moment, 50)
        assert {one.statement for one in found} == statements
        times = [one.created_at for one in found]
        assert times == sorted(times, reverse=True)


async def test_a_vector_of_another_model_costs_only_its_own_memory(group: Evolving) -> None:
    made = group.made
    asked = NewMemory(statement="The group meets in the old library", kind="habit")
    kept = await handle_memory.add(group.group_id, asked, by_hand(group))
    other = Memory(
        "of-another-model",
        group.group_id,
        "The group met in the new library",
        1,
        group.clock(),
        group.clock(),
        kind="habit",
        vector=b"\0\0\x80\x3f" * 3,
        root_id="of-another-model",
    )
    await made.memories.apply([new_memory(other)])
    group.clock.turn(minutes=1)
    search = MemorySearch(made.memories, made.vectors, made.embedder)
    hits = await search.find(
        group.group_id, "Where do we meet?", limit=5, threshold=0.0, as_of=group.clock()
    )

    assert hits[0].memory.memory_id == kept.memory_id
    assert hits[1].by_meaning == 0

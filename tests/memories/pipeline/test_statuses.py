"""What a memory's versions say of themselves: replaced, deleted, and since when."""

from typing import Any

import pytest

from functions.evolve_group import handle_memory
from shared.contracts.memories import NewMemory, NewVersion, ShownMemory
from shared.domain.memories.memory import MemoryStatus
from shared.errors import Conflict
from shared.wiring import Services
from tests.memories.evolving import Evolving, by_hand
from tests.services import Clock


@pytest.fixture
def group(made: Services, clock: Clock, told: dict[str, Any]) -> Evolving:
    return Evolving(made, clock, told, f"test:statuses-{clock().timestamp()}")


async def test_a_replaced_version_is_superseded_and_a_deleted_one_deprecated(
    group: Evolving,
) -> None:
    deps = by_hand(group)
    first = await handle_memory.add(group.group_id, NewMemory(statement="We sing"), deps)
    group.clock.turn(days=1)
    second = await handle_memory.change(first, NewVersion(statement="We sing on Mondays"), deps)
    group.clock.turn(days=1)
    gone = await handle_memory.remove(second, deps)

    versions = [one.memory for one in await group.made.memories.history(first)]
    assert [one.status for one in versions] == [
        MemoryStatus.SUPERSEDED,
        MemoryStatus.DEPRECATED,
        MemoryStatus.DEPRECATED,
    ]
    assert {ShownMemory.from_record(one).created_at for one in versions} == {first.created_at}
    assert ShownMemory.from_record(gone).updated_at > first.created_at


async def test_a_deleted_memory_cannot_be_weighed(group: Evolving) -> None:
    deps = by_hand(group)
    memory = await handle_memory.add(group.group_id, NewMemory(statement="We dance"), deps)
    await handle_memory.remove(memory, deps)

    with pytest.raises(Conflict, match="deprecated"):
        await handle_memory.weigh(memory, 0.9, deps)

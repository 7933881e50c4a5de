"""What is core, and vectors of an earlier wording: moved by evolution, upkeep and by hand only."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from functions.evolve_group import handle_maintain, handle_memory
from shared.contracts.memories import NewMemory, NewVersion
from shared.domain.context.fitting import fit
from shared.domain.context.sections import stable_offers
from shared.domain.memories.embedded_wording import embedded_as
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.similarity.vectors import cosine, pack, unpack
from shared.errors import Transient
from shared.stores.firestore import gone, update
from shared.stores.groups import put_group
from shared.stores.memories import memory_path, patched_memory
from shared.stores.vectors import Vector, VectorPlan
from shared.wiring import Services
from tests.memories.evolving import Evolving, by_hand, upkeep
from tests.services import Clock


@pytest.fixture
def group(made: Services, clock: Clock, told: dict[str, Any]) -> Evolving:
    return Evolving(made, clock, told, f"test:core-{clock().timestamp()}")


@pytest.fixture
def a_day_later(group: Evolving) -> Callable[..., Any]:
    async def run(**changes: Any) -> Any:
        group.clock.turn(days=1)
        return await handle_maintain.maintain(replace(upkeep(group.made), **changes))

    return run


async def add(group: Evolving, statement: str, strength: float = 0.7) -> Memory:
    asked = NewMemory(statement=statement, strength=strength, kind="habit")
    return await handle_memory.add(group.group_id, asked, by_hand(group))


async def stable(group: Evolving) -> str:
    """The stable part of a context of the group, byte by byte."""
    memories = await group.made.memories.active(group.group_id, 50)
    offers = stable_offers(group.group_id, [], memories, speaker_id=None, shares_profiles=False)
    return fit(offers, [], [], names={}, max_tokens=4000).stable


async def strengthen(group: Evolving, memory: Memory, strength: float) -> None:
    """As feedback does: in place, without a decision."""
    found = await group.made.memories.history(memory)
    await group.made.memories.apply([patched_memory(found[-1], strength=strength)])


async def test_strength_moves_the_stable_part_only_at_upkeep(
    group: Evolving, a_day_later: Callable[..., Any]
) -> None:
    core = await add(group, "Members play chess on Fridays", 0.9)
    other = await add(group, "Members go hiking on Sundays")
    before = await stable(group)
    assert "chess" in before
    assert "hiking" not in before

    await strengthen(group, core, 0.5)
    await strengthen(group, other, 0.95)
    assert await stable(group) == before

    done = await a_day_later()
    after = await stable(group)
    assert done.core_moved == 2
    assert "hiking" in after
    assert "chess" not in after
    assert (await a_day_later()).core_moved == 0


async def test_an_evolution_decides_anew_what_is_core(group: Evolving) -> None:
    core = await add(group, "Members play chess on Fridays")
    await strengthen(group, core, 0.85)

    await group.say([("Ann", "Good morning")])
    await group.evolve()

    (memory,) = await group.memories()
    assert (memory.memory_id, memory.core) == (core.memory_id, True)


async def test_a_memory_grows_core_by_the_versions_that_evolution_makes(group: Evolving) -> None:
    await add(group, "Members play chess every Friday evening")
    await group.say([("Ann", "We moved the chess evening to Thursday"), ("Bob", "Yes")])

    await group.evolve()

    every = sorted(await group.memories(None), key=lambda one: one.version)
    assert [(one.strength, one.core) for one in every] == [(0.7, False), (0.8, True)]


async def test_a_strength_set_by_hand_counts_at_once(group: Evolving) -> None:
    memory = await add(group, "Members play chess on Fridays")
    assert not memory.core

    assert (await handle_memory.weigh(memory, 0.9, by_hand(group))).core
    assert "chess" in await stable(group)
    changed = await handle_memory.change(
        memory, NewVersion(statement="Members play chess on Mondays"), by_hand(group)
    )
    assert changed.core
    assert not (await handle_memory.weigh(memory, 0.1, by_hand(group))).core
    assert await stable(group) == ""


async def test_what_is_gone_is_not_core(group: Evolving) -> None:
    memory = await add(group, "Members play chess on Fridays", 0.9)
    removed = await handle_memory.remove(memory, by_hand(group))

    assert {one.core for one in await group.memories(None)} == {False}
    assert (await handle_memory.restore(removed, by_hand(group))).core


async def test_a_groups_own_threshold_is_the_one_that_counts(
    group: Evolving, a_day_later: Callable[..., Any]
) -> None:
    await add(group, "Members play chess on Fridays", 0.9)
    found = await group.made.groups.get(group.group_id)
    own = replace(found, settings={"core_threshold": 0.95})
    await group.made.memories.apply([put_group(own)])

    await a_day_later()

    assert await stable(group) == ""


async def of_an_earlier_release(group: Evolving, memory: Memory) -> list[float]:
    """As it was stored before: no word of core or of how it was embedded, a bare vector."""
    bare = await group.made.embedder.embed_one(
        memory.statement, group_id=group.group_id, budget_s=10
    )
    assert bare is not None
    path = memory_path(group.group_id, memory.memory_id)
    fields = {"core": gone(), "embedded_as": gone(), "vector": pack(bare)}
    await group.made.memories.apply([update(path, fields)])
    await group.made.vectors.apply(
        group.group_id, VectorPlan([Vector("memory", memory.memory_id, bare)])
    )
    return bare


async def test_upkeep_brings_memories_of_an_earlier_release_up_to_date(
    group: Evolving, a_day_later: Callable[..., Any]
) -> None:
    made = group.made
    memory = await add(group, "Members play chess on Fridays", 0.9)
    bare = await of_an_earlier_release(group, memory)
    (old,) = await group.memories()
    assert (old.core, old.embedded_as) == (False, "")

    done = await a_day_later()

    assert (done.core_moved, done.embedded) == (1, 1)
    (new,) = await group.memories()
    assert (new.core, new.embedded_as) == (True, embedded_as(made.embedder.model))
    assert new.vector == memory.vector
    indexed = await made.vectors.fetch(group.group_id, "memory", [memory.memory_id])
    assert cosine(indexed[memory.memory_id], unpack(memory.vector)) == pytest.approx(1, abs=1e-4)
    assert cosine(indexed[memory.memory_id], bare) < 0.99
    assert (await a_day_later()).embedded == 0


async def test_upkeep_without_the_embedder_is_taken_up_again(
    group: Evolving, a_day_later: Callable[..., Any]
) -> None:
    memory = await add(group, "Members play chess on Fridays", 0.9)
    await of_an_earlier_release(group, memory)

    class Down:
        model = group.made.embedder.model

        async def embed(self, *_: Any, **__: Any) -> Any:
            raise Transient("no answer")

    down: Any = Down()
    done = await a_day_later(similarity=replace(group.deps.similarity, embedder=down))
    assert (done.failed, done.embedded) == (1, 0)
    assert (await a_day_later()).embedded == 1


async def test_a_candidate_is_never_core_however_strong(
    group: Evolving, a_day_later: Callable[..., Any]
) -> None:
    await group.say([("Ann", "Remember: we all love jazz here")])
    await group.evolve()
    (held_back,) = await group.memories("candidate")
    await strengthen(group, held_back, 1.0)

    await a_day_later()

    (again,) = await group.memories("candidate")
    assert (again.status, again.core) == (MemoryStatus.CANDIDATE, False)

"""An index that was lost is filled again from what Firestore has."""

from typing import Any
from uuid import uuid4

from functions.evolve_group.handle_maintain import deps_for, maintain
from infra.reindex import mark_all
from shared.domain.group import BEGINNING
from shared.stores.vectors import VectorPlan, vector_id
from shared.wiring import Services
from tests.services import Clock, in_process
from tests.talk import new_group
from tests.topics.attributing import Attributing


async def test_a_lost_line_is_in_the_index_again(told: dict[str, Any], clock: Clock) -> None:
    project = f"reindex-{uuid4().hex[:8]}"
    async with in_process(told, clock, GOOGLE_CLOUD_PROJECT=project) as made:
        group = Attributing(made, clock, told, new_group())
        await group.say(*(group.message(n, "Ann", f"boat {n} leaves at noon") for n in range(30)))
        await group.attribute()
        clock.turn(hours=1)
        ids = [vector_id("message", f"m{n}") for n in range(5)]
        assert await known(made, group.group_id, ids) == set(ids)
        await made.vectors.apply(group.group_id, VectorPlan(deletes=ids))
        assert await known(made, group.group_id, ids) == set()

        assert await mark_all(made.groups, clock()) == 1
        assert (await made.groups.get(group.group_id)).unindexed_since == BEGINNING
        await maintain(deps_for(made))

        assert await known(made, group.group_id, ids) == set(ids)


async def known(made: Services, group_id: str, ids: list[str]) -> set[str]:
    return set(await made.vectors.known(group_id, ids))

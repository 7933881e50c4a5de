"""Walking a graph on real stores: bounded reads, no entity twice, cycles end."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.domain.knowledge.graph import MAX_EDGES, Entity, Relation
from shared.stores.entities import put_entity
from shared.stores.firestore import Query
from shared.stores.relations import put_relation
from shared.wiring import Services
from tests.services import Clock

AT = datetime(2026, 3, 1, tzinfo=UTC)


class Counted:
    """The database, and how often it was asked."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self.queries: list[Query] = []
        self.documents = 0

    async def find(self, query: Query) -> Any:
        self.queries.append(query)
        found = await self._database.find(query)
        self.documents += len(found)
        return found

    async def get_all(self, paths: Sequence[str]) -> Any:
        self.documents += len(paths)
        return await self._database.get_all(paths)


@pytest.fixture
def group_id(clock: Clock) -> str:
    return f"test:graph-{clock().timestamp()}"


def entity(group_id: str, name: str, **more: Any) -> Entity:
    return Entity(f"{group_id}-{name}", group_id, name, AT, AT, **more)


def edge(group_id: str, one: str, other: str, kind: str = "knows", sure: float = 0.8) -> Relation:
    ends = (f"{group_id}-{one}", f"{group_id}-{other}")
    return Relation(f"{one}-{kind}-{other}", group_id, *ends, kind, AT, AT, confidence=sure)


async def write(made: Services, entities: Sequence[Entity], edges: Sequence[Relation]) -> None:
    writes = [*map(put_entity, entities), *map(put_relation, edges)]
    for at in range(0, len(writes), 400):
        await made.database.commit(writes[at : at + 400])


async def test_a_ring_with_a_hub_is_walked_with_few_reads(made: Services, group_id: str) -> None:
    """Every one of 240 knows the next two; the hub is known by 150 of them."""
    count, known_by = 240, 150
    ring = [entity(group_id, f"p{n}") for n in range(count)]
    edges = [edge(group_id, f"p{n}", f"p{(n + d) % count}") for n in range(count) for d in (1, 2)]
    spokes = [edge(group_id, f"p{n}", "hub", "likes", 0.5 + n / 1000) for n in range(known_by)]
    await write(made, [*ring, entity(group_id, "hub")], [*edges, *spokes])
    search = made.graph_search
    database: Any = Counted(made.database)
    search.entities._database = search.relations._database = database
    try:
        walk = await search.walk(group_id, "p200", depth=3)
        near = {f"{group_id}-p{(200 + d) % count}" for d in range(-6, 7)}
        assert {one.entity_id for one in walk.entities} == near
        assert len(walk.entities) == len(near)
        assert len(database.queries) <= 1 + 3
        assert database.documents <= 100

        hub = await search.walk(group_id, "hub", depth=1)
        assert len(hub.relations) == MAX_EDGES
        assert min(one.confidence for one in hub.relations) >= 0.5 + (known_by - 100) / 1000

        round_and_round = await search.walk(group_id, "p0", depth=5, relation_types=["knows"])
        ids = [one.entity_id for one in round_and_round.entities]
        assert len(ids) == len(set(ids)) == 21
        assert {one.relation_type for one in round_and_round.relations} == {"knows"}
    finally:
        search.entities._database = search.relations._database = made.database


async def test_an_entity_is_found_by_id_name_words_and_meaning(
    made: Services, group_id: str
) -> None:
    things = [
        entity(group_id, "蓝鲸书店", entity_type="organization", description="卖二手书的小店"),
        entity(group_id, "Harbour Loop", entity_type="event", aliases=("the ten k",)),
        entity(group_id, "Ravi", entity_type="person", description="plays the cello"),
    ]
    await write(made, things, [edge(group_id, "Ravi", "蓝鲸书店", "works_at")])
    await made.entity_index.put(group_id, [one.entity_id for one in things])
    search = made.graph_search

    assert (await search.find(group_id, "THE TEN-K"))[0].entity == things[1]
    assert (await search.find(group_id, "harbour"))[0].entity == things[1]
    assert (await search.find(group_id, "买旧书的地方"))[0].entity == things[0]
    only = await search.find(group_id, "harbour", entity_types=["person"])
    assert {one.entity.entity_type for one in only} <= {"person"}
    by_id = await search.walk(group_id, things[2].entity_id)
    by_name = await search.walk(group_id, "ravi")
    assert by_id == by_name
    assert len(by_id.entities) == 2
    assert (await search.walk(group_id, "nobody")).entities == ()
    assert (await search.walk("test:elsewhere", "ravi")).entities == ()

"""Walks a graph of 10,000 entities and 30,000 relations to depth 3 and counts the reads.

`python -m bench.graph`: on the real emulators, seeded, no model is asked.
"""

import asyncio
import random
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shared.domain.knowledge.graph import Entity, Relation
from shared.search.graph import GraphSearch
from shared.stores.entities import Entities, put_entity
from shared.stores.firestore import Query
from shared.stores.relations import Relations, put_relation
from tests.services import Clock, all_emulators, in_process

ENTITIES, RELATIONS, WALKS = 10_000, 30_000, 20
GROUP, AT = "bench:graph", datetime(2026, 1, 1, tzinfo=UTC)
SEED = 7
MOST_DOCUMENTS = 10_000
"""Of one walk: ten for each entity that an answer may hold."""


class Counting:
    """The database, and what was asked of it."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self.queries = self.documents = 0

    async def find(self, query: Query) -> Any:
        found = await self._database.find(query)
        self.queries += 1
        self.documents += len(found)
        return found

    async def get_all(self, paths: Sequence[str]) -> Any:
        self.documents += len(paths)
        return await self._database.get_all(paths)


async def measure(told: dict[str, Any]) -> int:
    chance = random.Random(SEED)
    async with in_process(told, Clock(AT)) as made:
        writes = [put_entity(Entity(f"e{n}", GROUP, f"thing {n}", AT, AT)) for n in range(ENTITIES)]
        for n in range(RELATIONS):
            one, other = (f"e{int(chance.random() ** 2 * ENTITIES)}" for _ in range(2))
            edge = Relation(f"r{n}", GROUP, one, other, chance.choice("abc"), AT, AT)
            writes.append(put_relation(edge))
        for at in range(0, len(writes), 500):
            await made.database.commit(writes[at : at + 500])
        failed = 0
        for _ in range(WALKS):
            database: Any = Counting(made.database)
            stores = Entities(database), Relations(database)
            search = GraphSearch(*stores, made.vectors, made.embedder)
            start = f"e{chance.randrange(ENTITIES)}"
            walk = await search.walk(GROUP, start, depth=3)
            ids = [one.entity_id for one in walk.entities]
            failed += len(ids) != len(set(ids)) or database.documents > MOST_DOCUMENTS
            print(
                f"{start}: {len(ids)} entities, {len(walk.relations)} relations,"
                f" {database.queries} queries, {database.documents} documents, cut {walk.is_cut}"
            )
    return failed


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, all_emulators(Path(folder)) as running:
        return asyncio.run(measure(running.told))


if __name__ == "__main__":
    raise SystemExit(main())

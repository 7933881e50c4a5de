"""What model calls cost, counted by day and group in ten shards: no document is a hot spot."""

import random
from collections.abc import Callable
from datetime import datetime
from typing import Any

from shared.domain.ids import safe_id
from shared.domain.usage import DayUsage, day_totals
from shared.stores.database import Database, merge, plus
from shared.stores.query import collection
from shared.stores.records import Codec

SHARDS = 10
"""A document takes about one write a second: ten of them, ten calls a second of one group."""
DAYS = Codec(DayUsage)


class Usage:
    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    async def record(
        self,
        group_id: str,
        prompt_id: str,
        model: str,
        *,
        calls: int,
        prompt_tokens: int,
        completion_tokens: int,
    ) -> None:
        day = self._now().date().isoformat()
        shard = random.randrange(SHARDS)  # noqa: S311 - spreads load, guards nothing
        counts = {
            "calls": plus(calls),
            "prompt_tokens": plus(prompt_tokens),
            "completion_tokens": plus(completion_tokens),
        }
        fields: dict[str, Any] = {
            "day": day,
            "group_id": group_id,
            **counts,
            "by_prompt": {prompt_id: {**counts, "model": model}},
        }
        await self._database.commit(
            [merge(f"usage/{safe_id(f'{day}:{group_id}:{shard}')}", fields)]
        )

    async def totals(self, group_id: str | None, day_from: str, day_to: str) -> list[DayUsage]:
        """One row a day and group, the shards added up, the oldest day first."""
        query = collection("usage").where("day", ">=", day_from).where("day", "<=", day_to)
        if group_id is not None:
            query = query.where("group_id", "==", group_id)
        found = await self._database.find(query.order_by("day"))
        return day_totals([DAYS.read(one) for one in found])

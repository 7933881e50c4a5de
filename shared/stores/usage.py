"""What model calls cost, counted by day and group in ten shards: no document is a hot spot.

Documents begin with the group's name: were it the day's, all writes of a day would go to one end.
"""

import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.domain.ids import safe_id
from shared.domain.usage import CallCounts, DayUsage, day_totals
from shared.stores.firestore import NAME, Database, DocumentPath, Write, collection, merge, plus
from shared.stores.records import Codec

SHARDS = 10
"""A document takes about one write a second: ten of them, ten calls a second of one group."""
DAYS = Codec(DayUsage)


class UsageCounts:
    def __init__(
        self, database: Database, now: Callable[[], datetime], kept: timedelta | None = None
    ) -> None:
        self._database = database
        self._now = now
        self._kept = kept

    async def record(self, counted: Mapping[tuple[str, str, str], CallCounts]) -> None:
        """By group, prompt and model: all in one commit, on the day that it is now."""
        groups: dict[str, dict[tuple[str, str], CallCounts]] = {}
        for (group_id, prompt_id, model), counts in counted.items():
            groups.setdefault(group_id, {})[prompt_id, model] = counts
        day = self._now().date().isoformat()
        shard = random.randrange(SHARDS)  # noqa: S311 - spreads load, guards nothing
        writes = [self._write(group_id, day, shard, own) for group_id, own in groups.items()]
        await self._database.commit(writes)

    def _write(
        self, group_id: str, day: str, shard: int, own: Mapping[tuple[str, str], CallCounts]
    ) -> Write:
        sums = CallCounts()
        by_prompt: dict[str, Any] = {}
        for (prompt_id, model), counts in own.items():
            sums = sums.plus(counts)
            by_prompt[prompt_id] = {**_added(counts), "model": model}
        fields = {"day": day, "group_id": group_id, **_added(sums), "by_prompt": by_prompt}
        if self._kept:
            fields["expires_at"] = datetime.fromisoformat(day).replace(tzinfo=UTC) + self._kept
        return merge(_path(group_id, day, shard), fields)

    async def spent(self, group_id: str, day: str) -> CallCounts:
        """Of one day, all shards."""
        found = await self._database.get_all([_path(group_id, day, n) for n in range(SHARDS)])
        sums = CallCounts()
        for snapshot in found:
            sums = sums.plus(DAYS.read(snapshot)) if snapshot else sums
        return sums

    async def totals(self, group_id: str, day_from: str, day_to: str) -> list[DayUsage]:
        """One row a day, the shards added up, the oldest day first."""
        query = (
            collection("usage")
            .where("group_id", "==", group_id)
            .where("day", ">=", day_from)
            .where("day", "<=", day_to)
        )
        found = await self._database.find(query.order_by("day"))
        return day_totals([DAYS.read(snapshot) for snapshot in found])

    async def page(
        self, after: tuple[str, str] | None, limit: int
    ) -> tuple[list[DayUsage], tuple[str, str] | None]:
        """Rows of every group and day from behind `after` (a group, a day), by group, and where
        the next page begins if there is one. A row has ten shards at most."""
        query = collection("usage").order_by(NAME).limit((limit + 1) * SHARDS)
        if after is not None:
            query = query.start_after(DocumentPath(_path(*after, SHARDS)))
        found = await self._database.find(query)
        rows = day_totals([DAYS.read(snapshot) for snapshot in found])
        is_all = len(found) < (limit + 1) * SHARDS
        # The last row may be half a row: the page ends before it.
        whole = rows if is_all else rows[:-1]
        page = whole[:limit]
        is_more = len(page) < len(rows)
        return page, (page[-1].group_id, page[-1].day) if is_more and page else None


def _path(group_id: str, day: str, shard: int) -> str:
    """Shards are named by letters, so that they stand together; `SHARDS` is behind them all."""
    return f"usage/{safe_id(f'{group_id}:{day}:{chr(97 + shard)}')}"


def _added(counts: CallCounts) -> dict[str, Any]:
    return {
        "calls": plus(counts.calls),
        "prompt_tokens": plus(counts.prompt_tokens),
        "completion_tokens": plus(counts.completion_tokens),
        "dollars": plus(counts.dollars),
    }

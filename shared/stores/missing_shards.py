"""Pending messages and open topics that do not say which part of all groups they belong to: they
were stored before schedules looked for them by it, and no schedule finds them."""

from shared.domain.ids import shard_of
from shared.stores.firestore import Database, Query, Snapshot, collection, update
from shared.stores.groups import group_path

PAGE = 200
PAGES = 10
"""Of each kind in one call, so that one group does not keep the others waiting."""


class Unsharded:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def name_shards(self, group_id: str) -> int:
        """Write the part onto those that lack it, and nothing else; how many did. What is beyond a
        call's pages is reached when schedules have taken these away."""
        path = group_path(group_id)
        pending = collection(f"{path}/messages").order_by("pending_since").order_by("create_time")
        topics = collection(f"{path}/topics").where("is_active", "==", True)
        topics = topics.largest_first("last_message_at")
        named = await self._named(group_id, pending, "pending_since", "create_time")
        return named + await self._named(group_id, topics, "last_message_at")

    async def _named(self, group_id: str, query: Query, *ordered_by: str) -> int:
        lacking, shard = list[Snapshot](), {"shard": shard_of(group_id)}
        query = query.select("shard", *ordered_by).limit(PAGE)
        after: tuple[object, ...] = ()
        for _ in range(PAGES):
            page = await self._database.find(query.start_after(*after) if after else query)
            lacking += [snapshot for snapshot in page if "shard" not in snapshot.data]
            if len(page) < PAGE:
                break
            after = tuple(page[-1].data[name] for name in ordered_by)
        for start in range(0, len(lacking), PAGE):
            some = lacking[start : start + PAGE]
            await self._database.commit([update(snapshot.path, shard) for snapshot in some])
        return len(lacking)

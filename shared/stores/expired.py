"""Records of a group that are older than it wants to keep them."""

from collections.abc import Sequence
from datetime import datetime

from shared.domain.ids import safe_id
from shared.stores.firestore import Database, collection, delete
from shared.stores.groups import group_path

PAGE = 100
"""One commit."""
DATED = {"events": ("timestamp_utc", "event_id"), "contexts": ("created_at", "context_id")}
"""By which time each is old, and its id."""


class Expired:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, group_id: str, kind: str, before: datetime) -> list[str]:
        """The ids of the oldest, if they are older than that."""
        at, name = DATED[kind]
        query = collection(f"{group_path(group_id)}/{kind}").where(at, "<", before)
        found = await self._database.find(query.order_by(at).limit(PAGE))
        return [str(snapshot.data[name]) for snapshot in found]

    async def delete(self, group_id: str, kind: str, ids: Sequence[str]) -> None:
        path = f"{group_path(group_id)}/{kind}"
        if ids:
            await self._database.commit(
                [delete(f"{path}/{safe_id(record_id)}") for record_id in ids]
            )

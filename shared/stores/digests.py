"""The weekly digests of a group: one document a week."""

from shared.domain.topics.group_digest import GroupDigest
from shared.stores.firestore import Database, Query, Write, collection, put
from shared.stores.groups import group_path
from shared.stores.records import Codec

DIGESTS = Codec(GroupDigest)


def put_digest(digest: GroupDigest) -> Write:
    return put(_path(digest.group_id, digest.week), DIGESTS.fields(digest))


def _path(group_id: str, week: str) -> str:
    return f"{group_path(group_id)}/digests/{week}"


class Digests:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, group_id: str, week: str) -> GroupDigest | None:
        found = await self._database.get(_path(group_id, week))
        return DIGESTS.read(found) if found else None

    async def listed(self, group_id: str, limit: int) -> tuple[int, list[GroupDigest]]:
        """The newest week first, with how many there are in all."""
        query = self._of(group_id)
        total = await self._database.count(query)
        page = query.largest_first("starts_at").limit(limit)
        return total, [DIGESTS.read(found) for found in await self._database.find(page)]

    def _of(self, group_id: str) -> Query:
        return collection(f"{group_path(group_id)}/digests")

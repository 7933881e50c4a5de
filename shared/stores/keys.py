"""API keys, looked up by id."""

from collections.abc import Sequence

from shared.domain.ids import safe_id
from shared.domain.key import StoredKey
from shared.stores.firestore import Database, collection, create, update
from shared.stores.records import Codec

KEYS = Codec(StoredKey)


class Keys:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, key_id: str) -> StoredKey | None:
        found = await self._database.get(f"keys/{safe_id(key_id)}")
        return KEYS.read(found) if found else None

    async def add(self, key: StoredKey) -> None:
        fields = KEYS.fields(key)
        fields["scopes"] = sorted(key.scopes)
        await self._database.commit([create(f"keys/{safe_id(key.key_id)}", fields)])

    async def revoke(self, keys: Sequence[StoredKey]) -> None:
        """All at once, each at its own `revoked_at`."""
        await self._database.commit(
            [update(f"keys/{safe_id(key.key_id)}", {"revoked_at": key.revoked_at}) for key in keys]
        )

    async def made_by(self, key_id: str) -> list[StoredKey]:
        found = await self._database.find(collection("keys").where("made_by", "==", key_id))
        return [KEYS.read(snapshot) for snapshot in found]

    async def listed(self, limit: int, offset: int) -> tuple[int, list[StoredKey]]:
        """The newest first."""
        keys = collection("keys")
        total = await self._database.count(keys)
        page = keys.largest_first("created_at").offset(offset).limit(limit)
        return total, [KEYS.read(found) for found in await self._database.find(page)]

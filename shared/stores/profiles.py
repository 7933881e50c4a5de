"""Profiles: what each group knows of its members and of itself."""

from collections.abc import Iterable
from typing import Any

from shared.domain.ids import safe_id
from shared.domain.knowledge.profile import EntityType, Profile
from shared.stores.database import Database, Write, put, server_time
from shared.stores.groups import group_path
from shared.stores.query import collection_group
from shared.stores.records import Codec

PROFILES = Codec(Profile)


def profile_path(group_id: str, entity_type: EntityType, entity_id: str) -> str:
    return f"{group_path(group_id)}/profiles/{safe_id(f'{entity_type}:{entity_id}')}"


def put_profile(profile: Profile) -> Write:
    path = profile_path(profile.group_id, profile.entity_type, profile.entity_id)
    return put(path, _fields(profile))


class Profiles:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_many(
        self, group_id: str, entities: Iterable[tuple[EntityType, str]]
    ) -> dict[str, Profile]:
        """Those that exist, by `type:id`, in one round trip."""
        paths = [profile_path(group_id, kind, one) for kind, one in entities]
        found = await self._database.get_all(paths)
        profiles = [PROFILES.read(snapshot) for snapshot in found if snapshot]
        return {profile.profile_id: profile for profile in profiles}

    async def of_user_everywhere(self, user_id: str, limit: int) -> list[Profile]:
        """Of every group, private ones too: who shows them must ask `may_be_shown`."""
        query = (
            collection_group("profiles").where("profile_id", "==", f"user:{user_id}").limit(limit)
        )
        return [PROFILES.read(found) for found in await self._database.find(query)]

    async def put(self, profiles: Iterable[Profile]) -> None:
        await self._database.commit([put_profile(one) for one in profiles])


def _fields(profile: Profile) -> dict[str, Any]:
    return {
        **PROFILES.fields(profile),
        "profile_id": profile.profile_id,
        "stored_at": server_time(),
    }

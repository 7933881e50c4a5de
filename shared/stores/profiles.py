"""Profiles: what each group knows of its members and of itself, and the versions before."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from shared.domain.audience import KnownAudience
from shared.domain.group import Group
from shared.domain.ids import safe_id
from shared.domain.knowledge.profile import EntityType, Profile
from shared.stores.firestore import (
    Database,
    Write,
    collection,
    collection_group,
    delete,
    put,
    server_time,
)
from shared.stores.groups import GROUPS, group_path
from shared.stores.records import Codec


@dataclass(frozen=True)
class ProfileSnapshot:
    """A version that was overwritten, as it was."""

    version: int
    taken_at: datetime
    profile: Profile


PROFILES = Codec(Profile)
SNAPSHOTS = Codec(ProfileSnapshot)
MOST_SNAPSHOTS = 200
"""Read at once; a setting keeps far fewer."""


def profile_path(group_id: str, entity_type: EntityType, entity_id: str) -> str:
    return f"{group_path(group_id)}/profiles/{safe_id(f'{entity_type}:{entity_id}')}"


def put_profile(profile: Profile) -> Write:
    """The commit also counts it in the group (`with_profile_written`): by that count readers know
    whether what they keep still holds."""
    return put(_path(profile), _fields(profile))


def put_snapshot(profile: Profile, now: datetime) -> Write:
    """Before it is overwritten. The same version always writes the same document."""
    snapshot = ProfileSnapshot(profile.version, now, profile)
    return put(f"{_path(profile)}/snapshots/{profile.version}", SNAPSHOTS.fields(snapshot))


def delete_snapshot(profile: Profile, version: int) -> Write:
    return delete(f"{_path(profile)}/snapshots/{version}")


class Profiles:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, group_id: str, entity_type: EntityType, entity_id: str) -> Profile | None:
        found = await self._database.get(profile_path(group_id, entity_type, entity_id))
        return PROFILES.read(found) if found else None

    async def get_many(
        self, group_id: str, entities: Iterable[tuple[EntityType, str]]
    ) -> dict[str, Profile]:
        """Those that exist, by `type:id`, in one round trip."""
        return await self.get_by_ids(
            group_id, [f"{kind}:{entity_id}" for kind, entity_id in entities]
        )

    async def get_by_ids(self, group_id: str, profile_ids: Iterable[str]) -> dict[str, Profile]:
        """Those of `type:id` that exist, in one round trip."""
        paths = [
            f"{group_path(group_id)}/profiles/{safe_id(profile_id)}" for profile_id in profile_ids
        ]
        found = await self._database.get_all(paths)
        profiles = [PROFILES.read(snapshot) for snapshot in found if snapshot]
        return {profile.profile_id: profile for profile in profiles}

    async def latest(self, group_id: str, limit: int) -> list[Profile]:
        """Those changed last, the newest first."""
        query = (
            collection(f"{group_path(group_id)}/profiles").largest_first("updated_at").limit(limit)
        )
        return [PROFILES.read(found) for found in await self._database.find(query)]

    async def of_user_everywhere(self, user_id: str, limit: int) -> list[Profile]:
        """Of every group, with the audience that the group has now; private ones too: who shows
        them must ask `may_be_shown`."""
        query = (
            collection_group("profiles").where("profile_id", "==", f"user:{user_id}").limit(limit)
        )
        found = [PROFILES.read(snapshot) for snapshot in await self._database.find(query)]
        homes = await self._database.get_all([group_path(profile.group_id) for profile in found])
        return [
            replace(profile, audience=_now_heard_by(profile, GROUPS.read(home)))
            for profile, home in zip(found, homes, strict=True)
            if home
        ]

    async def snapshots(
        self, group_id: str, entity_type: EntityType, entity_id: str
    ) -> list[ProfileSnapshot]:
        """The newest first."""
        path = f"{profile_path(group_id, entity_type, entity_id)}/snapshots"
        query = collection(path).largest_first("version").limit(MOST_SNAPSHOTS)
        return [SNAPSHOTS.read(found) for found in await self._database.find(query)]


def _now_heard_by(profile: Profile, home: Group) -> KnownAudience:
    if home.is_deleted or "private" in (profile.audience, home.audience):
        return "private"
    return home.audience


def _path(profile: Profile) -> str:
    return profile_path(profile.group_id, profile.entity_type, profile.entity_id)


def _fields(profile: Profile) -> dict[str, Any]:
    return {
        **PROFILES.fields(profile),
        "profile_id": profile.profile_id,
        "stored_at": server_time(),
    }

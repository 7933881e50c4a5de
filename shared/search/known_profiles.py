"""Profiles as a group may see them, by who they are of; kept for an hour by version."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from shared.domain.group import Group
from shared.domain.knowledge.profile import EntityType, Profile
from shared.domain.knowledge.profile_sharing import may_be_shown, read_as_one
from shared.stores.profiles import Profiles

SHARED_PROFILES = 20
"""Groups of one person that are looked into: a reply has room for far fewer."""
KEPT_FOR_S = 3600.0
KEPT = 500
"""Profiles in one warm instance; at a few kilobytes each, a few megabytes."""

Entity = tuple[EntityType, str]
_Version = tuple[int, int]
"""A group's epoch and its count of written profiles: with both the same, nothing has changed."""


@dataclass
class _Kept:
    profile: Profile | None
    version: _Version
    until: float


@dataclass(frozen=True)
class KnownProfiles:
    """Each read is kept for an hour, as long as the group has written no profile and forgotten
    nothing: its document, which is read anyway, says so. Also that there is none."""

    profiles: Profiles
    shares: bool
    seconds: Callable[[], float] = time.monotonic
    _kept: OrderedDict[tuple[str, Entity], _Kept] = field(default_factory=OrderedDict, repr=False)

    async def own(self, group: Group, entities: Iterable[Entity]) -> dict[str, Profile]:
        """What this group itself knows, by `type:id`."""
        version, now = (group.epoch, group.profiles_version), self.seconds()
        wanted = list(dict.fromkeys(entities))
        fresh = {
            owner: kept
            for owner in wanted
            if (kept := self._kept.get((group.group_id, owner)))
            and kept.version == version
            and kept.until > now
        }
        missing = [owner for owner in wanted if owner not in fresh]
        if missing:
            found = await self.profiles.get_many(group.group_id, missing)
            for owner in missing:
                profile = found.get(f"{owner[0]}:{owner[1]}")
                fresh[owner] = _Kept(profile, version, now + KEPT_FOR_S)
                self._keep((group.group_id, owner), fresh[owner])
        profiles = [fresh[owner].profile for owner in wanted]
        return {profile.profile_id: profile for profile in profiles if profile is not None}

    async def shown(self, group: Group, entity_type: EntityType, entity_id: str) -> Profile | None:
        """One profile; where profiles are shared, a user's of all groups that may be shown here
        are read as one. What was learnt in a private chat stays there."""
        own = await self.own(group, [(entity_type, entity_id)])
        found = list(own.values())
        if self.shares and entity_type == "user":
            found += [
                profile
                for profile in await self.profiles.of_user_everywhere(entity_id, SHARED_PROFILES)
                if profile.group_id != group.group_id
                and may_be_shown(profile, group.group_id, shares=self.shares)
            ]
        return read_as_one(found, group.group_id) if found else None

    def _keep(self, key: tuple[str, Entity], kept: _Kept) -> None:
        self._kept[key] = kept
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

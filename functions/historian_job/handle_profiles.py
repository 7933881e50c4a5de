"""Reads profiles and their earlier versions, and goes back to one."""

from dataclasses import dataclass

from functions.historian_job import handle_merge
from shared.domain.group import with_profile_written
from shared.domain.jobs.lease import profile_of
from shared.domain.knowledge.profile import EntityType, Profile
from shared.domain.knowledge.profile_merge import rolled_back
from shared.errors import Conflict, NotFound
from shared.stores.groups import Plan
from shared.stores.profiles import ProfileSnapshot
from shared.wiring import Services


@dataclass(frozen=True)
class Wanted:
    group_id: str
    entity_type: EntityType
    entity_id: str

    def missing(self) -> NotFound:
        return NotFound(f"this group has no profile of the {self.entity_type} {self.entity_id}")


async def get(wanted: Wanted, made: Services) -> Profile:
    """As the group may see it: where profiles are shared, with what its other groups know."""
    group = await made.groups.get(wanted.group_id)
    found = await made.known_profiles.shown(group, wanted.entity_type, wanted.entity_id)
    if found is None:
        raise wanted.missing()
    return found


async def snapshots(wanted: Wanted, made: Services) -> list[ProfileSnapshot]:
    """Of this group's own profile, the newest first."""
    await made.groups.get(wanted.group_id)
    return await made.profiles.snapshots(wanted.group_id, wanted.entity_type, wanted.entity_id)


async def roll_back(
    wanted: Wanted, version: int | None, made: Services, writing: handle_merge.Deps
) -> Profile:
    """The bytes of an earlier version, the newest kept one if none is named. What is overwritten is
    kept as a snapshot itself, so going back can be undone."""
    lease = profile_of(wanted.group_id, f"{wanted.entity_type}:{wanted.entity_id}")
    async with made.worker.holding(lease, lambda: made.worker.send_next(lease)) as held:
        if held is None:
            raise Conflict("the profile is being written just now; try again in a moment")
        group = await made.groups.get(wanted.group_id)
        current = await made.profiles.get(wanted.group_id, wanted.entity_type, wanted.entity_id)
        if current is None:
            raise wanted.missing()
        kept = await snapshots(wanted, made)
        to = next((one for one in kept if version in (None, one.version)), None)
        if to is None:
            raise NotFound("there is no such earlier version of this profile")
        profile = rolled_back(current, to.profile)
        writes = await handle_merge.overwriting(profile, current, writing)
        plan = Plan(wanted.group_id, group.epoch, writes, change=with_profile_written)
        await made.groups.commit(plan, held)
        await handle_merge.index_profile(wanted.group_id, profile, writing)
        return profile

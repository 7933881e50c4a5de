"""Profiles of members and groups: read, look back, go back to an earlier version."""

from typing import Annotated

from fastapi import APIRouter, Query

from functions.historian_job import handle_profile
from shared.contracts.api import GroupId, Id
from shared.contracts.profiles import (
    ProfileAnswer,
    Rollback,
    ShownProfile,
    ShownSnapshot,
    SnapshotList,
)
from shared.domain.group import with_profile_written
from shared.domain.jobs.lease import profile_of
from shared.domain.knowledge.profile import EntityType, Profile, markdown_of
from shared.domain.knowledge.profile_merge import rolled_back
from shared.errors import Conflict, NotFound
from shared.runtime.route_access import TheCaller
from shared.stores.groups import Plan
from shared.wiring import Services, services

router = APIRouter()


@router.get("/profiles/{entity_type}/{entity_id}")
async def get_profile(
    entity_type: EntityType,
    entity_id: Id,
    group_id: Annotated[GroupId, Query()],
    caller: TheCaller,
) -> ProfileAnswer:
    """What the group knows of a member or of itself, as Markdown with YAML front matter; where
    profiles are shared, with what its other groups know."""
    caller.require("read", group_id)
    group = await services().groups.get(group_id)
    found = await services().known_profiles.shown(group, entity_type, entity_id)
    if found is None:
        raise _missing(entity_type, entity_id)
    return ProfileAnswer(profile=ShownProfile.from_record(found))


@router.get("/profiles/{entity_type}/{entity_id}/snapshots")
async def list_snapshots(
    entity_type: EntityType,
    entity_id: Id,
    group_id: Annotated[GroupId, Query()],
    caller: TheCaller,
) -> SnapshotList:
    """The versions that were overwritten and are kept, the newest first; of this group's own
    profile."""
    caller.require("read", group_id)
    await services().groups.get(group_id)
    kept = await services().profiles.snapshots(group_id, entity_type, entity_id)
    shown = [
        ShownSnapshot(
            version=snapshot.version,
            taken_at=snapshot.taken_at,
            updated_at=snapshot.profile.updated_at,
            markdown=markdown_of(snapshot.profile),
        )
        for snapshot in kept
    ]
    return SnapshotList(total=len(shown), snapshots=shown)


@router.post("/profiles/{entity_type}/{entity_id}/rollback")
async def roll_back(
    entity_type: EntityType,
    entity_id: Id,
    group_id: Annotated[GroupId, Query()],
    asked: Rollback,
    caller: TheCaller,
) -> ProfileAnswer:
    """Back to the exact bytes of an earlier version; what it replaces is kept like any other."""
    caller.require("manage", group_id)
    profile = await go_back(group_id, entity_type, entity_id, asked.version, services())
    return ProfileAnswer(profile=ShownProfile.from_record(profile))


async def go_back(
    group_id: str, entity_type: EntityType, entity_id: str, version: int | None, made: Services
) -> Profile:
    """To the newest kept version if none is named. What is overwritten is kept as a snapshot
    itself, so going back can be undone."""
    lease = profile_of(group_id, f"{entity_type}:{entity_id}")
    async with made.worker.holding(lease, lambda: made.worker.send_next(lease)) as held:
        if held is None:
            raise Conflict("the profile is being written just now; try again in a moment")
        group = await made.groups.get(group_id)
        current = await made.profiles.get(group_id, entity_type, entity_id)
        if current is None:
            raise _missing(entity_type, entity_id)
        kept = await made.profiles.snapshots(group_id, entity_type, entity_id)
        to = next((snapshot for snapshot in kept if version in (None, snapshot.version)), None)
        if to is None:
            raise NotFound("there is no such earlier version of this profile")
        profile = rolled_back(current, to.profile)
        writes = await handle_profile.overwriting(profile, current, made)
        plan = Plan(group_id, group.epoch, writes, change=with_profile_written)
        await made.groups.commit(plan, held)
        await handle_profile.index_profile(group_id, profile, made)
        return profile


def _missing(entity_type: EntityType, entity_id: str) -> NotFound:
    return NotFound(f"this group has no profile of the {entity_type} {entity_id}")

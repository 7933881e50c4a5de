"""Profiles of members and groups: read, look back, roll back."""

from typing import Annotated

from fastapi import APIRouter, Query

from functions.historian_job import (
    handle_profiles,
)
from shared.contracts.api import GroupId, Id
from shared.contracts.profiles import (
    ProfileAnswer,
    Rollback,
    ShownProfile,
    ShownSnapshot,
    SnapshotList,
)
from shared.domain.knowledge.profile import EntityType
from shared.domain.knowledge.profile_markdown import markdown_of
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.get("/profiles/{entity_type}/{entity_id}")
async def get_profile(
    entity_type: EntityType,
    entity_id: Id,
    group_id: Annotated[GroupId, Query()],
    caller: TheCaller,
) -> ProfileAnswer:
    """What the group knows of a member or of itself, as Markdown with YAML front matter."""
    caller.require("read", group_id)
    wanted = handle_profiles.Wanted(group_id, entity_type, entity_id)
    found = await handle_profiles.get(wanted, services())
    return ProfileAnswer(profile=ShownProfile.from_record(found))


@router.get("/profiles/{entity_type}/{entity_id}/snapshots")
async def list_snapshots(
    entity_type: EntityType,
    entity_id: Id,
    group_id: Annotated[GroupId, Query()],
    caller: TheCaller,
) -> SnapshotList:
    """The versions that were overwritten and are kept, the newest first."""
    caller.require("read", group_id)
    wanted = handle_profiles.Wanted(group_id, entity_type, entity_id)
    kept = await handle_profiles.snapshots(wanted, services())
    shown = [
        ShownSnapshot(
            version=one.version,
            taken_at=one.taken_at,
            updated_at=one.profile.updated_at,
            markdown=markdown_of(one.profile),
        )
        for one in kept
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
    from functions.historian_job import handle_merge

    caller.require("manage", group_id)
    made = services()
    wanted = handle_profiles.Wanted(group_id, entity_type, entity_id)
    writing = made.deps(handle_merge.Deps, model_budget_s=0.0)
    profile = await handle_profiles.roll_back(wanted, asked.version, made, writing)
    return ProfileAnswer(profile=ShownProfile.from_record(profile))

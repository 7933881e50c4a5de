"""A profile: what is known of a user or of a group, overwritten as it grows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

EntityType = Literal["user", "group"]


@dataclass(frozen=True)
class Profile:
    """Markdown (`body`) with its front matter as fields, of one entity as one group knows it.

    `audience` is that of the group it was learnt in: what was learnt in private stays there.
    """

    entity_type: EntityType
    entity_id: str
    group_id: str
    body: str
    updated_at: datetime
    audience: str = "group"
    name: str = ""
    tags: tuple[str, ...] = ()
    version: int = 1
    source_event_id: str = ""
    sources: tuple[str, ...] = ()
    source_users: tuple[str, ...] = ()
    preferences: Mapping[str, Any] = field(default_factory=dict)
    traits: Mapping[str, Any] = field(default_factory=dict)

    @property
    def profile_id(self) -> str:
        return f"{self.entity_type}:{self.entity_id}"


def may_be_shown(profile: Profile, group_id: str, *, shares: bool) -> bool:
    """Whether a group may see it: its own always; another's only if profiles are shared, both are
    of one platform, and it was not learnt in private."""
    if profile.group_id == group_id:
        return True
    same_platform = profile.group_id.partition(":")[0] == group_id.partition(":")[0]
    return shares and same_platform and profile.audience != "private"

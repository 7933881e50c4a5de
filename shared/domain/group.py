"""A group: any conversation the bot is in, and how far its pipelines have come."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
"""Before all that was said: of a new group nothing is indexed by its words yet."""


@dataclass(frozen=True)
class Cursor:
    """How far a pipeline has read: server time and id, never the platform's clock."""

    at: datetime
    message_id: str = ""


@dataclass(frozen=True)
class Group:
    """`epoch` rises whenever something is forgotten: plans made before that are thrown away.

    `words_behind` is the time of the earliest line whose words may be missing in their index; a
    group older than that index has all of them to catch up with. `attributed_messages` counts all
    that were ever given a topic: by it attribution looks back, and asks the model, every so often.
    `review_at` is when the memory that was silent longest must be looked at again. A deleted group
    stays as a tombstone that refuses late commits.
    """

    group_id: str
    platform: str
    audience: str = "group"
    name: str = ""
    epoch: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    opted_out: tuple[str, ...] = ()
    cursors: Mapping[str, Cursor] = field(default_factory=dict)
    evolve_due: bool = False
    review_at: datetime | None = None
    maintained_at: datetime | None = None
    rounds_since_extraction: int = 0
    words_behind: datetime | None = BEGINNING
    attributed_messages: int = 0
    created_at: datetime | None = None
    deleted_at: datetime | None = None

    @property
    def is_deleted(self) -> bool:
        return self.deleted_at is not None


def new_group(group_id: str, now: datetime, *, name: str = "", audience: str = "group") -> Group:
    platform = group_id.partition(":")[0]
    return Group(
        group_id,
        platform,
        audience=audience,
        name=name,
        created_at=now,
        maintained_at=now,
        words_behind=None,
    )


def with_opt_out(group: Group, user_id: str, is_out: bool) -> Group:
    """The member is on the list once, or not at all."""
    others = tuple(one for one in group.opted_out if one != user_id)
    return replace(group, opted_out=(*others, user_id) if is_out else others)

"""What a group knows of one member, for who asks in their name."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from shared.domain.knowledge.event import Event
from shared.domain.knowledge.profile import Profile
from shared.domain.memories.memory import Memory, MemoryStatus
from shared.stores.derived import Derived
from shared.stores.events import Events
from shared.stores.groups import Groups
from shared.stores.memories import MEMORIES
from shared.stores.messages import Messages
from shared.stores.profiles import Profiles

MOST_EVENTS = 100
"""The newest; `GET /events` pages through all."""
IN_FORCE = (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE)


@dataclass(frozen=True)
class Deps:
    groups: Groups
    messages: Messages
    derived: Derived
    profiles: Profiles
    events: Events


@dataclass(frozen=True)
class KnownOfMember:
    is_opted_out: bool
    messages: int
    profile: Profile | None
    memories: Sequence[Memory]
    events: Sequence[Event]


async def known_of(group_id: str, user_id: str, deps: Deps) -> KnownOfMember:
    """Only of this group; what was held back is told too."""
    group = await deps.groups.get(group_id)
    (total, _), profile, found, (_, events) = await asyncio.gather(
        deps.messages.page(
            group_id, since=None, until=None, user_id=user_id, topic_id=None, after=None, limit=1
        ),
        deps.profiles.get(group_id, "user", user_id),
        deps.derived.where(group_id, "memories", "subject", user_id),
        deps.events.listed(
            group_id, time_from=None, time_to=None, limit=MOST_EVENTS, offset=0, user_id=user_id
        ),
    )
    memories = [one for one in map(MEMORIES.read, found) if one.status in IN_FORCE]
    memories.sort(key=lambda one: (one.updated_at, one.memory_id), reverse=True)
    return KnownOfMember(user_id in group.opted_out, total, profile, memories, events)

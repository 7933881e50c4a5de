"""What a group knows of one member, for who asks in their name."""

import asyncio
from dataclasses import dataclass

from shared.config import Settings
from shared.domain.forgetting.forgotten import is_opted_out
from shared.domain.knowledge.known_member import KnownOfMember
from shared.domain.memories.memory import MemoryStatus
from shared.errors import NotFound
from shared.stores.events import Events
from shared.stores.groups import Groups
from shared.stores.memories import Memories
from shared.stores.messages import Messages
from shared.stores.profiles import Profiles

MOST_EVENTS = 100
"""The newest; `GET /events` pages through all."""
IN_FORCE = (MemoryStatus.ACTIVE, MemoryStatus.CANDIDATE)


@dataclass(frozen=True)
class KnownMembers:
    groups: Groups
    messages: Messages
    memories: Memories
    profiles: Profiles
    events: Events
    settings: Settings

    async def known(self, group_id: str, user_id: str) -> KnownOfMember:
        """Only of this group; what was held back is told too."""
        group = await self.groups.find(group_id)
        if group is None:
            return KnownOfMember(False, 0, None, [], [])
        if group.is_deleted:
            raise NotFound(f"there is no group {group_id}")
        (total, _), profile, found, (_, events) = await asyncio.gather(
            self.messages.page(
                group_id, since=None, until=None, user_id=user_id, topic_id=None, after=None,
                limit=1,
            ),
            self.profiles.get(group_id, "user", user_id),
            self.memories.about(group_id, user_id),
            self.events.listed(
                group_id, time_from=None, time_to=None, limit=MOST_EVENTS, offset=0,
                user_id=user_id,
            ),
        )  # fmt: skip
        memories = [memory for memory in found if memory.status in IN_FORCE]
        memories.sort(key=lambda memory: (memory.updated_at, memory.memory_id), reverse=True)
        if any(user_id in forgetting.user_ids for forgetting in group.forgetting.values()):
            total = 0  # they are on their way out, and counts are of all that is stored
        is_out = is_opted_out(group.opted_out, user_id, self.settings.hash_key)
        return KnownOfMember(is_out, total, profile, memories, events)

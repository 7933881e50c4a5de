"""The last messages of hot groups, kept by a warm instance and topped up on every read.

A ring is never trusted alone: each read first asks for all that changed since the last one, so an
edit or a recall shows at once. Forgetting deletes without leaving a change, but it raises the
group's epoch: a ring of another epoch is thrown away.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from shared.domain.messages.stored_message import StoredMessage
from shared.stores.groups import Groups
from shared.stores.messages import Messages

KEPT_MESSAGES = 100
"""Of a group: twice what a context reads of the last lines."""
KEPT_FOR = timedelta(hours=24)
"""The default window of a context."""
KEPT_GROUPS = 200
"""Bounds the memory of an instance; the least recently used goes first."""
MAX_CHANGES = 200
"""When more changed since the last read, filling anew costs no more than topping up."""
OVERLAP = timedelta(seconds=10)
"""A commit's time may lie a little before the moment it can be read: look again at the last."""
SLACK = timedelta(hours=1)
"""Filled a little further back, so that a window of 24 h before an earlier message is covered."""


@dataclass
class _Ring:
    """`reaches_back_to` is the time since which no message of the group is missing here.

    `epoch` was read before the messages were: nothing forgotten later can hide in it.
    """

    epoch: int
    reaches_back_to: datetime
    seen_until: datetime | None = None
    messages: dict[str, StoredMessage] = field(default_factory=dict)


class Recent:
    """The last messages within a window, oldest first, always as they are now."""

    def __init__(
        self,
        messages: Messages,
        groups: Groups,
        now: Callable[[], datetime],
        kept: int = KEPT_MESSAGES,
        overlap: timedelta = OVERLAP,
        kept_for: timedelta = KEPT_FOR,
    ) -> None:
        self._messages = messages
        self._groups = groups
        self._now = now
        self._kept = kept
        self._overlap = overlap
        self._kept_for = kept_for
        self._rings: OrderedDict[str, _Ring] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def drop_if_stale(self, group_id: str, epoch: int) -> bool:
        """Keep nothing that was read before something was forgotten; tells whether that was so."""
        ring = self._rings.get(group_id)
        if ring is None or ring.epoch == epoch:
            return False
        del self._rings[group_id]
        return True

    async def refresh(self, group_id: str) -> None:
        """Bring what is kept up to now: by its changes, or anew."""
        ring = self._rings.get(group_id)
        if ring is not None and await self._topped_up(group_id, ring):
            self.hits += 1
            return
        await self._fill(group_id)
        self.misses += 1

    async def window(
        self, group_id: str, *, since: datetime, until: datetime, limit: int
    ) -> list[StoredMessage]:
        """As of the last refresh; further back than is kept, from the database."""
        ring = self._rings.get(group_id)
        if ring is not None:
            within = [one for one in ring.messages.values() if since <= one.create_time <= until]
            if len(within) >= limit or since >= ring.reaches_back_to:
                return sorted(within, key=_when)[-limit:]
        return await self._messages.recent(group_id, since=since, until=until, limit=limit)

    def kept(self, group_id: str) -> dict[str, StoredMessage]:
        """By id, as of the last read."""
        ring = self._rings.get(group_id)
        return dict(ring.messages) if ring else {}

    async def _topped_up(self, group_id: str, ring: _Ring) -> bool:
        """False if too much changed, or nothing is known of the time."""
        if ring.seen_until is None:
            return False
        changed = await self._messages.changed_since(
            group_id, ring.seen_until - self._overlap, MAX_CHANGES
        )
        if len(changed) == MAX_CHANGES:
            return False
        ring.seen_until = max(
            (one.updated_at for one in changed if one.updated_at), default=ring.seen_until
        )
        for one in changed:
            if one.create_time >= ring.reaches_back_to:
                ring.messages[one.message_id] = one
        self._keep(group_id, ring)
        return True

    async def _fill(self, group_id: str) -> None:
        group = await self._groups.find(group_id)
        now = self._now()
        since = now - self._kept_for - SLACK
        found = await self._messages.recent(
            group_id, since=since, until=now + KEPT_FOR, limit=self._kept
        )
        is_all = len(found) < self._kept
        ring = _Ring(group.epoch if group else 0, since if is_all else found[0].create_time)
        ring.messages = {one.message_id: one for one in found}
        self._keep(group_id, ring)

    def _keep(self, group_id: str, ring: _Ring) -> None:
        if ring.seen_until is None:
            changes = [one.updated_at for one in ring.messages.values() if one.updated_at]
            ring.seen_until = max(changes, default=None)
        newest = sorted(ring.messages.values(), key=_when)
        if len(newest) > self._kept:
            newest = newest[-self._kept :]
            ring.reaches_back_to = newest[0].create_time
            ring.messages = {one.message_id: one for one in newest}
        self._rings[group_id] = ring
        self._rings.move_to_end(group_id)
        while len(self._rings) > KEPT_GROUPS:
            self._rings.popitem(last=False)


def _when(message: StoredMessage) -> tuple[datetime, str]:
    return message.create_time, message.message_id

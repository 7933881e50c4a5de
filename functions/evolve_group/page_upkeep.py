"""Writes the pages of lines that are in none: said before there were pages, or imported."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from shared.domain.group import Group
from shared.domain.jobs.lease import attribution_of
from shared.domain.messages.stored_message import StoredMessage
from shared.domain.pages import listed
from shared.jobs.dispatch import Dispatch
from shared.jobs.worker import Worker
from shared.stores.groups import Groups, Plan
from shared.stores.leases import Held
from shared.stores.messages import LASTING, Messages
from shared.stores.pages import Pages, put_page
from shared.stores.tails import Tails, put_tail

LINES_A_STEP = 200
STEPS_A_GROUP = 10
"""In one call: a long history is caught up over several, and keeps no other group waiting."""


@dataclass(frozen=True)
class PageUpkeep:
    groups: Groups
    messages: Messages
    tails: Tails
    pages: Pages
    worker: Worker
    dispatch: Dispatch
    now: Callable[[], datetime]

    async def catch_up(self, group_id: str) -> bool:
        """Whether nothing is left. It takes attribution's lease, as both write the tail; where that
        is at work, the next upkeep goes on."""
        lease = attribution_of(group_id)

        async def again() -> None:
            await self.dispatch.attribution(group_id)
            await self.worker.send_next(lease)

        async with self.worker.holding(lease, again) as held:
            if held is None:
                return False
            last: StoredMessage | None = None
            for _ in range(STEPS_A_GROUP):
                group = await self.groups.find(group_id)
                if group is None or group.is_deleted or group.unpaged_since is None:
                    return True
                last = await self._step(group, last, held)
                if last is None:
                    return True
        return False

    async def _step(
        self, group: Group, last: StoredMessage | None, held: Held
    ) -> StoredMessage | None:
        """From behind the last line of the step before; None if there is no more. What is in the
        tail is none of its matter."""
        group_id = group.group_id
        since = last.create_time if last else group.unpaged_since or self.now()
        tail = await self.tails.get(group_id)
        until = tail.reaches_back_to if tail else self.now()
        found = await self.messages.said_between(
            group_id, since, until, last.message_id if last else None, LINES_A_STEP
        )
        in_tail = {one.message_id for one in tail.lines} if tail else set()
        lines = [one for one in found if one.state in LASTING and one.message_id not in in_tail]
        pages = await self.pages.changed_by(group_id, lines)
        writes = [put_page(group_id, one) for one in pages]
        if tail is not None:
            writes.append(put_tail(group_id, replace(tail, pages=listed(tail.pages, pages))))
        last = found[-1] if len(found) == LINES_A_STEP else None
        reached = last.create_time if last else None
        change = partial(replace, unpaged_since=reached)
        await self.groups.commit(Plan(group_id, group.epoch, writes, change=change), held)
        return last

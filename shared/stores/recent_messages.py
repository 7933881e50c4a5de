"""The last messages of a group, as they are now: its tail and what still waits for a topic.

The tail is one document that attribution rewrites; what came after it is pending, and is asked for
each time. So an edit shows at once, and a recall, which raises the epoch of the group and of the
tail together. A tail of another epoch is not trusted: then the messages themselves are read.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from shared.domain.messages.stored_message import StoredMessage
from shared.domain.pages import PageOutline
from shared.domain.similarity.vectors import Vector, pack_half
from shared.domain.tail import LINES
from shared.stores.messages import Messages
from shared.stores.tails import Tails

MAX_WAITING = 100
"""Of what came after the tail, the newest: a group with more is far behind, and catches up."""
KEPT_FOR = timedelta(hours=24)
"""The default window of a context."""
SLACK = timedelta(hours=1)
"""Filled a little further back, so that a window of 24 h before an earlier message is covered."""
KEPT_GROUPS = 200
"""What was read for an answer is held until then; bounds the memory of an instance."""


@dataclass(frozen=True)
class _LastRead:
    """`epoch` is None where the messages themselves were read: those are never stale."""

    epoch: int | None
    reaches_back_to: datetime
    messages: Mapping[str, StoredMessage]
    pages: tuple[PageOutline, ...] = ()


class Recent:
    """The last messages within a window, oldest first."""

    def __init__(
        self,
        messages: Messages,
        tails: Tails,
        now: Callable[[], datetime],
        kept_for: timedelta = KEPT_FOR,
    ) -> None:
        self._messages = messages
        self._tails = tails
        self._now = now
        self._kept_for = kept_for
        self._read: OrderedDict[str, _LastRead] = OrderedDict()
        self.hits = 0
        self.misses = 0

    def drop_if_stale(self, group_id: str, epoch: int) -> bool:
        """Keep nothing that was read before something was forgotten; tells whether that was so."""
        read = self._read.get(group_id)
        if read is None or read.epoch is None or read.epoch == epoch:
            return False
        del self._read[group_id]
        return True

    async def refresh(self, group_id: str, epoch: int | None = None) -> None:
        """By the tail, and what waits; by the messages themselves where there is no tail, or none
        of this `epoch`."""
        tail, waiting = await asyncio.gather(
            self._tails.get(group_id), self._messages.newest_pending(group_id, MAX_WAITING)
        )
        if tail is None or epoch not in (None, tail.epoch):
            self.misses += 1
            self._keep(group_id, await self._from_messages(group_id))
            return
        self.hits += 1
        lines = {message.message_id: message for message in (*tail.lines, *waiting)}
        self._keep(group_id, _LastRead(tail.epoch, tail.reaches_back_to, lines, tail.pages))

    async def window(
        self, group_id: str, *, since: datetime, until: datetime, limit: int
    ) -> list[StoredMessage]:
        """As of the last refresh; further back than is known, from the database."""
        read = self._read.get(group_id)
        if read is not None:
            within = [
                message
                for message in read.messages.values()
                if since <= message.create_time <= until
            ]
            if len(within) >= limit or since >= read.reaches_back_to:
                return sorted(within, key=_when)[-limit:]
        return await self._messages.recent(group_id, since=since, until=until, limit=limit)

    def kept(self, group_id: str) -> dict[str, StoredMessage]:
        """By id, as of the last read."""
        read = self._read.get(group_id)
        return dict(read.messages) if read else {}

    def bare(self, group_id: str, until: datetime, limit: int) -> list[StoredMessage]:
        """The last lines that have no vector yet, as of the last read."""
        found = [
            message
            for message in self.kept(group_id).values()
            if not message.vector and message.is_readable and message.create_time <= until
        ]
        return sorted(found, key=_when)[-limit:]

    def learn(self, group_id: str, vectors: Mapping[str, Vector], model: str) -> None:
        """Vectors that were made for lines that had none: they hold until the next read."""
        read = self._read.get(group_id)
        if read is None or not vectors:
            return
        packed = {key: pack_half(vector) for key, vector in vectors.items() if key in read.messages}
        lines = {
            key: replace(read.messages[key], vector=vector, vector_model=model)
            for key, vector in packed.items()
        }
        self._read[group_id] = replace(read, messages={**read.messages, **lines})

    def pages(self, group_id: str) -> tuple[PageOutline, ...]:
        """The pages before the tail, oldest first, as of the last read."""
        read = self._read.get(group_id)
        return read.pages if read else ()

    async def _from_messages(self, group_id: str) -> _LastRead:
        now = self._now()
        since = now - self._kept_for - SLACK
        found = await self._messages.recent(
            group_id, since=since, until=now + KEPT_FOR, limit=LINES
        )
        is_all = len(found) < LINES
        reaches = since if is_all else found[0].create_time
        return _LastRead(None, reaches, {message.message_id: message for message in found})

    def _keep(self, group_id: str, read: _LastRead) -> None:
        self._read[group_id] = read
        self._read.move_to_end(group_id)
        while len(self._read) > KEPT_GROUPS:
            self._read.popitem(last=False)


def _when(message: StoredMessage) -> tuple[datetime, str]:
    return message.create_time, message.message_id

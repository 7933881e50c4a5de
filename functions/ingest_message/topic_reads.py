"""What attribution reads of a group before it decides."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import timedelta

from shared.domain.attribution.order import answered_by, said_at
from shared.domain.attribution.questions import LAST_MESSAGES
from shared.domain.group import Group
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.topics.topic import Topic
from shared.stores.messages import REPLY_DEPTH, FoundMessage, Messages
from shared.stores.recent_messages import Recent
from shared.stores.topics import Topics

MAX_ACTIVE = 50
"""Topics that a run may close or dissolve: the most recently used."""
LINES = 100
"""Before the first of the waiting: as many as a message may follow."""
LOOKS_BACK = timedelta(days=7)
"""People come back to a matter after days; a chat that is quieter than that has few lines."""


@dataclass(frozen=True)
class Read:
    """`waiting` is in the order it was said, each with the version it was `found` at."""

    group_id: str
    waiting: Sequence[StoredMessage]
    found: Mapping[str, FoundMessage]
    before: Sequence[StoredMessage]
    replied: Mapping[str, StoredMessage]
    topics: Mapping[str, Topic]
    is_more: bool

    @property
    def messages(self) -> dict[str, StoredMessage]:
        """All of them, by id."""
        own = {one.message_id: one for one in (*self.before, *self.waiting)}
        return {**self.replied, **own}


@dataclass(frozen=True)
class TopicReads:
    messages: Messages
    topics: Topics
    recent: Recent

    async def around_pending(self, group: Group, limit: int) -> Read:
        """The longest waiting messages, what they may follow, and the active topics."""
        group_id = group.group_id
        pending = await self.messages.pending(group_id, limit)
        if not pending:
            return Read(group_id, (), {}, (), {}, {}, is_more=False)
        found, replied = await self._with_what_they_answer(group_id, pending)
        waiting = sorted((one.message for one in found.values()), key=said_at)
        self.recent.drop_if_stale(group_id, group.epoch)
        _, active = await asyncio.gather(
            self.recent.refresh(group_id), self.topics.active(group_id, MAX_ACTIVE)
        )
        around = await self.recent.window(
            group_id,
            since=waiting[0].create_time - LOOKS_BACK,
            until=waiting[-1].create_time,
            limit=LINES + len(waiting),
        )
        before = [
            one
            for one in around
            if one.state is MessageState.ATTRIBUTED and one.message_id not in found
        ]
        topics = {topic.topic_id: topic for topic in active}
        edited = {one.topic_id for one in waiting if one.topic_id}
        topics |= await self.topics.get_many(group_id, sorted(edited - topics.keys()))
        is_more = len(pending) == limit
        return Read(group_id, waiting, found, before, replied, topics, is_more)

    async def with_topics(self, group_id: str, read: Read, topic_ids: Set[str]) -> Read:
        """What was read, and these topics where they are not among it."""
        more = await self.topics.get_many(group_id, sorted(topic_ids - read.topics.keys()))
        return replace(read, topics={**read.topics, **more})

    async def last_of(
        self, group_id: str, topic_ids: Sequence[str]
    ) -> dict[str, list[StoredMessage]]:
        """The last messages of topics that have none at hand."""
        found = await asyncio.gather(
            *(self.messages.of_topic(group_id, one, limit=LAST_MESSAGES) for one in topic_ids)
        )
        return {
            topic_id: [one for one in messages if one.is_readable]
            for topic_id, messages in zip(topic_ids, found, strict=True)
        }

    async def _with_what_they_answer(
        self, group_id: str, pending: Sequence[FoundMessage]
    ) -> tuple[dict[str, FoundMessage], dict[str, StoredMessage]]:
        """The pending ones and what they answer. If that waits too, it comes along: a reply must
        not be decided before what it replies to."""
        waiting = {one.message.message_id: one for one in await self._resolved(group_id, pending)}
        replied: dict[str, StoredMessage] = {}
        asked: set[str] = set()
        for _ in range(REPLY_DEPTH):
            answered = {answered_by(one.message) for one in waiting.values()}
            missing = {one for one in answered if one} - waiting.keys() - asked
            if not missing:
                break
            asked |= missing
            got = await self.messages.get_many(group_id, sorted(missing))
            for message_id, one in got.items():
                if one.message.state is MessageState.PENDING:
                    waiting[message_id] = one
                else:
                    replied[message_id] = one.message
        return waiting, replied

    async def _resolved(self, group_id: str, pending: Sequence[FoundMessage]) -> list[FoundMessage]:
        """Where ids repeat, a reply may have come before what it answers, and then it was taken for
        a reply to nothing, or to an older message of that id: look once more."""
        return list(await asyncio.gather(*(self._answering(group_id, one) for one in pending)))

    async def _answering(self, group_id: str, found: FoundMessage) -> FoundMessage:
        message = found.message
        if not message.reply_native_id:
            return found
        answered = await self.messages.newest_by_native_id(
            group_id, message.reply_native_id, message.create_time
        )
        if answered is None:
            return found
        return replace(found, message=replace(message, reply_message_id=answered.message_id))

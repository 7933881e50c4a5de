"""What attribution reads of a group before it decides."""

import asyncio
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from shared.domain.attribution.batches import fitting
from shared.domain.attribution.embedding_batches import TakenBack, taken_back
from shared.domain.attribution.lines import answered_by, said_at
from shared.domain.attribution.questions import LAST_MESSAGES
from shared.domain.group import BEGINNING, Group
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.domain.pages import LISTED
from shared.domain.tail import LINES, TOPICS, Tail, new_tail
from shared.domain.topics.topic import Topic
from shared.stores.message_records import FoundMessage
from shared.stores.messages import REPLY_DEPTH, Messages
from shared.stores.pages import Pages
from shared.stores.tails import Tails
from shared.stores.topics import Topics

LOOKS_BACK = timedelta(days=7)
"""People come back to a matter after days; a chat that is quieter than that has few lines."""
ENOUGH = LINES // 2
"""Lines of the tail that a message may follow; with fewer it is history, and is read for itself."""
_EMPTY = Tail(0, BEGINNING)


@dataclass(frozen=True)
class Read:
    """`waiting` is in the order it was said, each with the version it was `found` at. `outlines`
    are of the active topics; `topics` those of them that were read whole. Where earlier lines were
    `taken` back to be placed anew, they are among the waiting, and `stored` has their topics as
    they stand. Where the tail was made anew, lines since `unpaged_since` may stand in no page."""

    group_id: str
    waiting: Sequence[StoredMessage]
    found: Mapping[str, FoundMessage]
    before: Sequence[StoredMessage]
    replied: Mapping[str, StoredMessage]
    topics: Mapping[str, Topic]
    tail: Tail
    is_more: bool
    unpaged_since: datetime | None = None
    taken: TakenBack | None = None
    stored: Mapping[str, Topic] = field(default_factory=dict)

    @property
    def messages(self) -> dict[str, StoredMessage]:
        """All of them, by id."""
        own = {message.message_id: message for message in (*self.before, *self.waiting)}
        return {**self.replied, **own}

    @property
    def outlines(self) -> dict[str, Topic]:
        return {topic.topic_id: topic for topic in self.tail.topics} | dict(self.topics)


@dataclass(frozen=True)
class TopicReads:
    messages: Messages
    topics: Topics
    tails: Tails
    pages: Pages

    async def around_pending(self, group: Group, limit: int) -> Read:
        """The longest waiting messages, what they may follow, and the active topics. Fewer than
        `limit` where their texts are long; one is read alone, without what it answers."""
        group_id = group.group_id
        pending, tail = await asyncio.gather(
            self.messages.pending(group_id, limit), self.tails.get(group_id)
        )
        unpaged_since: datetime | None = None
        if tail is None or tail.epoch != group.epoch:
            if not pending:
                return Read(group_id, (), {}, (), {}, {}, _EMPTY, is_more=False)
            tail, unpaged_since = await self._new_tail(group, tail)
        if not pending:
            return Read(group_id, (), {}, (), {}, {}, tail, is_more=False)
        fit = fitting([found.message for found in pending])
        is_more = fit < len(pending) or len(pending) == limit
        lines = {message.message_id: message for message in tail.lines}
        found, replied = await self._with_what_they_answer(
            group_id, pending[:fit], lines, with_pending=limit > 1
        )
        waiting = sorted((line.message for line in found.values()), key=said_at)
        before = [
            message
            for message in await self._before(group_id, waiting, tail)
            if message.state is MessageState.ATTRIBUTED and message.message_id not in found
        ]
        edited = {message.topic_id for message in waiting if message.topic_id}
        topics = await self.topics.get_many(group_id, sorted(edited))
        return Read(group_id, waiting, found, before, replied, topics, tail, is_more, unpaged_since)

    async def with_bare(
        self, group_id: str, read: Read, bare: Sequence[StoredMessage], idle: timedelta
    ) -> Read:
        """The lines that still lack their vectors are waiting again: what was placed without them
        is placed anew, unless something was made of its topic since."""
        found, stored = await asyncio.gather(
            self.messages.get_many(group_id, [message.message_id for message in bare]),
            self.topics.get_many(
                group_id, sorted({message.topic_id for message in bare if message.topic_id})
            ),
        )
        placed = [
            line.message
            for line in found.values()
            if line.message.state is MessageState.ATTRIBUTED and line.message.is_readable
        ]
        taken = taken_back(placed, read.tail.lines, stored, idle)
        back = {message.message_id for message in (*taken.again, *taken.stays)}
        waiting = sorted((*read.waiting, *taken.again, *taken.stays), key=said_at)
        return replace(
            read,
            waiting=waiting,
            found={**{key: line for key, line in found.items() if key in back}, **read.found},
            before=[message for message in read.before if message.message_id not in back],
            replied={key: message for key, message in read.replied.items() if key not in back},
            topics={**read.topics, **taken.topics},
            taken=taken,
            stored=stored,
        )

    async def with_topics(self, group_id: str, read: Read, topic_ids: Set[str]) -> Read:
        """What was read, and these topics where they are not among it."""
        more = await self.topics.get_many(group_id, sorted(topic_ids - read.topics.keys()))
        return replace(read, topics={**read.topics, **more})

    async def _new_tail(self, group: Group, old: Tail | None) -> tuple[Tail, datetime | None]:
        """From the messages themselves: the group has none yet, or forgot something. What had not
        been indexed still has not. And since when lines may stand neither in it nor in a page."""
        if group.attributed_messages == 0:
            return new_tail(group.epoch, (), (), BEGINNING), None
        group_id = group.group_id
        (lines, is_all), topics, pages = await asyncio.gather(
            self.messages.last_attributed(group_id, LINES),
            self.topics.active(group_id, TOPICS),
            self.pages.newest(group_id, LISTED),
        )
        reaches = BEGINNING if is_all or not lines else lines[0].create_time
        made = replace(new_tail(group.epoch, lines, topics, reaches), pages=tuple(pages))
        unpaged = None if reaches == BEGINNING else pages[-1].last_at if pages else BEGINNING
        if old is None:
            return made, unpaged
        kept = {message.message_id for message in made.lines}
        owed = tuple(line for line in old.unindexed if line.message_id in kept)
        return replace(made, unindexed=owed, unindexed_topics=old.unindexed_topics), unpaged

    async def _before(
        self, group_id: str, waiting: Sequence[StoredMessage], tail: Tail
    ) -> Sequence[StoredMessage]:
        """The lines that the waiting ones may follow. History is older than the tail."""
        since, until = waiting[0].create_time - LOOKS_BACK, waiting[-1].create_time
        within = [message for message in tail.lines if since <= message.create_time <= until]
        within = within[-LINES - len(waiting) :]
        if since >= tail.reaches_back_to or len(within) >= ENOUGH:
            return within
        limit = LINES + len(waiting)
        return await self.messages.recent(group_id, since=since, until=until, limit=limit)

    async def last_of(
        self, group_id: str, topic_ids: Sequence[str]
    ) -> dict[str, list[StoredMessage]]:
        """The last messages of topics that have none at hand."""
        found = await asyncio.gather(
            *(
                self.messages.of_topic(group_id, topic_id, limit=LAST_MESSAGES)
                for topic_id in topic_ids
            )
        )
        return {
            topic_id: [message for message in messages if message.is_readable]
            for topic_id, messages in zip(topic_ids, found, strict=True)
        }

    async def _with_what_they_answer(
        self,
        group_id: str,
        pending: Sequence[FoundMessage],
        lines: Mapping[str, StoredMessage],
        *,
        with_pending: bool,
    ) -> tuple[dict[str, FoundMessage], dict[str, StoredMessage]]:
        """The pending ones and what they answer. If that waits too, it comes along: a reply must
        not be decided before what it replies to. But what is looked for is the one to blame: then
        each is decided by itself. What the last lines have is not read."""
        waiting = {
            found.message.message_id: found for found in await self._resolved(group_id, pending)
        }
        replied: dict[str, StoredMessage] = {}
        asked: set[str] = set()
        for _ in range(REPLY_DEPTH):
            answered = {answered_by(found.message) for found in waiting.values()}
            missing = {message_id for message_id in answered if message_id} - waiting.keys() - asked
            if not missing:
                break
            asked |= missing
            replied |= {message_id: lines[message_id] for message_id in missing & lines.keys()}
            missing -= lines.keys()
            got = await self.messages.get_many(group_id, sorted(missing))
            for message_id, found in got.items():
                if found.message.state is MessageState.PENDING:
                    if with_pending:
                        waiting[message_id] = found
                else:
                    replied[message_id] = found.message
        return waiting, replied

    async def _resolved(self, group_id: str, pending: Sequence[FoundMessage]) -> list[FoundMessage]:
        """Where ids repeat, a reply may have come before what it answers, and then it was taken for
        a reply to nothing, or to an older message of that id: look once more."""
        return list(await asyncio.gather(*(self._answering(group_id, found) for found in pending)))

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

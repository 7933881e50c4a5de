"""Messages of a group: what was said, in order, by thread, by topic, by words."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from shared.domain.group import Cursor
from shared.domain.ids import SHARDS
from shared.domain.messages.stored_message import MessageState, StoredMessage
from shared.stores.firestore import (
    NAME,
    Database,
    DocumentPath,
    Query,
    Write,
    collection,
    collection_group,
)
from shared.stores.groups import GROUPS, FoundGroup, group_path
from shared.stores.message_records import (
    FoundMessage,
    changed_message,
    delete_message,
    found_message,
    message_path,
    new_message,
)

LASTING = (MessageState.ATTRIBUTED, MessageState.UNATTRIBUTABLE)
"""The states of lines that attribution is done with and that may be shown."""
MAX_TERMS_ASKED = 30
"""Firestore takes no more values in one `array_contains_any` or `in`."""
MAX_SAME_NATIVE = 100
"""Of one native id over all groups: ids of 31 bits meet now and then, never so often."""
REPLY_DEPTH = 5
"""How far a chain of replies is followed."""


class Messages:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_many(self, group_id: str, message_ids: Iterable[str]) -> dict[str, FoundMessage]:
        """Those that exist, in one round trip."""
        wanted = list(dict.fromkeys(message_ids))
        read = await self._database.get_all(
            [message_path(group_id, message_id) for message_id in wanted]
        )
        found = [found_message(snapshot) for snapshot in read if snapshot]
        return {found_message.message.message_id: found_message for found_message in found}

    async def with_group(
        self, group_id: str, message_ids: Iterable[str]
    ) -> tuple[FoundGroup | None, dict[str, FoundMessage]]:
        """The group's document, also a tombstone, and the messages; still one round trip."""
        wanted = list(dict.fromkeys(message_ids))
        paths = [
            group_path(group_id),
            *(message_path(group_id, message_id) for message_id in wanted),
        ]
        group, *read = await self._database.get_all(paths)
        found = [found_message(snapshot) for snapshot in read if snapshot]
        return (
            FoundGroup(GROUPS.read(group), group.updated_at) if group else None,
            {found_message.message.message_id: found_message for found_message in found},
        )

    async def get(self, group_id: str, message_id: str) -> StoredMessage | None:
        found = await self.get_many(group_id, [message_id])
        return found[message_id].message if message_id in found else None

    async def apply(
        self,
        messages: Mapping[str, StoredMessage],
        read: Mapping[str, FoundMessage],
        also: Sequence[Write] = (),
    ) -> datetime:
        """One commit; Conflict if any of them moved since it was read."""
        writes = [
            changed_message(message, read[message_id].revision)
            if message_id in read
            else new_message(message)
            for message_id, message in messages.items()
        ]
        return await self._database.commit([*writes, *also])

    async def pending(self, group_id: str, limit: int) -> list[FoundMessage]:
        """Those that wait for a topic, the longest waiting first; of one delivery, as they were
        said."""
        query = (
            self._messages(group_id).order_by("pending_since").order_by("create_time").limit(limit)
        )
        return [found_message(found) for found in await self._database.find(query)]

    async def newest_pending(self, group_id: str, limit: int) -> list[StoredMessage]:
        """The newest message that waits for its topic."""
        query = self._messages(group_id).largest_first("pending_since").limit(limit)
        return await self._read(query)

    async def last_attributed(self, group_id: str, limit: int) -> tuple[list[StoredMessage], bool]:
        """Of the newest lines those that have their topic or were passed over, oldest first; and
        whether the group has no more lines than were looked at."""
        query = self._messages(group_id).largest_first("create_time").limit(limit)
        found = await self._read(query)
        lines = [message for message in reversed(found) if message.state in LASTING]
        return lines, len(found) < limit

    async def groups_waiting(self, before: datetime, page: int, pages: int) -> dict[str, datetime]:
        """Groups with messages that wait since `before`, and since when: the longest first. Each
        part of all groups has pages of its own, which go on behind each other, so one group with
        many messages hides few others."""
        groups: dict[str, datetime] = {}
        for found in await asyncio.gather(
            *(self._waiting_in(shard, before, page, pages) for shard in range(SHARDS))
        ):
            groups |= found
        return dict(sorted(groups.items(), key=lambda entry: entry[1]))

    async def _waiting_in(
        self, shard: int, before: datetime, page: int, pages: int
    ) -> dict[str, datetime]:
        groups: dict[str, datetime] = {}
        query = (
            collection_group("messages")
            .where("shard", "==", shard)
            .where("pending_since", "<", before)
            .order_by("pending_since")
            .order_by(NAME)
            .select("group_id", "pending_since")
            .limit(page)
        )
        last: tuple[datetime, DocumentPath] | None = None
        for _ in range(pages):
            found = await self._database.find(query.start_after(*last) if last else query)
            for snapshot in found:
                groups.setdefault(str(snapshot.data["group_id"]), snapshot.data["pending_since"])
            if len(found) < page:
                break
            last = found[-1].data["pending_since"], DocumentPath(found[-1].path)
        return groups

    async def oldest_pending(self, before: datetime) -> datetime | None:
        """Since when the message waits that waits longest, if any waits since `before`."""
        waiting = await asyncio.gather(
            *(self._waiting_in(shard, before, page=1, pages=1) for shard in range(SHARDS))
        )
        return min((at for found in waiting for at in found.values()), default=None)

    async def count_masked(self, since: datetime) -> int:
        """Messages of all groups in which a secret was masked since then."""
        query = collection_group("messages").where("masked_at", ">=", since)
        return await self._database.count(query)

    async def recent(
        self, group_id: str, *, since: datetime, until: datetime, limit: int
    ) -> list[StoredMessage]:
        """The newest within the window, oldest first."""
        query = (
            self._messages(group_id)
            .where("create_time", ">=", since)
            .where("create_time", "<=", until)
            .largest_first("create_time")
            .limit(limit)
        )
        return list(reversed(await self._read(query)))

    async def of_topic(
        self,
        group_id: str,
        topic_id: str,
        *,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[StoredMessage]:
        """The newest of a topic, oldest first."""
        query = self._messages(group_id).where("topic_id", "==", topic_id)
        if since is not None:
            query = query.where("create_time", ">=", since)
        if until is not None:
            query = query.where("create_time", "<=", until)
        query = query.largest_first("create_time").limit(limit)
        return list(reversed(await self._read(query)))

    async def changed_in_topic(
        self, group_id: str, topic_id: str, since: datetime | None, limit: int
    ) -> tuple[list[StoredMessage], bool]:
        """What was said, edited or moved into a topic since then, oldest change first, and whether
        there is more. What one commit changed has one time and stays together: the next page begins
        after it."""
        query = self._messages(group_id).where("topic_id", "==", topic_id)
        if since is not None:
            query = query.where("updated_at", ">", since)
        query = query.order_by("updated_at")
        found = await self._read(query.limit(limit + 1))
        if len(found) <= limit:
            return found, False
        last = found[-1].updated_at
        whole = [message for message in found if message.updated_at != last]
        return whole or await self._read(query.where("updated_at", "<=", last)), True

    async def since(self, group_id: str, cursor: Cursor | None, limit: int) -> list[StoredMessage]:
        """What was received after the cursor and not read yet, oldest first, by the database's own
        clock."""
        query = self._messages(group_id).order_by("received_at").order_by(NAME)
        if cursor is not None:
            last = DocumentPath(message_path(group_id, cursor.message_id or "-"))
            query = query.start_after(cursor.at, last)
        seen = set(cursor.seen) if cursor else set()
        found = await self._database.find(query.limit(limit + len(seen)))
        messages = [found_message(snapshot).message for snapshot in found]
        return [message for message in messages if message.message_id not in seen][:limit]

    async def said_between(
        self, group_id: str, since: datetime, until: datetime, after: str | None, limit: int
    ) -> list[StoredMessage]:
        """A window by the time of the words themselves, oldest first, from after a message on."""
        query = (
            self._messages(group_id)
            .where("create_time", ">=", since)
            .where("create_time", "<=", until)
            .order_by("create_time")
            .order_by(NAME)
        )
        last = await self.get(group_id, after) if after else None
        if last is not None:
            path = DocumentPath(message_path(group_id, last.message_id))
            query = query.start_after(last.create_time, path)
        return await self._read(query.limit(limit))

    async def some_of(self, group_id: str, user_id: str, limit: int) -> list[tuple[datetime, str]]:
        """When a member said what: some of it, in no order of time."""
        query = (
            self._messages(group_id)
            .where("user_id", "==", user_id)
            .select("create_time", "content")
            .limit(limit)
        )
        found = await self._database.find(query)
        return [(snapshot.data["create_time"], snapshot.data["content"]) for snapshot in found]

    async def page(
        self,
        group_id: str,
        *,
        since: datetime | None,
        until: datetime | None,
        user_id: str | None,
        topic_id: str | None,
        after: tuple[datetime, str] | None,
        limit: int,
    ) -> tuple[int, list[StoredMessage]]:
        """How many there are in all, and the newest first from behind `after` (a time, an id)."""
        query = self._messages(group_id)
        for field, value in (("user_id", user_id), ("topic_id", topic_id)):
            if value is not None:
                query = query.where(field, "==", value)
        if since is not None:
            query = query.where("create_time", ">=", since)
        if until is not None:
            query = query.where("create_time", "<=", until)
        page = query.largest_first("create_time").largest_first(NAME).limit(limit)
        if after is not None:
            page = page.start_after(after[0], DocumentPath(message_path(group_id, after[1])))
        total, found = await asyncio.gather(
            self._database.count(query.largest_first("create_time")), self._database.find(page)
        )
        return total, [found_message(snapshot).message for snapshot in found]

    async def older_than(self, group_id: str, before: datetime, limit: int) -> list[StoredMessage]:
        """The oldest first."""
        query = (
            self._messages(group_id)
            .where("create_time", "<", before)
            .order_by("create_time")
            .limit(limit)
        )
        return await self._read(query)

    async def delete_many(self, group_id: str, message_ids: Sequence[str]) -> None:
        await self._database.commit(
            [delete_message(group_id, message_id) for message_id in message_ids]
        )

    async def with_any_term(
        self, group_id: str, terms: Sequence[str], *, until: datetime, limit: int
    ) -> list[StoredMessage]:
        """The newest until then that have at least one of the words, attributed or not."""
        if not terms:
            return []
        query = (
            self._messages(group_id)
            .where("terms", "array_contains_any", list(terms[:MAX_TERMS_ASKED]))
            .where("create_time", "<=", until)
            .largest_first("create_time")
            .limit(limit)
        )
        return await self._read(query)

    async def newest_by_native_id(
        self, group_id: str, native_id: str, before: datetime | None = None
    ) -> StoredMessage | None:
        """`before` is for replies: nobody answers what is not said yet."""
        query = self._messages(group_id).where("native_id", "==", native_id)
        if before is not None:
            query = query.where("create_time", "<=", before)
        found = await self._database.find(query.largest_first("create_time").limit(1))
        return found_message(found[0]).message if found else None

    async def newest_in_private(
        self, platform: str, native_id: str, user_id: str
    ) -> StoredMessage | None:
        """What `user_id` said under that id in a private chat of the platform, whichever it is."""
        query = (
            collection_group("messages").where("native_id", "==", native_id).limit(MAX_SAME_NATIVE)
        )
        read = await self._read(query)
        own = [
            message
            for message in read
            if message.user_id == user_id
            and message.audience == "private"
            and message.group_id.startswith(f"{platform}:")
        ]
        return max(own, key=lambda message: message.create_time, default=None)

    async def _read(self, query: Query) -> list[StoredMessage]:
        return [found_message(snapshot).message for snapshot in await self._database.find(query)]

    def _messages(self, group_id: str) -> Query:
        return collection(f"{group_path(group_id)}/messages")

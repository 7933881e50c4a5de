"""Topics and the versions of their summaries."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.domain.ids import SHARDS, safe_id, shard_of
from shared.domain.topics.topic import Summary, Topic
from shared.errors import NotFound
from shared.stores.firestore import (
    MAX_SAME_ID,
    Database,
    Query,
    Snapshot,
    Write,
    collection,
    collection_group,
    delete,
    put,
    server_time,
    update,
)
from shared.stores.groups import group_path
from shared.stores.records import Codec

TOPICS = Codec(Topic)
SUMMARIES = Codec(Summary)
MAX_UNSHOWN = 10
"""Versions in a row that may be worse than the one that is shown."""


def topic_path(group_id: str, topic_id: str) -> str:
    return f"{group_path(group_id)}/topics/{safe_id(topic_id)}"


def put_topic(topic: Topic) -> Write:
    fields = {
        **TOPICS.fields(topic),
        "shard": shard_of(topic.group_id),
        "updated_at": server_time(),
    }
    return put(topic_path(topic.group_id, topic.topic_id), fields)


def changed_topic(
    before: Topic | None, after: Topic, unchanged_since: datetime | None = None
) -> Write:
    """A new topic, or only what is different: a summary may be changing the rest meanwhile."""
    if before is None:
        return put_topic(after)
    was, fields = TOPICS.fields(before), TOPICS.fields(after)
    changed = {name: value for name, value in fields.items() if was[name] != value}
    path = topic_path(after.group_id, after.topic_id)
    return update(path, {**changed, "updated_at": server_time()}, unchanged_since)


def delete_topic(group_id: str, topic_id: str) -> Write:
    """One that never had a summary: nothing stands below it."""
    return delete(topic_path(group_id, topic_id))


def put_summary(summary: Summary) -> Write:
    path = f"{topic_path(summary.group_id, summary.topic_id)}/summaries/{summary.version:06d}"
    return put(path, SUMMARIES.fields(summary))


@dataclass(frozen=True)
class TopicRevision:
    """A topic with the revision it was read at: a write can insist that it is still the same."""

    topic: Topic
    revision: datetime


class Topics:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, group_id: str, topic_id: str) -> Topic:
        found = await self._database.get(topic_path(group_id, topic_id))
        if found is None:
            raise NotFound(f"there is no topic {topic_id}")
        return TOPICS.read(found)

    async def by_id(self, topic_id: str) -> list[Topic]:
        """In whatever groups it is: in several if one was imported into another."""
        query = collection_group("topics").where("topic_id", "==", topic_id).limit(MAX_SAME_ID)
        return [TOPICS.read(snapshot) for snapshot in await self._database.find(query)]

    async def get_many(self, group_id: str, topic_ids: list[str]) -> dict[str, Topic]:
        found = await self._database.get_all(
            [topic_path(group_id, topic_id) for topic_id in topic_ids]
        )
        topics = [TOPICS.read(snapshot) for snapshot in found if snapshot]
        return {topic.topic_id: topic for topic in topics}

    async def active(self, group_id: str, limit: int) -> list[Topic]:
        """The most recently used first."""
        query = (
            self._topics(group_id)
            .where("is_active", "==", True)
            .largest_first("last_message_at")
            .limit(limit)
        )
        return [TOPICS.read(found) for found in await self._database.find(query)]

    async def closing(self, now: datetime, limit: int) -> tuple[list[TopicRevision], bool]:
        """Active topics of all groups that have been idle long enough, in each part of all groups
        the longest due first, and whether there may be more."""
        each = -(-limit // SHARDS)

        async def in_shard(shard: int) -> list[TopicRevision]:
            query = (
                collection_group("topics")
                .where("shard", "==", shard)
                .where("is_active", "==", True)
                .where("closes_at", "<=", now)
                .order_by("closes_at")
                .limit(each)
            )
            return [_found(found) for found in await self._database.find(query)]

        parts = await asyncio.gather(*map(in_shard, range(SHARDS)))
        return [revision for part in parts for revision in part], any(
            len(part) == each for part in parts
        )

    async def archiving(self, now: datetime, limit: int) -> list[TopicRevision]:
        """Closed topics of all groups that nobody took up again, the longest due first."""
        query = (
            collection_group("topics")
            .where("archives_at", "<=", now)
            .order_by("archives_at")
            .limit(limit)
        )
        return [_found(found) for found in await self._database.find(query)]

    async def summary_due(self, now: datetime, limit: int) -> list[TopicRevision]:
        """Topics of all groups whose summary the schedule is to make, the longest due first."""
        query = (
            collection_group("topics")
            .where("summary_due_at", "<=", now)
            .order_by("summary_due_at")
            .limit(limit)
        )
        return [_found(found) for found in await self._database.find(query)]

    async def with_any_term(self, group_id: str, terms: Sequence[str], limit: int) -> list[Topic]:
        """Those whose title, keywords or summary have at least one of the words, the most recently
        used first."""
        if not terms:
            return []
        query = (
            self._topics(group_id)
            .where("search_terms", "array_contains_any", list(terms))
            .largest_first("last_message_at")
            .limit(limit)
        )
        return [TOPICS.read(found) for found in await self._database.find(query)]

    async def spoken_in_since(self, group_id: str, since: datetime, limit: int) -> list[Topic]:
        """The most recently used first."""
        query = (
            self._topics(group_id)
            .where("last_message_at", ">=", since)
            .largest_first("last_message_at")
            .limit(limit)
        )
        return [TOPICS.read(found) for found in await self._database.find(query)]

    async def apply(self, writes: Sequence[Write]) -> None:
        await self._database.commit(writes)

    async def listed(
        self, group_id: str, *, is_active: bool | None, limit: int, offset: int
    ) -> tuple[int, list[Topic]]:
        query = self._topics(group_id)
        if is_active is not None:
            query = query.where("is_active", "==", is_active)
        total = await self._database.count(query)
        page = query.largest_first("last_message_at").offset(offset).limit(limit)
        return total, [TOPICS.read(found) for found in await self._database.find(page)]

    async def summaries(self, group_id: str, topic_id: str, limit: int) -> list[Summary]:
        """The newest first."""
        query = (
            collection(f"{topic_path(group_id, topic_id)}/summaries")
            .largest_first("version")
            .limit(limit)
        )
        return [SUMMARIES.read(found) for found in await self._database.find(query)]

    async def shown_summary(self, group_id: str, topic_id: str) -> Summary | None:
        """The newest version that is not worse than the one before it."""
        for limit in (1, MAX_UNSHOWN):
            found = await self.summaries(group_id, topic_id, limit)
            shown = next((summary for summary in found if summary.is_shown), None)
            if shown is not None or len(found) < limit:
                return shown
        return None

    def _topics(self, group_id: str) -> Query:
        return collection(f"{group_path(group_id)}/topics")


def _found(snapshot: Snapshot) -> TopicRevision:
    return TopicRevision(TOPICS.read(snapshot), snapshot.updated_at)

"""Events of a group."""

from datetime import datetime

from shared.domain.ids import safe_id
from shared.domain.knowledge.event import Event
from shared.stores.database import Database, Write, put, server_time
from shared.stores.groups import group_path
from shared.stores.query import collection
from shared.stores.records import Codec

EVENTS = Codec(Event)


def event_path(group_id: str, event_id: str) -> str:
    return f"{group_path(group_id)}/events/{safe_id(event_id)}"


def put_event(event: Event) -> Write:
    """The same note always writes the same document: twice is once."""
    fields = {**EVENTS.fields(event), "stored_at": server_time()}
    return put(event_path(event.group_id, event.event_id), fields)


class Events:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_many(self, group_id: str, event_ids: list[str]) -> dict[str, Event]:
        found = await self._database.get_all([event_path(group_id, one) for one in event_ids])
        events = [EVENTS.read(snapshot) for snapshot in found if snapshot]
        return {event.event_id: event for event in events}

    async def listed(
        self,
        group_id: str,
        *,
        time_from: datetime | None,
        time_to: datetime | None,
        limit: int,
        offset: int,
    ) -> tuple[int, list[Event]]:
        """The newest first."""
        query = collection(f"{group_path(group_id)}/events")
        if time_from is not None:
            query = query.where("timestamp_utc", ">=", time_from)
        if time_to is not None:
            query = query.where("timestamp_utc", "<=", time_to)
        total = await self._database.count(query)
        page = query.largest_first("timestamp_utc").offset(offset).limit(limit)
        return total, [EVENTS.read(found) for found in await self._database.find(page)]

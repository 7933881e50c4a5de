"""Events of a group."""

from datetime import datetime

from shared.domain.ids import safe_id
from shared.domain.knowledge.event import Event
from shared.stores.firestore import Database, Write, collection, put, server_time
from shared.stores.groups import group_path
from shared.stores.records import Codec

EVENTS = Codec(Event)
SAME_TURN = 50
"""Notes on one message with their copies; a bot writes one or two."""


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
        found = await self._database.get_all(
            [event_path(group_id, event_id) for event_id in event_ids]
        )
        events = [EVENTS.read(snapshot) for snapshot in found if snapshot]
        return {event.event_id: event for event in events}

    async def told_in(self, group_id: str, told_in: str) -> list[Event]:
        """What notes on one message told, copies too: a few at most."""
        query = collection(f"{group_path(group_id)}/events").where("told_in", "==", told_in)
        return [EVENTS.read(found) for found in await self._database.find(query.limit(SAME_TURN))]

    async def listed(
        self,
        group_id: str,
        *,
        time_from: datetime | None,
        time_to: datetime | None,
        limit: int,
        offset: int,
        user_id: str | None = None,
    ) -> tuple[int, list[Event]]:
        """The newest first: each happening once, or those that are a member's own."""
        query = collection(f"{group_path(group_id)}/events")
        if user_id is None:
            query = query.where("viewpoint", "==", "")
        else:
            query = query.where("user_id", "==", user_id)
        if time_from is not None:
            query = query.where("timestamp_utc", ">=", time_from)
        if time_to is not None:
            query = query.where("timestamp_utc", "<=", time_to)
        # Counted in the same order: one index serves both.
        query = query.largest_first("timestamp_utc")
        total = await self._database.count(query)
        page = query.offset(offset).limit(limit)
        return total, [EVENTS.read(found) for found in await self._database.find(page)]

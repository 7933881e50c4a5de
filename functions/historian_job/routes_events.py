"""Events: what happened, newest first."""

from typing import Annotated

from fastapi import APIRouter, Query

from functions.historian_job import (
    handle_events,
)
from shared.contracts.api import AskedTime, GroupId, Limit, Offset
from shared.contracts.events import EventList, ShownEvent
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.get("/events")
async def list_events(
    caller: TheCaller,
    group_id: Annotated[GroupId, Query()],
    time_from: AskedTime | None = None,
    time_to: AskedTime | None = None,
    user_id: Annotated[str | None, Query(max_length=512)] = None,
    text: Annotated[str | None, Query(max_length=500)] = None,
    limit: Limit = 20,
    offset: Offset = 0,
) -> EventList:
    """The newest first; of one member, or with every word of a text, if asked for."""
    caller.require("read", group_id)
    wanted = handle_events.Wanted(group_id, time_from, time_to, user_id, text, limit, offset)
    total, events = await handle_events.list_events(wanted, services().deps(handle_events.Deps))
    return EventList(total=total, events=[ShownEvent.of(one) for one in events])

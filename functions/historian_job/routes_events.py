"""Events: what happened, newest first."""

from typing import Annotated

from fastapi import APIRouter, Query

from functions.historian_job import handle_events
from shared.contracts.events import EventList, EventQuestion, EventQuestionBody, ShownEvent
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.get("/events")
async def list_events(caller: TheCaller, asked: Annotated[EventQuestion, Query()]) -> EventList:
    """The newest first; of one member, or with every word of a text, if asked for."""
    caller.require("read", asked.group_id)
    wanted = handle_events.Wanted(**dict(asked))
    total, events = await handle_events.list_events(wanted, services().deps(handle_events.Deps))
    return EventList(total=total, events=[ShownEvent.of(one) for one in events])


@router.post("/events")
async def list_events_by_body(caller: TheCaller, asked: EventQuestionBody) -> EventList:
    """The same; what is asked for stands in no access log."""
    return await list_events(caller, asked)

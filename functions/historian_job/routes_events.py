"""Events: what happened, newest first."""

import functools

from fastapi import APIRouter

from shared.contracts.events import EventList, EventQuestion, ShownEvent
from shared.domain.knowledge.event import is_about
from shared.runtime.route_access import TheCaller
from shared.runtime.search_routes import search_route
from shared.wiring import services

MOST_LOOKED_AT = 500
"""Events of the range, the newest first, in which words are looked for: two pages of documents, and
more than a bot writes in a month."""

router = APIRouter()


@search_route(router, "/events")
async def list_events(caller: TheCaller, asked: EventQuestion) -> EventList:
    """The newest first; of one member, or with every word of a text, if asked for."""
    caller.require("read", asked.group_id)
    listed = functools.partial(
        services().events.listed,
        asked.group_id,
        time_from=asked.time_from,
        time_to=asked.time_to,
        user_id=asked.user_id,
    )
    if asked.text:
        _, newest = await listed(limit=MOST_LOOKED_AT, offset=0)
        found = [event for event in newest if is_about(event, None, asked.text)]
        total, events = len(found), found[asked.offset : asked.offset + asked.limit]
    else:
        total, events = await listed(limit=asked.limit, offset=asked.offset)
    return EventList(total=total, events=[ShownEvent.from_record(event) for event in events])

"""Lists a group's events: all of a time range, or those of one member or with certain words."""

import functools
from dataclasses import dataclass
from datetime import datetime

from shared.domain.knowledge.event import Event, is_about
from shared.stores.events import Events

MOST_LOOKED_AT = 500
"""Events of the range, the newest first, in which words are looked for: two pages of documents, and
more than a bot writes in a month."""


@dataclass(frozen=True)
class Deps:
    events: Events


@dataclass(frozen=True)
class Wanted:
    group_id: str
    time_from: datetime | None
    time_to: datetime | None
    user_id: str | None
    text: str | None
    limit: int
    offset: int


async def list_events(wanted: Wanted, deps: Deps) -> tuple[int, list[Event]]:
    """How many there are and the page asked for, the newest first."""
    listed = functools.partial(
        deps.events.listed,
        wanted.group_id,
        time_from=wanted.time_from,
        time_to=wanted.time_to,
        user_id=wanted.user_id,
    )
    if not wanted.text:
        return await listed(limit=wanted.limit, offset=wanted.offset)
    _, newest = await listed(limit=MOST_LOOKED_AT, offset=0)
    found = [one for one in newest if is_about(one, None, wanted.text)]
    return len(found), found[wanted.offset : wanted.offset + wanted.limit]

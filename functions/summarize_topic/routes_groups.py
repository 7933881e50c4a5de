"""A group's messages as they were said, its digests, and how its topics are told apart."""

from typing import Annotated

from fastapi import APIRouter, Query

from shared.contracts.api import (
    MAX_CURSOR_CHARACTERS,
    AskedTime,
    GroupId,
    Id,
    Limit,
    PagePlace,
    read_place,
    write_place,
)
from shared.contracts.topics import (
    DigestList,
    MessageAnswer,
    MessagePage,
)
from shared.errors import NotFound
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.get("/groups/{group_id}/messages")
async def read_messages(
    group_id: GroupId,
    caller: TheCaller,
    since: Annotated[AskedTime | None, Query(alias="from")] = None,
    until: Annotated[AskedTime | None, Query(alias="to")] = None,
    user_id: Annotated[Id | None, Query()] = None,
    topic_id: Annotated[Id | None, Query()] = None,
    cursor: Annotated[str | None, Query(max_length=MAX_CURSOR_CHARACTERS)] = None,
    limit: Limit = 50,
) -> MessagePage:
    """What was said, newest first, by time, person and topic; a recalled one is blank."""
    caller.require("read", group_id)
    place = read_place(cursor) if cursor else None
    total, found = await services().messages.page(
        group_id,
        since=since,
        until=until,
        user_id=user_id,
        topic_id=topic_id,
        after=(place.at, place.record_id) if place else None,
        limit=limit,
    )
    last = found[-1] if len(found) == limit else None
    return MessagePage(
        total=total,
        messages=found,
        next_cursor=write_place(PagePlace(last.create_time, last.message_id)) if last else None,
    )


@router.get("/groups/{group_id}/messages/{message_id}")
async def read_message(group_id: GroupId, message_id: Id, caller: TheCaller) -> MessageAnswer:
    """One message as it is stored."""
    caller.require("read", group_id)
    found = await services().messages.get(group_id, message_id)
    if found is None:
        raise NotFound(f"there is no message {message_id} in {group_id}")
    return MessageAnswer(message=found)


@router.get("/groups/{group_id}/digests")
async def list_digests(group_id: GroupId, caller: TheCaller, limit: Limit = 20) -> DigestList:
    """What each week decided and left open, the newest first; empty unless digests are on."""
    caller.require("read", group_id)
    total, found = await services().digests.listed(group_id, limit)
    return DigestList(total=total, digests=found)

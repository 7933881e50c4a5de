"""Keys, and what models cost."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request

from functions.historian_job import (
    handle_keys,
)
from shared.contracts.api import GroupId, Limit, Offset
from shared.contracts.keys import KeyAnswer, KeyList, NewKey, NewKeyAnswer, ShownKey
from shared.contracts.usage import UsageList
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.post("/keys", status_code=201)
async def add_key(asked: NewKey, caller: TheCaller, request: Request) -> NewKeyAnswer:
    """The key's text is shown this once: only a hash is kept. Nobody makes a key that reaches
    further than their own."""
    caller.require("manage")
    text, key = await handle_keys.add(asked, caller, services())
    request.app.state.keys.forget(key.key_id)
    return NewKeyAnswer(key=str(text), **ShownKey.from_record(key).model_dump())


@router.get("/keys")
async def list_keys(caller: TheCaller, limit: Limit = 20, offset: Offset = 0) -> KeyList:
    """The newest first, revoked ones too."""
    caller.require_everywhere("manage")
    total, keys = await services().keys.listed(limit, offset)
    return KeyList(total=total, keys=[ShownKey.from_record(one) for one in keys])


@router.delete("/keys/{key_id}")
async def revoke_key(key_id: str, caller: TheCaller, request: Request) -> KeyAnswer:
    """It and the keys made with it stop working at once here, and within a minute everywhere."""
    caller.require("manage")
    gone = await handle_keys.revoke(key_id, caller, services())
    for one in gone:
        request.app.state.keys.forget(one.key_id)
    return KeyAnswer.from_record(gone[0])


@router.get("/usage")
async def usage(
    caller: TheCaller,
    group_id: Annotated[GroupId | None, Query()] = None,
    key_id: Annotated[str | None, Query(max_length=200)] = None,
    by: Annotated[Literal["day", "group"], Query()] = "day",
    days: Annotated[int, Query(ge=1, le=366)] = 7,
    limit: Limit = 31,
    cursor: Annotated[str, Query(max_length=1000)] = "",
) -> UsageList:
    """What models cost: folded by day, of one group, of requests with one key, or of all; or all
    that is kept, group by group."""
    from functions.historian_job import handle_usage

    if group_id is None:
        caller.require_everywhere("manage")
    caller.require("manage", group_id)
    if by == "group" and group_id is None and key_id is None:
        return await handle_usage.by_group(limit, cursor, services())
    return await handle_usage.by_day(group_id, key_id, days, limit, cursor, services())

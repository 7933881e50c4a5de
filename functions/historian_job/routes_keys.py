"""API keys, and what models cost."""

import secrets
from dataclasses import replace
from datetime import date, timedelta
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request

from shared.config import need
from shared.contracts.api import GroupId, Limit, Offset
from shared.contracts.keys import (
    KeyAnswer,
    KeyList,
    NewKey,
    NewKeyAnswer,
    ShownKey,
    UsageList,
    UsageRow,
)
from shared.domain.ids import checked_group_id
from shared.domain.key import (
    ROOT,
    KeyText,
    StoredKey,
    checked_patterns,
    checked_scopes,
    hash_secret,
)
from shared.domain.usage import EVERYBODY, of_key
from shared.errors import Forbidden, InvalidInput, NotFound, Unauthenticated
from shared.runtime.auth import Caller
from shared.runtime.route_access import TheCaller
from shared.wiring import Services, services

router = APIRouter()


@router.post("/keys", status_code=201)
async def add_key(asked: NewKey, caller: TheCaller, request: Request) -> NewKeyAnswer:
    """The key's text is shown this once: only a hash is kept. Nobody makes a key that reaches
    further than their own."""
    caller.require("manage")
    text, key = await make_key(asked, caller, services())
    request.app.state.keys.forget(key.key_id)
    return NewKeyAnswer(key=str(text), **ShownKey.from_record(key).model_dump())


@router.get("/keys")
async def list_keys(caller: TheCaller, limit: Limit = 20, offset: Offset = 0) -> KeyList:
    """The newest first, revoked ones too."""
    caller.require_everywhere("manage")
    total, keys = await services().keys.listed(limit, offset)
    return KeyList(total=total, keys=[ShownKey.from_record(key) for key in keys])


@router.delete("/keys/{key_id}")
async def revoke_key(key_id: str, caller: TheCaller, request: Request) -> KeyAnswer:
    """It and the keys made with it stop working at once here, and within a minute everywhere."""
    caller.require("manage")
    gone = await take_back(key_id, caller, services())
    for key in gone:
        request.app.state.keys.forget(key.key_id)
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
    if group_id is None:
        caller.require_everywhere("manage")
    caller.require("manage", group_id)
    if by == "group" and group_id is None and key_id is None:
        return await usage_by_group(limit, cursor, services())
    return await usage_by_day(group_id, key_id, days, limit, cursor, services())


MAX_WRITES = 400
"""Of one commit: Firestore takes 500."""


async def make_key(asked: NewKey, caller: Caller, made: Services) -> tuple[KeyText, StoredKey]:
    """The text exists only here: a hash of it is kept. Nobody makes a key that reaches further
    than their own."""
    scopes, groups = checked_scopes(asked.scopes), checked_patterns(asked.groups)
    if not scopes <= caller.scopes or not all(caller.covers(pattern) for pattern in groups):
        raise Forbidden("a key cannot give more than it has")
    text = KeyText(secrets.token_hex(8), secrets.token_hex(24))
    secret_hash = hash_secret(need(made.settings.hash_key, "ANNALS_HASH_KEY"), text.secret)
    key = StoredKey(
        text.key_id,
        asked.name,
        secret_hash,
        scopes,
        groups,
        created_at=made.now(),
        made_by=caller.key_id,
    )
    await made.keys.add(key)
    maker = None if caller.key_id == ROOT else await made.keys.find(caller.key_id)
    if maker and maker.is_revoked:
        # It was revoked while it made this one, which nobody would have found.
        await made.keys.revoke([replace(key, revoked_at=made.now())])
        raise Unauthenticated("the key is not valid")
    return text, key


async def take_back(key_id: str, caller: Caller, made: Services) -> list[StoredKey]:
    """The key, and every key that was made with it or with one of those: whoever had it could
    have kept themselves another. Twice is once; a key that reaches further than the caller's is
    unknown to it."""
    key = await made.keys.find(key_id)
    if key is None or not all(caller.covers(pattern) for pattern in key.groups):
        raise NotFound(f"there is no key {key_id}")
    gone = [key]
    for lost in gone:
        gone += await made.keys.made_by(lost.key_id)
    still_good = [lost for lost in gone if not lost.is_revoked]
    now = made.now()
    for start in range(0, len(still_good), MAX_WRITES):
        page = still_good[start : start + MAX_WRITES]
        await made.keys.revoke([replace(lost, revoked_at=now) for lost in page])
    return [lost if lost.is_revoked else replace(lost, revoked_at=now) for lost in gone]


async def usage_by_day(
    group_id: str | None, key_id: str | None, days: int, limit: int, cursor: str, made: Services
) -> UsageList:
    """One row a day on which models were asked, the oldest first. A page is `limit` days long."""
    today = made.now().date()
    first = today - timedelta(days=days - 1)
    if cursor:
        first = max(first, min(_day(cursor), today) + timedelta(days=1))
    last = min(today, first + timedelta(days=limit - 1))
    scope = group_id or (of_key(key_id) if key_id else EVERYBODY)
    rows = await made.usage.totals(scope, first.isoformat(), last.isoformat())
    shown = [UsageRow.from_record(row) if group_id else UsageRow.folded(row) for row in rows]
    return UsageList(usage=shown, next_cursor=last.isoformat() if last < today else None)


async def usage_by_group(limit: int, cursor: str, made: Services) -> UsageList:
    """One row a group and day that is kept, by group."""
    group_id, _, day = cursor.rpartition(" ")
    if cursor:
        after = (checked_group_id(group_id), _day(day).isoformat())
    else:
        after = (EVERYBODY + "\U0010ffff", "")
    rows, last = await made.usage.page(after, limit)
    return UsageList(
        usage=[UsageRow.from_record(row) for row in rows],
        next_cursor=" ".join(last) if last else None,
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput("cursor: use the `next_cursor` of the page before") from error

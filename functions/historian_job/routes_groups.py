"""A group as a whole: out, in, its settings."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, Response

from shared.config import effective
from shared.contracts.api import GroupId, Limit
from shared.contracts.groups import GroupAnswer
from shared.contracts.transfer import (
    NDJSON,
    NDJSON_OR_ERROR,
    NEXT_CURSOR,
    ImportFormat,
    ImportReport,
)
from shared.domain.transfer.lines import written
from shared.errors import Conflict, InvalidInput
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.get(
    "/groups/{group_id}/export",
    response_class=PlainTextResponse,
    responses=NDJSON_OR_ERROR,
)
async def export_group(
    group_id: GroupId,
    caller: TheCaller,
    cursor: Annotated[str | None, Query(max_length=4096)] = None,
    limit: Limit = 200,
) -> Response:
    """A page of NDJSON, a line a record, parents first. The header `X-Annals-Next-Cursor` names
    the next page; the last page has none."""
    caller.require("manage", group_id)
    caller.require("read", group_id)
    group = await services().groups.get(group_id)
    if group.forgetting:
        raise Conflict("something is being forgotten here; ask again in a moment")
    page = await services().transfer.page(group_id, cursor, limit)
    text = "".join(f"{written(line)}\n" for line in page.lines)
    headers = {NEXT_CURSOR: page.cursor} if page.cursor else {}
    return Response(text, media_type=NDJSON, headers=headers)


@router.post("/groups/{group_id}/import")
async def import_group(
    group_id: GroupId,
    caller: TheCaller,
    request: Request,
    format: ImportFormat = "ndjson",  # noqa: A002 - it is the name in the query
) -> ImportReport:
    """A page of an export, or a file of an older system: `end_summaries.json`, a collection of
    memories, one profile in Markdown. What is there already stays as it is."""
    from functions.historian_job import handle_transfer

    caller.require("manage", group_id)
    try:
        body = (await request.body()).decode()
    except UnicodeDecodeError as error:
        raise InvalidInput("the body is not UTF-8") from error
    return await handle_transfer.take(group_id, body, format, services())


@router.get("/groups/{group_id}/settings")
async def get_settings(group_id: GroupId, caller: TheCaller) -> GroupAnswer:
    """What the group has set for itself."""
    caller.require("read", group_id)
    return GroupAnswer.from_record(await services().groups.get(group_id))


@router.put("/groups/{group_id}/settings")
async def put_settings(
    group_id: GroupId, changes: dict[str, Any], caller: TheCaller
) -> GroupAnswer:
    """This group's own values instead of the deployment's; they replace the former ones. Only here
    are they checked."""
    caller.require("manage", group_id)
    made = services()
    effective(made.settings, changes)
    group = await made.groups.change(
        group_id, lambda found: replace(found, settings=changes), made.now()
    )
    return GroupAnswer.from_record(group)

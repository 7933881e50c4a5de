"""What bots send: messages, and the note that ends a turn."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Body

from functions.ingest_message import handle_messages
from shared import log
from shared.config import settings_for
from shared.contracts.ingest_answers import (
    EndAnswer,
    MessageReceipt,
    ReceiptList,
)
from shared.contracts.jobs import historian_job
from shared.contracts.messages import MAX_BATCH, MessagesBody, read_message
from shared.contracts.notes import EndRequest
from shared.domain.forgetting.forgotten import is_opted_out
from shared.domain.knowledge.event import Note
from shared.domain.messages.admission import (
    check_ids,
    check_times,
)
from shared.domain.messages.delivery import Receipt
from shared.domain.messages.message import Message
from shared.errors import Forbidden, InvalidInput
from shared.runtime.route_access import TheCaller
from shared.wiring import Services, services

router = APIRouter()


@router.post("/messages", status_code=202, response_model_exclude_none=True)
async def post_messages(payload: Annotated[MessagesBody, Body()], caller: TheCaller) -> ReceiptList:
    """One message or a list of at most 500, from users or the bot itself."""
    if isinstance(payload, dict):
        message = _read(payload)
        caller.require("ingest", message.group_id)
        log.bind(group_id=message.group_id)
        deps = handle_messages.deps_for(services())
        receipts = await handle_messages.ingest(message.group_id, [message], deps)
        return ReceiptList(results=[MessageReceipt.from_record(receipts[0])])
    if not 1 <= len(payload) <= MAX_BATCH:
        raise InvalidInput(f"a list has 1 to {MAX_BATCH} messages, this one has {len(payload)}")
    results: list[Receipt | None] = [None] * len(payload)
    taken: list[tuple[int, Message]] = []
    for place, value in enumerate(payload):
        try:
            taken.append((place, _read(value)))
        except InvalidInput as error:
            results[place] = Receipt(_named(value), "rejected", error.message)
    for _, message in taken:
        caller.require("ingest", message.group_id)
    deps = handle_messages.deps_for(services())
    for group_id, places in _places_by_group(taken).items():
        own = [message for _, message in places]
        try:
            receipts = await handle_messages.ingest(group_id, own, deps)
        except Forbidden as error:
            receipts = [Receipt(message.message_id, "rejected", error.message) for message in own]
        for (place, _), receipt in zip(places, receipts, strict=True):
            results[place] = receipt
    return ReceiptList(results=[MessageReceipt.from_record(result) for result in results if result])


@router.post("/end", status_code=202)
async def end(request: EndRequest, caller: TheCaller) -> EndAnswer:
    """The bot's note as a turn ends: stored and queued, never waited for."""
    caller.require("ingest", request.group_id)
    log.bind(group_id=request.group_id)
    made = services()
    return EndAnswer(job_id=await end_turn(request.note(), made))


def _read(value: object) -> Message:
    message = read_message(value)
    check_ids(message)
    check_times(message, services().now())
    return message


def _places_by_group(
    taken: Sequence[tuple[int, Message]],
) -> dict[str, list[tuple[int, Message]]]:
    groups: dict[str, list[tuple[int, Message]]] = {}
    for place, message in taken:
        groups.setdefault(message.group_id, []).append((place, message))
    return groups


def _named(value: Any) -> str:
    """The id of a message that could not be read, as far as there is one."""
    found = value.get("message_id") if isinstance(value, dict) else None
    return found[:512] if isinstance(found, str) else ""


async def end_turn(note: Note, made: Services) -> str | None:
    """The id of the job that will rewrite the note; None if there is nothing to remember, if the
    member it is about wants nothing remembered, or if the historian is switched off there."""
    if note.is_empty and note.force:
        raise InvalidInput("force needs an action_summary or a new_info: there is no note to keep")
    if note.is_empty:
        return None
    group = await made.groups.find(note.group_id)
    is_on = settings_for(group, made.settings).enable_cognitive
    is_out = group and is_opted_out(group.opted_out, note.user_id, made.settings.hash_key)
    if not is_on or is_out:
        return None
    now = made.now()
    stored = await made.jobs.ensure(historian_job(replace(note, received_at=now), now))
    if stored.created_at == now:
        await made.dispatch.job(stored)
    return stored.job_id

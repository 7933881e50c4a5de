"""What bots send: messages, and the note that ends a turn."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Body

from functions.ingest_message import handle_end, handle_messages
from shared import log
from shared.contracts.ingest_answers import (
    EndAnswer,
    MessageReceipt,
    ReceiptList,
)
from shared.contracts.messages import MAX_BATCH, MessagesBody, read_message
from shared.contracts.notes import EndRequest
from shared.domain.messages.admission import (
    check_ids,
    check_times,
)
from shared.domain.messages.delivery import Receipt
from shared.domain.messages.message import Message
from shared.errors import Forbidden, InvalidInput
from shared.runtime.route_access import TheCaller
from shared.wiring import services

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
            receipts = [Receipt(one.message_id, "rejected", error.message) for one in own]
        for (place, _), receipt in zip(places, receipts, strict=True):
            results[place] = receipt
    return ReceiptList(results=[MessageReceipt.from_record(one) for one in results if one])


@router.post("/end", status_code=202)
async def end(request: EndRequest, caller: TheCaller) -> EndAnswer:
    """The bot's note as a turn ends: stored and queued, never waited for."""
    caller.require("ingest", request.group_id)
    log.bind(group_id=request.group_id)
    made = services()
    return EndAnswer(job_id=await handle_end.end_turn(request.note(), made))


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

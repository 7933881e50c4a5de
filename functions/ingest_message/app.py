"""The routes of ingest_message: webhooks, messages, end-of-turn notes, and their upkeep."""

import functools
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body, Request
from fastapi.responses import JSONResponse, Response

from functions.ingest_message import handle_end, handle_messages
from functions.ingest_message.analysis import analysed
from shared import log
from shared.config import problems, settings
from shared.contracts.ingest_answers import (
    AttributionAnswer,
    EndAnswer,
    MessageReceipt,
    PlatformAnswer,
    ReceiptList,
    SetupAnswer,
    ShownSetupCheck,
    SweepAnswer,
)
from shared.contracts.messages import read_message
from shared.contracts.notes import EndRequest
from shared.contracts.queues import queues
from shared.contracts.tasks import AttributeTask
from shared.domain.messages.admission import (
    Delivery,
    check_ids,
    check_times,
    with_possible_times,
)
from shared.domain.messages.delivery import Receipt
from shared.domain.messages.message import Arrival, GroupEvent, Ignored, Message, Recall
from shared.errors import Forbidden, InvalidInput, NotFound
from shared.runtime.app import create_app
from shared.runtime.route_access import TheCaller, caller
from shared.wiring import find_key, services

if TYPE_CHECKING:
    from functions.ingest_message.indexing import Indexing

MAX_BATCH = 500
"""Of one list: five commits, some seconds at the most."""

router = APIRouter()


def _messages() -> handle_messages.Deps:
    made = services()
    return made.deps(
        handle_messages.Deps,
        analyse=analysed,
        removal=lambda: made.removal,
        hash_key=made.settings.hash_key,
        own_settings=made.settings,
    )


@router.post(
    "/webhooks/{platform}",
    status_code=200,
    response_model=PlatformAnswer,
    responses={204: {"description": "OneBot: any body would be executed"}},
)
async def webhook(platform: str, request: Request) -> Response:
    """What a chat platform sends. Each is answered as it wants to be.

    Here and below, what only one route needs is imported by that route: no other pays for it.
    """
    from shared.platforms.receive import is_relayed, receive
    from shared.platforms.webhook import Secrets

    secrets = Secrets.of(settings())
    by_key = is_relayed(platform, request.headers)
    if by_key:
        (await caller(request)).require("ingest")
    received = receive(
        platform,
        request.headers,
        await request.body(),
        secrets,
        services().now(),
        is_trusted=by_key,
    )
    deliveries = [
        _possible(one)
        for one in await _with_their_chats(received.arrivals)
        if not isinstance(one, Ignored)
    ]
    if by_key:
        # Whatever it is that happened, it happened in a group that the key may touch.
        before = {
            one.previous_group_id
            for one in deliveries
            if isinstance(one, GroupEvent) and one.previous_group_id
        }
        for group_id in before | {one.group_id for one in deliveries}:
            (await caller(request)).require("ingest", group_id)
    arrivals = [one for one in deliveries if isinstance(one, Message | Recall)]
    for group_id, own in _by_group(arrivals).items():
        log.bind(group_id=group_id)
        await handle_messages.ingest(group_id, own, _messages())
    for event in deliveries:
        if isinstance(event, GroupEvent):
            await handle_messages.note_event(event, _messages())
    answer = received.answer
    if answer.body is None:
        return Response(status_code=answer.status)
    return JSONResponse(dict(answer.body), answer.status)


@router.get("/platforms/{platform}")
async def check_platform(platform: str, caller: TheCaller) -> SetupAnswer:
    """Whether a platform is set up, as far as can be told without it, and what to do if not."""
    from shared.platforms.setup import NEEDED, check_setup, is_ready
    from shared.platforms.webhook import Secrets

    caller.require_everywhere("manage")
    if platform not in NEEDED:
        raise NotFound(f"there is no platform {platform!r}: {', '.join(NEEDED)}")
    has_arrived = await services().groups.is_any_of(platform)
    checks = check_setup(platform, Secrets.of(settings()), has_arrived=has_arrived)
    return SetupAnswer(
        platform=platform,
        webhook=f"/webhooks/{platform}",
        is_ready=is_ready(checks),
        checks=[ShownSetupCheck.of(one) for one in checks],
    )


@router.post("/messages", status_code=202, response_model_exclude_none=True)
async def post_messages(
    payload: Annotated[dict[str, Any] | list[Any], Body()], caller: TheCaller
) -> ReceiptList:
    """One message or a list of at most 500, from users or the bot itself."""
    if isinstance(payload, dict):
        message = _read(payload)
        caller.require("ingest", message.group_id)
        log.bind(group_id=message.group_id)
        receipts = await handle_messages.ingest(message.group_id, [message], _messages())
        return ReceiptList(results=[MessageReceipt.of(receipts[0])])
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
    for group_id, places in _places_by_group(taken).items():
        own = [message for _, message in places]
        try:
            receipts = await handle_messages.ingest(group_id, own, _messages())
        except Forbidden as error:
            receipts = [Receipt(one.message_id, "rejected", error.message) for one in own]
        for (place, _), receipt in zip(places, receipts, strict=True):
            results[place] = receipt
    return ReceiptList(results=[MessageReceipt.of(one) for one in results if one])


@router.post("/end", status_code=202)
async def end(request: EndRequest, caller: TheCaller) -> EndAnswer:
    """The bot's note as a turn ends: stored and queued, never waited for."""
    caller.require("ingest", request.group_id)
    log.bind(group_id=request.group_id)
    made = services()
    deps = made.deps(handle_end.Deps)
    return EndAnswer(job_id=await handle_end.end_turn(request.note(), deps))


@router.post("/tasks/attribute")
async def attribute(task: AttributeTask) -> AttributionAnswer:
    """The topics of what was just said."""
    return await _attribute(task)


@router.post("/tasks/import")
async def attribute_history(task: AttributeTask) -> AttributionAnswer:
    """The same for imported history, at the pace of a queue of its own."""
    return await _attribute(task)


async def _attribute(task: AttributeTask) -> AttributionAnswer:
    from functions.ingest_message import handle_attribute

    log.bind(group_id=task.group_id)
    made = services()
    deps = made.deps(
        handle_attribute.Deps,
        indexing=_indexing(),
        model_budget_s=queues()["attribute"].model_budget_s,
        tables=None,
    )
    return AttributionAnswer.of(await handle_attribute.attribute(task.group_id, deps))


@functools.cache
def _indexing() -> "Indexing":
    """One a process: it remembers that an index is away."""
    from functions.ingest_message.indexing import Indexing

    made = services()
    return Indexing(made.vectors, made.word_index, made.counted_words)


@router.post("/cron/sweep")
async def sweep() -> SweepAnswer:
    """Sends again what was not sent, and takes back what its runner left."""
    from functions.ingest_message import handle_sweep

    grace = timedelta(seconds=settings().sweep_after_seconds)
    done = await handle_sweep.sweep(services().deps(handle_sweep.Deps, grace=grace))
    log.info(
        "swept",
        groups_woken=done.groups_woken,
        jobs_taken_back=done.jobs_taken_back,
        jobs_sent_again=done.jobs_sent_again,
        leases_handed_on=done.leases_handed_on,
    )
    return SweepAnswer.of(done)


def _read(value: object) -> Message:
    message = read_message(value)
    check_ids(message)
    check_times(message, services().now())
    return message


def _possible(delivery: Delivery) -> Delivery:
    """A platform's times are made possible, and that is noted: nobody there would read a no."""
    check_ids(delivery)
    possible = with_possible_times(delivery, services().now())
    if possible is not delivery:
        log.warning("impossible_time", group_id=delivery.group_id)
    return possible


async def _with_their_chats(arrivals: Sequence[Arrival]) -> list[Arrival]:
    """Recalls of which the platform did not say where, in the chats they happened in."""
    named: list[Arrival] = []
    for one in arrivals:
        if isinstance(one, Recall) and one.is_somewhere_private:
            found = await handle_messages.placed(one, _messages())
            if found is None:
                log.info("recall_of_nothing_known", platform=one.group_id.partition(":")[0])
            named += [found] if found else []
        else:
            named.append(one)
    return named


def _by_group(arrivals: Sequence[Message | Recall]) -> dict[str, list[Message | Recall]]:
    groups: dict[str, list[Message | Recall]] = {}
    for arrival in arrivals:
        groups.setdefault(arrival.group_id, []).append(arrival)
    return groups


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


app = create_app(
    "ingest_message",
    router,
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["attribute"].function_timeout_s,
)

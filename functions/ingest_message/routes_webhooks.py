"""What chat platforms send, each answered as it wants to be."""

from collections.abc import Sequence

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from functions.ingest_message import handle_messages
from shared import log
from shared.config import settings
from shared.contracts.ingest_answers import (
    PlatformAnswer,
    SetupAnswer,
    ShownSetupCheck,
)
from shared.domain.messages.admission import (
    Delivery,
    check_ids,
    with_possible_times,
)
from shared.domain.messages.message import Arrival, GroupEvent, Ignored, Message, Recall
from shared.errors import Forbidden
from shared.runtime.route_access import TheCaller, caller
from shared.wiring import services

router = APIRouter()


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
    from shared.platforms.platform import Secrets
    from shared.platforms.registry import is_relayed, receive

    secrets = Secrets(settings().of_chat_platforms())
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
        _possible(arrival)
        for arrival in await _with_their_chats(received.arrivals)
        if not isinstance(arrival, Ignored)
    ]
    if by_key:
        # Whatever it is that happened, it happened in a group that the key may touch.
        before = {
            delivery.previous_group_id
            for delivery in deliveries
            if isinstance(delivery, GroupEvent) and delivery.previous_group_id
        }
        for group_id in before | {delivery.group_id for delivery in deliveries}:
            (await caller(request)).require("ingest", group_id)
    arrivals = [delivery for delivery in deliveries if isinstance(delivery, Message | Recall)]
    for group_id, own in _by_group(arrivals).items():
        log.bind(group_id=group_id)
        try:
            await handle_messages.ingest(group_id, own, handle_messages.deps_for(services()))
        except Forbidden:
            # The group was deleted: a platform that is refused sends it again and again, and a
            # relay holds all other groups up behind it.
            log.info("group_is_deleted", group_id=group_id, dropped=len(own))
    for event in deliveries:
        if isinstance(event, GroupEvent):
            await handle_messages.note_event(event, handle_messages.deps_for(services()))
    answer = received.answer
    if answer.body is None:
        return Response(status_code=answer.status)
    return JSONResponse(dict(answer.body), answer.status)


@router.get("/platforms/{platform}")
async def check_platform(platform: str, caller: TheCaller) -> SetupAnswer:
    """Whether a platform is set up, as far as can be told without it, and what to do if not."""
    from shared.platforms.platform import Secrets
    from shared.platforms.registry import check_setup, is_ready, platform_named

    caller.require_everywhere("manage")
    platform_named(platform)
    has_arrived = await services().groups.is_any_of(platform)
    checks = check_setup(platform, Secrets(settings().of_chat_platforms()), has_arrived=has_arrived)
    return SetupAnswer(
        platform=platform,
        webhook=f"/webhooks/{platform}",
        is_ready=is_ready(checks),
        checks=[ShownSetupCheck.from_record(check) for check in checks],
    )


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
    for arrival in arrivals:
        if isinstance(arrival, Recall) and arrival.is_somewhere_private:
            found = await handle_messages.placed(arrival, handle_messages.deps_for(services()))
            if found is None:
                log.info("recall_of_nothing_known", platform=arrival.group_id.partition(":")[0])
            named += [found] if found else []
        else:
            named.append(arrival)
    return named


def _by_group(arrivals: Sequence[Message | Recall]) -> dict[str, list[Message | Recall]]:
    groups: dict[str, list[Message | Recall]] = {}
    for arrival in arrivals:
        groups.setdefault(arrival.group_id, []).append(arrival)
    return groups

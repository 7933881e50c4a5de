"""Members: what is known of them, their data to take away, and their wishes."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse, Response

from functions.historian_job import handle_forget
from shared.config import settings_for
from shared.contracts.api import GroupId, Id, Limit
from shared.contracts.groups import (
    CommandAnswer,
    MemberAnswer,
    MemberWords,
    OptOut,
    OptOutAnswer,
)
from shared.contracts.memories import ShownMemory
from shared.contracts.profiles import ShownProfile
from shared.contracts.transfer import NDJSON, NDJSON_OR_ERROR, NEXT_CURSOR
from shared.domain.knowledge.known_member import told
from shared.domain.messages.member_commands import MemberCommand, command_of, is_chinese
from shared.domain.transfer.lines import written
from shared.runtime.route_access import TheCaller
from shared.wiring import Services, services

router = APIRouter()


@router.put("/groups/{group_id}/members/{user_id}/opt-out")
async def opt_out(group_id: GroupId, user_id: Id, asked: OptOut, caller: TheCaller) -> OptOutAnswer:
    """From now on nothing this member says is kept but its place in the reply chain; with `forget`,
    what was kept so far goes too."""
    caller.require("manage", group_id)
    made = services()
    group = await made.member_requests.opt_out(
        group_id, user_id, asked.opted_out, made.settings.hash_key, made.now()
    )
    forget_id = None
    if asked.forget:
        forget_id = (await handle_forget.forget_member(group_id, user_id, made)).job_id
    is_out = user_id in group.opted_out
    return OptOutAnswer(user_id=user_id, opted_out=is_out, forget_id=forget_id)


@router.get("/groups/{group_id}/members/{user_id}")
async def get_member(group_id: GroupId, user_id: Id, caller: TheCaller) -> MemberAnswer:
    """What this group knows of a member: their profile, what is remembered of them, their events,
    and how many of their messages are kept."""
    caller.require("read", group_id)
    known = await services().known_members.known(group_id, user_id)
    return MemberAnswer(
        group_id=group_id,
        user_id=user_id,
        opted_out=known.is_opted_out,
        messages=known.messages,
        profile=ShownProfile.from_record(known.profile) if known.profile else None,
        memories=[ShownMemory.from_record(memory) for memory in known.memories],
        events=list(known.events),
    )


@router.get(
    "/groups/{group_id}/members/{user_id}/export",
    response_class=PlainTextResponse,
    responses=NDJSON_OR_ERROR,
)
async def export_member(
    group_id: GroupId,
    user_id: Id,
    caller: TheCaller,
    cursor: Annotated[str | None, Query(max_length=4096)] = None,
    limit: Limit = 200,
) -> Response:
    """What is kept of one member, as a page of NDJSON: their messages, what is remembered of them,
    their events, their profile with its snapshots, their place in the graph, contexts built for
    them. `X-Annals-Next-Cursor` names the next page."""
    caller.require("read", group_id)
    await services().groups.get(group_id)
    page = await services().transfer.member_page(group_id, user_id, cursor, limit)
    text = "".join(f"{written(line)}\n" for line in page.lines)
    headers = {NEXT_CURSOR: page.cursor} if page.cursor else {}
    return Response(text, media_type=NDJSON, headers=headers)


@router.post("/groups/{group_id}/members/{user_id}/commands")
async def take_command(
    group_id: GroupId, user_id: Id, said: MemberWords, caller: TheCaller
) -> CommandAnswer:
    """What a member asked in chat about their own words, done, and the text for the bot to send;
    nothing is done, and there is no text, if the message is no such wish or the group does not
    allow it. `user_id` is who said it: the platform knows, a model does not."""
    caller.require("ingest", group_id)
    made = services()
    command = await allowed(group_id, said.text, made)
    if command is MemberCommand.KNOWN:
        caller.require("read", group_id)
    if command is None:
        return CommandAnswer(command=None, text="")
    done = await obey(command, group_id, user_id, said.text, made)
    return CommandAnswer(command=command, text=done.text, forget_id=done.forget_id)


SAID = {
    MemberCommand.FORGET: (
        "I am forgetting what you said here and what I learnt of you. What others said stays.",
        "正在忘记你在这里说过的话和我了解到的你。别人说的话会保留。",
    ),
    MemberCommand.OPT_OUT: (
        "I no longer remember what you say here. Say “forget me” and what I have goes too.",
        "从现在起我不会记你在这里说的话。说“忘了我”，已经记住的也会删除。",
    ),
    MemberCommand.OPT_IN: (
        "I remember what you say here again.",
        "我会重新记你在这里说的话。",
    ),
}


@dataclass(frozen=True)
class Done:
    text: str
    forget_id: str | None = None


async def allowed(group_id: str, text: str, made: Services) -> MemberCommand | None:
    """The command, if the message is one and the group lets its members ask."""
    command = command_of(text)
    if command is None:
        return None
    group = await made.groups.get(group_id)
    return command if settings_for(group, made.settings).member_commands else None


async def obey(
    command: MemberCommand, group_id: str, user_id: str, text: str, made: Services
) -> Done:
    """Only what concerns the member who asks."""
    in_chinese = is_chinese(text)
    if command is MemberCommand.KNOWN:
        known = await made.known_members.known(group_id, user_id)
        return Done(told(known, in_chinese=in_chinese))
    said = SAID[command][in_chinese]
    if command is MemberCommand.FORGET:
        job = await handle_forget.forget_member(group_id, user_id, made)
        return Done(said, job.job_id)
    is_out = command is MemberCommand.OPT_OUT
    await made.member_requests.opt_out(
        group_id, user_id, is_out, made.settings.hash_key, made.now()
    )
    return Done(said)

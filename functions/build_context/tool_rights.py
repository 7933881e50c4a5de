"""Tools for what a member may ask about their own words. Who speaks is the host's to say."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from functions.build_context.tool_room import Bound
from shared.config import Settings, need, settings_for
from shared.contracts.tools import ToSend
from shared.domain.knowledge.known_member import told
from shared.errors import Forbidden, InvalidInput
from shared.forgetting.member_requests import MemberRequests
from shared.search.known_members import KnownMembers
from shared.stores.groups import Groups


@dataclass(frozen=True)
class RightsDeps:
    groups: Groups
    member_requests: MemberRequests
    settings: Settings
    now: Callable[[], datetime]


async def what_is_known(bound: Bound, members: KnownMembers) -> ToSend:
    """In English: the model tells it in the chat's language."""
    known = await members.known(bound.group_id, _speaker(bound))
    return ToSend(text=told(known, in_chinese=False))


async def dont_remember(bound: Bound, deps: RightsDeps) -> ToSend:
    user_id = await _allowed(bound, deps)
    await deps.member_requests.opt_out(
        bound.group_id, user_id, True, deps.settings.hash_key, deps.now()
    )
    return ToSend(text="From now on nothing this member says here is remembered.")


async def forget(bound: Bound, deps: RightsDeps) -> ToSend:
    """Nobody is shown it from now on. The sweep sends the job within a minute: this function ships
    without the SDK of the task queue."""
    user_id = await _allowed(bound, deps)
    need(deps.settings.hash_key, "ANNALS_HASH_KEY")
    job = await deps.member_requests.forget_member(bound.group_id, user_id, deps.now())
    return ToSend(
        text="What this member said here and what was learnt of them is being forgotten.",
        forget_id=job.job_id,
    )


def _speaker(bound: Bound) -> str:
    if not bound.user_id:
        raise InvalidInput("the host did not say who speaks: send user_id")
    return bound.user_id


async def _allowed(bound: Bound, deps: RightsDeps) -> str:
    user_id = _speaker(bound)
    group = await deps.groups.get(bound.group_id)
    if not settings_for(group, deps.settings).member_commands:
        raise Forbidden("this group does not let members ask for it in chat")
    return user_id

"""A group's settings and members, as the API takes and shows them."""

from typing import Annotated, Any

from pydantic import Field

from shared.contracts.api import Answer, Body, Shown
from shared.contracts.events import ShownEvent
from shared.contracts.memories import ShownMemory
from shared.contracts.profiles import ShownProfile
from shared.domain.audience import KnownAudience
from shared.domain.messages.member_commands import MemberCommand


class GroupAnswer(Answer, Shown):
    """`settings` are the group's own values; what they do not name is the deployment's."""

    group_id: str
    platform: str
    name: str
    audience: KnownAudience
    settings: dict[str, Any]
    opted_out: list[str]


class OptOut(Body):
    """With `forget`, what was kept of the member goes too."""

    opted_out: bool = True
    forget: bool = False


class OptOutAnswer(Answer):
    user_id: str
    opted_out: bool
    forget_id: str | None = None


class MemberWords(Body):
    """A message, as the member wrote it."""

    text: Annotated[str, Field(min_length=1, max_length=4096)]


class CommandAnswer(Answer):
    """`command` is null, and there is no `text` to send, where there was nothing to do."""

    command: MemberCommand | None
    text: str
    forget_id: str | None = None


class MemberAnswer(Answer):
    """What a group knows of a member. `memories` are about them, `events` are their own, the newest
    first; `messages` says how many of their messages are kept."""

    group_id: str
    user_id: str
    opted_out: bool
    messages: int
    profile: ShownProfile | None
    memories: list[ShownMemory]
    events: list[ShownEvent]

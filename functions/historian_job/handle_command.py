"""Does what a member asked in chat about their own words, and says so in their language."""

from dataclasses import dataclass

from functions.historian_job import handle_forget
from shared.config import settings_for
from shared.domain.knowledge.known_member import told
from shared.domain.messages.member_commands import MemberCommand, command_of, is_chinese
from shared.wiring import Services

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

"""Takes the bot's end-of-turn note: stores it with its job, sends the task, nothing else."""

from dataclasses import replace

from shared.config import settings_for
from shared.contracts.jobs import historian_job
from shared.domain.forgetting.forgotten import is_opted_out
from shared.domain.knowledge.event import Note
from shared.errors import InvalidInput
from shared.wiring import Services


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

"""Managed prompts: a deployment's own texts instead of the files, with versions."""

from fastapi import APIRouter

from shared.config.models import PROMPTS
from shared.contracts.api import Id
from shared.contracts.managed_prompts import (
    NewPrompt,
    PromptAnswer,
    PromptList,
    PromptRollback,
    PromptVersions,
    ShownPrompt,
    ShownPromptText,
)
from shared.runtime.route_access import TheCaller
from shared.wiring import services

router = APIRouter()


@router.get("/prompts")
async def list_prompts(caller: TheCaller) -> PromptList:
    """Each as it is asked now: the deployment's text, or the file."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    found = [await handle_prompts.current(one, services()) for one in PROMPTS]
    return PromptList(total=len(found), prompts=[ShownPrompt.from_record(one) for one in found])


@router.get("/prompts/{prompt_id}")
async def get_prompt(prompt_id: Id, caller: TheCaller) -> PromptAnswer:
    """With the hash that stands in the log beside each call."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    prompt = await handle_prompts.current(prompt_id, services())
    return PromptAnswer(prompt=ShownPrompt.from_record(prompt))


@router.put("/prompts/{prompt_id}")
async def override_prompt(prompt_id: Id, asked: NewPrompt, caller: TheCaller) -> PromptAnswer:
    """The deployment's own text, as a new version; used everywhere within a minute."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    prompt = await handle_prompts.override(
        prompt_id, asked.text, asked.reason, caller.key_id, services()
    )
    return PromptAnswer(prompt=ShownPrompt.from_record(prompt))


@router.get("/prompts/{prompt_id}/versions")
async def list_prompt_versions(prompt_id: Id, caller: TheCaller) -> PromptVersions:
    """Every text it ever had beside the file, the newest first."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    found = await services().prompts.versions(handle_prompts.known(prompt_id))
    shown = [ShownPromptText.from_record(one) for one in found]
    return PromptVersions(total=len(shown), prompt_id=prompt_id, versions=shown)


@router.post("/prompts/{prompt_id}/rollback")
async def roll_back_prompt(prompt_id: Id, asked: PromptRollback, caller: TheCaller) -> PromptAnswer:
    """An earlier version again, as a new one; version 0 is the file."""
    from functions.historian_job import handle_prompts

    caller.require_everywhere("manage")
    prompt = await handle_prompts.roll_back(prompt_id, asked.version, caller.key_id, services())
    return PromptAnswer(prompt=ShownPrompt.from_record(prompt))

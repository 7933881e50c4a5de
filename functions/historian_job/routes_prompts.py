"""Managed prompts: a deployment's own texts instead of the files, in versions."""

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
from shared.errors import InvalidInput, NotFound
from shared.prompts.library import BrokenPrompt, Prompt, file_prompt, make_prompt
from shared.runtime.route_access import TheCaller
from shared.stores.prompts import PromptText
from shared.wiring import Services, services

router = APIRouter()


@router.get("/prompts")
async def list_prompts(caller: TheCaller) -> PromptList:
    """Each as it is asked now: the deployment's text, or the file."""
    caller.require_everywhere("manage")
    found = [await current(one, services()) for one in PROMPTS]
    return PromptList(total=len(found), prompts=[ShownPrompt.from_record(one) for one in found])


@router.get("/prompts/{prompt_id}")
async def get_prompt(prompt_id: Id, caller: TheCaller) -> PromptAnswer:
    """With the hash that stands in the log beside each call."""
    caller.require_everywhere("manage")
    prompt = await current(prompt_id, services())
    return PromptAnswer(prompt=ShownPrompt.from_record(prompt))


@router.put("/prompts/{prompt_id}")
async def override_prompt(prompt_id: Id, asked: NewPrompt, caller: TheCaller) -> PromptAnswer:
    """The deployment's own text, as a new version; used everywhere within a minute."""
    caller.require_everywhere("manage")
    prompt = await override(prompt_id, asked.text, asked.reason, caller.key_id, services())
    return PromptAnswer(prompt=ShownPrompt.from_record(prompt))


@router.get("/prompts/{prompt_id}/versions")
async def list_prompt_versions(prompt_id: Id, caller: TheCaller) -> PromptVersions:
    """Every text it ever had beside the file, the newest first."""
    caller.require_everywhere("manage")
    found = await services().prompts.versions(known_id(prompt_id))
    shown = [ShownPromptText.from_record(one) for one in found]
    return PromptVersions(total=len(shown), prompt_id=prompt_id, versions=shown)


@router.post("/prompts/{prompt_id}/rollback")
async def roll_back_prompt(prompt_id: Id, asked: PromptRollback, caller: TheCaller) -> PromptAnswer:
    """An earlier version again, as a new one; version 0 is the file."""
    caller.require_everywhere("manage")
    prompt = await roll_back(prompt_id, asked.version, caller.key_id, services())
    return PromptAnswer(prompt=ShownPrompt.from_record(prompt))


def known_id(prompt_id: str) -> str:
    if prompt_id not in PROMPTS:
        raise NotFound(f"there is no prompt {prompt_id}")
    return prompt_id


async def current(prompt_id: str, made: Services) -> Prompt:
    """What is asked: the deployment's text if it has one, else the file."""
    found = await made.prompts.find(known_id(prompt_id))
    if found is None:
        return file_prompt(prompt_id)
    return make_prompt(prompt_id, str(found["text"]), int(found["version"]))


async def override(prompt_id: str, text: str, reason: str, made_by: str, made: Services) -> Prompt:
    """A new version; refused if a model could not be asked with it."""
    versions = await made.prompts.versions(known_id(prompt_id))
    number = versions[0].version + 1 if versions else 1
    try:
        prompt = make_prompt(prompt_id, text, number)
    except BrokenPrompt as error:
        raise InvalidInput(error.message) from error
    await made.prompts.put(PromptText(prompt_id, number, text, made.now(), made_by, reason))
    return prompt


async def roll_back(prompt_id: str, version: int, made_by: str, made: Services) -> Prompt:
    """An earlier text is used again, as a version of its own; 0 is the file."""
    if version == 0:
        await made.prompts.drop(known_id(prompt_id))
        return file_prompt(prompt_id)
    versions = await made.prompts.versions(known_id(prompt_id))
    wanted = next((one for one in versions if one.version == version), None)
    if wanted is None:
        raise NotFound(f"prompt {prompt_id} has no version {version}")
    reason = f"back to version {version}"
    return await override(prompt_id, wanted.text, reason, made_by, made)

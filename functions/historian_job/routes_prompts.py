"""Managed prompts: a deployment's own texts instead of the files, in versions."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from shared.config.models import PROMPTS
from shared.contracts.api import Answer, Body, Id, ListAnswer
from shared.errors import InvalidInput, NotFound
from shared.prompts.library import BrokenPrompt, Prompt, file_prompt, make_prompt
from shared.runtime.route_access import TheCaller
from shared.stores.prompts import PromptText
from shared.wiring import Services, services

router = APIRouter()


class PromptList(ListAnswer):
    prompts: list[Prompt]


class PromptAnswer(Answer):
    prompt: Prompt


class PromptVersions(ListAnswer):
    """The newest first."""

    prompt_id: str
    versions: list[PromptText]


class NewPrompt(Body):
    """With the placeholders `$untrusted` and `$reply_shape`, no more and no less."""

    text: Annotated[str, Field(min_length=1, max_length=50_000)]
    reason: Annotated[str, Field(max_length=500)] = ""


class PromptRollback(Body):
    """To an earlier version, as a new one; to 0, the file."""

    version: Annotated[int, Field(ge=0)]


@router.get("/prompts")
async def list_prompts(caller: TheCaller) -> PromptList:
    """Each as it is asked now: the deployment's text, or the file."""
    caller.require_everywhere("manage")
    found = [await current(prompt_id, services()) for prompt_id in PROMPTS]
    return PromptList(total=len(found), prompts=found)


@router.get("/prompts/{prompt_id}")
async def get_prompt(prompt_id: Id, caller: TheCaller) -> PromptAnswer:
    """With the hash that stands in the log beside each call."""
    caller.require_everywhere("manage")
    prompt = await current(prompt_id, services())
    return PromptAnswer(prompt=prompt)


@router.put("/prompts/{prompt_id}")
async def override_prompt(prompt_id: Id, asked: NewPrompt, caller: TheCaller) -> PromptAnswer:
    """The deployment's own text, as a new version; used everywhere within a minute."""
    caller.require_everywhere("manage")
    prompt = await override(prompt_id, asked.text, asked.reason, caller.key_id, services())
    return PromptAnswer(prompt=prompt)


@router.get("/prompts/{prompt_id}/versions")
async def list_prompt_versions(prompt_id: Id, caller: TheCaller) -> PromptVersions:
    """Every text it ever had beside the file, the newest first."""
    caller.require_everywhere("manage")
    found = await services().prompts.versions(known_id(prompt_id))
    return PromptVersions(total=len(found), prompt_id=prompt_id, versions=found)


@router.post("/prompts/{prompt_id}/rollback")
async def roll_back_prompt(prompt_id: Id, asked: PromptRollback, caller: TheCaller) -> PromptAnswer:
    """An earlier version again, as a new one; version 0 is the file."""
    caller.require_everywhere("manage")
    prompt = await roll_back(prompt_id, asked.version, caller.key_id, services())
    return PromptAnswer(prompt=prompt)


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
    wanted = next((text for text in versions if text.version == version), None)
    if wanted is None:
        raise NotFound(f"prompt {prompt_id} has no version {version}")
    reason = f"back to version {version}"
    return await override(prompt_id, wanted.text, reason, made_by, made)

"""Prompts by hand: a deployment's own text in place of a file, in versions."""

from shared.config.models import PROMPTS
from shared.errors import InvalidInput, NotFound
from shared.prompts.library import BrokenPrompt, Prompt, file_prompt, make_prompt
from shared.stores.prompts import PromptText
from shared.wiring import Services


def known(prompt_id: str) -> str:
    if prompt_id not in PROMPTS:
        raise NotFound(f"there is no prompt {prompt_id}")
    return prompt_id


async def current(prompt_id: str, made: Services) -> Prompt:
    """What is asked: the deployment's text if it has one, else the file."""
    found = await made.prompts.find(known(prompt_id))
    if found is None:
        return file_prompt(prompt_id)
    return make_prompt(prompt_id, str(found["text"]), int(found["version"]))


async def override(prompt_id: str, text: str, reason: str, made_by: str, made: Services) -> Prompt:
    """A new version; refused if a model could not be asked with it."""
    versions = await made.prompts.versions(known(prompt_id))
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
        await made.prompts.drop(known(prompt_id))
        return file_prompt(prompt_id)
    versions = await made.prompts.versions(known(prompt_id))
    wanted = next((one for one in versions if one.version == version), None)
    if wanted is None:
        raise NotFound(f"prompt {prompt_id} has no version {version}")
    reason = f"back to version {version}"
    return await override(prompt_id, wanted.text, reason, made_by, made)

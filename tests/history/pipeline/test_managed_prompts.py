"""A deployment's own prompts on real stores: versions, and the way back."""

import pytest

from functions.historian_job import routes_prompts
from shared.errors import InvalidInput, NotFound
from shared.prompts.library import PromptLibrary, file_prompt
from shared.wiring import Services


async def test_a_prompt_is_overridden_in_versions_and_rolled_back(made: Services) -> None:
    deps = made
    texts = [f"Say {word}. $untrusted $reply_shape" for word in ("one", "two")]
    for text in texts:
        await routes_prompts.override("profile_merge", text, "trying", "k1", deps)
    asked = await PromptLibrary(made.prompts.find).get("profile_merge")
    shown = await routes_prompts.current("profile_merge", deps)
    assert (asked.text, asked.version, asked.hash) == (texts[1], 2, shown.hash)

    back = await routes_prompts.roll_back("profile_merge", 1, "k1", deps)
    assert (back.text, back.version) == (texts[0], 3)
    assert [one.version for one in await made.prompts.versions("profile_merge")] == [3, 2, 1]
    await routes_prompts.roll_back("profile_merge", 0, "k1", deps)
    assert await PromptLibrary(made.prompts.find).get("profile_merge") == file_prompt(
        "profile_merge"
    )
    again = await routes_prompts.override("profile_merge", texts[1], "", "k1", deps)
    assert again.version == 4
    await routes_prompts.roll_back("profile_merge", 0, "k1", deps)


async def test_a_prompt_that_could_not_be_asked_is_refused(made: Services) -> None:
    deps = made
    with pytest.raises(InvalidInput):
        await routes_prompts.override("profile_merge", "no placeholders", "", "k1", deps)
    with pytest.raises(NotFound):
        await routes_prompts.override("nothing", "$untrusted $reply_shape", "", "k1", deps)
    with pytest.raises(NotFound):
        await routes_prompts.roll_back("profile_merge", 99, "k1", deps)
